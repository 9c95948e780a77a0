/* A case in a directory: its files, and case.json. */
#include "manifest.h"
#include "npy.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- names ----------------------------------------------------------------------------------- */

static file_error path_in(const char *directory, const char *name, const char *suffix, char path[MANIFEST_PATH])
{
    if (snprintf(path, MANIFEST_PATH, "%s/%s%s", directory, name, suffix) < MANIFEST_PATH)
        return file_good();
    return file_wrong(FILE_WRONG, "the directory's name is longer than %d characters", MANIFEST_PATH - 32);
}

file_error manifest_paths(const char *directory, const cot_op_info *op, char paths[OPERANDS][MANIFEST_PATH], tensors *t)
{
    file_error wrong = file_good();
    for (int o = COT_DY; o < OPERANDS && !wrong.status; o++) {
        if (!cot_operand_used(op, (cot_operand)o))
            continue;
        wrong = path_in(directory, cot_operand_name((cot_operand)o), ".npy", paths[o]);
        t->path[o] = paths[o];
    }
    return wrong;
}

int manifest_exists(const char *directory)
{
    char path[MANIFEST_PATH];
    return !path_in(directory, MANIFEST_NAME, "", path).status && !access(path, F_OK);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void print_number(FILE *to, double number) /* JSON has no NaN and no infinity */
{
    fprintf(to, isfinite(number) ? "%.17g" : "\"%g\"", number);
}

static void print_problem(FILE *to, const cot_desc *d)
{
    const cot_op_info *op = cot_op_get(d->op);
    fprintf(to, "  \"op\": \"%s\",\n  \"dtype\": \"%s\",\n  \"shape\": [", op->name, cot_element_name(d->element));
    for (int i = 0; i < d->rank; i++)
        fprintf(to, i ? ", %d" : "%d", d->shape[i]);
    fprintf(to, "],\n  \"axis\": ");
    cot_has_axis(op) ? fprintf(to, "%d", d->axis) : fprintf(to, "null");
    fprintf(to, ",\n  \"reverse\": %s,\n  \"correction\": %d,\n  \"param\": ", d->reverse ? "true" : "false",
            d->correction);
    print_number(to, d->param);
    fprintf(to, ",\n  \"gradient\": \"%s\",\n", op->gradient);
}

static void print_policies(FILE *to, const cot_desc *d)
{
    const cot_policy_info *policy;
    const char *comma = "";
    fprintf(to, "  \"policies\": {");
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        if (!(cot_op_get(d->op)->policies >> i & 1))
            continue;
        fprintf(to, "%s\"%s\": \"%s\"", comma, policy->name,
                policy->values[((const uint8_t *)&d->policies)[policy->offset]]);
        comma = ", ";
    }
    fprintf(to, "},\n");
}

static void print_files(FILE *to, const cot_op_info *op, const char *label, int outputs)
{
    const char *comma = "";
    fprintf(to, "  \"%s\": {", label);
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!cot_operand_used(op, (cot_operand)o) || cot_is_output((cot_operand)o) != outputs)
            continue;
        fprintf(to, "%s\"%s\": \"%s.npy\"", comma, cot_operand_name((cot_operand)o), cot_operand_name((cot_operand)o));
        comma = ", ";
    }
    fprintf(to, outputs ? "}\n" : "},\n");
}

static int print_manifest(FILE *to, void *what)
{
    const test_case *c = what;
    char id[CASE_ID_SIZE];
    case_print(c, id);
    fprintf(to, "{\n  \"cotangent\": \"%s\",\n  \"id\": \"%s\",\n", COT_VERSION, id);
    print_problem(to, &c->desc);
    print_policies(to, &c->desc);
    print_files(to, cot_op_get(c->desc.op), "inputs", 0);
    print_files(to, cot_op_get(c->desc.op), "outputs", 1);
    fprintf(to, "}\n");
    return ferror(to);
}

file_error manifest_write(const char *directory, const test_case *c)
{
    char path[MANIFEST_PATH], why[NPY_WHY_SIZE];
    test_case what = *c;
    npy_draft draft = { 0 };
    int which;
    file_error wrong = path_in(directory, MANIFEST_NAME, "", path);
    if (wrong.status)
        return wrong;
    int bad = npy_draft_print(&draft, path, print_manifest, &what, why) || npy_drafts_keep(&draft, 1, &which, why);
    npy_draft_drop(&draft);
    return bad ? file_wrong(FILE_FAILED, "%s: %s", path, why) : file_good();
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The id says everything, and an id holds nothing that JSON escapes: it is all that is read. */
static int find_id(const char *text, char id[CASE_ID_SIZE])
{
    static const char key[] = "\"id\": \"";
    const char *start = strstr(text, key);
    const char *stop = start ? strchr(start + sizeof key - 1, '"') : NULL;
    if (!stop || stop - start >= CASE_ID_SIZE)
        return -1;
    snprintf(id, CASE_ID_SIZE, "%.*s", (int)(stop - start - (int)sizeof key + 1), start + sizeof key - 1);
    return 0;
}

file_error manifest_read(const char *directory, test_case *c)
{
    char path[MANIFEST_PATH], text[8192], id[CASE_ID_SIZE], why[CASE_ID_SIZE];
    file_error wrong = path_in(directory, MANIFEST_NAME, "", path);
    if (wrong.status)
        return wrong;
    FILE *from = fopen(path, "r");
    if (!from)
        return file_wrong(FILE_WRONG, "%s: it cannot be read: %s (cotangent emit writes it)", path, strerror(errno));
    text[fread(text, 1, sizeof text - 1, from)] = 0;
    fclose(from);
    if (find_id(text, id))
        return file_wrong(FILE_WRONG, "%s: it holds no \"id\": \"...\" (cotangent emit writes it)", path);
    return case_parse(id, c, why) ? file_wrong(FILE_WRONG, "%s: %s: %s", path, id, why) : file_good();
}
