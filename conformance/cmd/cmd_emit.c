/* cotangent emit: the inputs of a case, or of an op's battery, as files, for a kernel that cannot be linked or spoken
 * to.
 */
#include "cli.h"
#include "selection.h"
#include "conformance/file/manifest.h"
#include "conformance/file/npy_header.h"
#include "conformance/case/battery.h"
#include "conformance/case/generate.h"
#include "conformance/case/problem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files have no layout: whatever the case's is, its cells are written in C order. */
static int gather(const problem *p, tensors *t)
{
    size_t size = cot_element_size(p->c.desc.element);
    int status = EXIT_GOOD;
    for (int o = COT_DY; o < COT_DX && !status; o++) {
        const cot_view *from = &p->tensors[o].view;
        if (!p->tensors[o].memory)
            continue;
        status = cli_file(tensors_make(t, (cot_operand)o, &p->c.desc));
        for (int64_t i = 0, n = status ? 0 : cell_count(from); i < n; i++)
            memcpy((char *)t->view[o].data + (size_t)i * size,
                   (char *)from->data + (size_t)cot_cell_offset(from, i) * size, size);
    }
    return status;
}

/* The results of another case must not be taken for this one's. */
static int check_directory(const char *directory, const test_case *c, const tensors *t)
{
    char here[CASE_ID_SIZE], there[CASE_ID_SIZE] = "";
    test_case old;
    if (mkdir(directory, 0777) && errno != EEXIST)
        return cli_fail(EXIT_FAILED, "%s: the directory cannot be made: %s", directory, strerror(errno));
    case_print(c, here);
    if (manifest_exists(directory) && !cli_file(manifest_read(directory, &old)))
        case_print(&old, there);
    for (int o = COT_DX; o < OPERANDS && strcmp(here, there); o++)
        if (t->path[o] && !access(t->path[o], F_OK))
            return cli_fail(
                EXIT_USAGE,
                "%s is there already, and is no result of this case: remove it, or choose another directory",
                t->path[o]);
    return EXIT_GOOD;
}

static void say_what_next(const char *directory, const test_case *c, const tensors *t)
{
    int32_t shape[COT_MAX_RANK];
    char text[NPY_TEXT_SIZE];
    printf("%s: %s\n", cot_op_get(c->desc.op)->name, cot_op_get(c->desc.op)->gradient);
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!t->path[o])
            continue;
        cot_operand_shape(&c->desc, (cot_operand)o, shape);
        printf("  %-8s %s  %s%s %s\n", cot_is_output((cot_operand)o) ? "expected" : "written", t->path[o],
               cot_element_name(c->desc.element), c->desc.element == COT_BF16 ? " as uint16" : "",
               npy_shape_print(c->desc.rank, shape, text));
    }
    printf("then: cotangent judge %s\n", directory);
}

/* Without a word. */
static int emit(const char *directory, const test_case *c, char paths[OPERANDS][MANIFEST_PATH], tensors *t)
{
    problem p;
    int status = cli_file(manifest_paths(directory, cot_op_get(c->desc.op), paths, t));
    if (!status)
        status = check_directory(directory, c, t);
    if (!status && problem_make(&p, c))
        return cli_fail(EXIT_FAILED, "there is no memory for the case");
    if (status)
        return status;
    status = gather(&p, t);
    if (!status)
        status = cli_file(tensors_write(t, ~(unsigned)(1u << COT_DX | 1u << COT_DA | 1u << COT_DB)));
    if (!status)
        status = cli_file(manifest_write(directory, c));
    problem_free(&p);
    return status;
}

/* ---- one case -------------------------------------------------------------------------------- */

static int emit_case(const char *id, const char *directory)
{
    char paths[OPERANDS][MANIFEST_PATH], why[CASE_ID_SIZE];
    tensors t = { 0 };
    test_case c;
    if (case_parse(id, &c, why))
        return cli_fail(EXIT_USAGE, "%s: %s", id, why);
    if (c.bad[0].row)
        return cli_fail(EXIT_USAGE, "%s: it is a call that must be refused, and has no results: files cannot show that",
                        id);
    int status = emit(directory, &c, paths, &t);
    if (!status)
        say_what_next(directory, &c, &t);
    tensors_free(&t);
    return status;
}

/* ---- batteries ------------------------------------------------------------------------------- */

/* "cases/softmax-f16-03-ties-5x37". */
static int name_directory(const char *within, const test_case *c, int number, char path[MANIFEST_PATH])
{
    int used = snprintf(path, MANIFEST_PATH, "%s/%s-%s-%02d-%s-", within, cot_op_get(c->desc.op)->name,
                        cot_element_name(c->desc.element), number, generator_at(c->generator)->name);
    for (int d = 0; d < c->desc.rank && used < MANIFEST_PATH; d++)
        used += snprintf(path + used, MANIFEST_PATH - (size_t)used, d ? "x%d" : "%d", c->desc.shape[d]);
    return used < MANIFEST_PATH
               ? 0
               : cli_fail(EXIT_USAGE, "the directory's name is longer than %d characters", MANIFEST_PATH - 128);
}

static int emit_row(const selection *s, const char *within, const battery_case *row, cot_element element, int number)
{
    char path[MANIFEST_PATH], id[CASE_ID_SIZE], paths[OPERANDS][MANIFEST_PATH];
    tensors t = { 0 };
    test_case c;
    if (battery_make(row, element, &c))
        return cli_fail(EXIT_FAILED, "%s/%s: it is no case", row->op, row->rest);
    c.desc.policies = s->under;
    c.seed += s->range.seed;
    int status = name_directory(within, &c, number, path);
    status = status ? status : emit(path, &c, paths, &t);
    tensors_free(&t);
    case_print(&c, id);
    return status ? status : (printf("%s  %s\n", path, id), EXIT_GOOD);
}

/* What the battery was chosen by, and how much of that it does. Other policies and numbers are other cases. */
static void say_share(const selection *s, const battery *b, cot_element element, int cases)
{
    static const cot_policies spec;
    printf("%d cases of %s in %s", cases, b->op, cot_element_name(element));
    if (memcmp(&s->under, &spec, sizeof spec) != 0 || s->range.seed) {
        printf(", chosen for the spec's policies and the seeds as they are\n");
        return;
    }
    printf(": they catch %d of the %d mutants of %s, wrong on purpose, that results in files can show (%.0f %%);\n",
           b->caught[element], b->shown[element], b->op,
           b->shown[element] ? 100.0 * b->caught[element] / b->shown[element] : 100.0);
    printf("  of all %d, the others lie in bits, memory, refused calls, layouts, policies, other types\n", b->mutants);
}

static int emit_battery(const selection *s, const char *within, const cot_op_info *op, cot_element element)
{
    const battery *b = battery_of(op->name);
    const battery_case *row;
    int cases = 0, status = 0;
    if (!b)
        return cli_fail(EXIT_FAILED, "%s has no battery: make battery chooses it", op->name);
    for (; !status && (row = battery_at(op->name, cases)); cases++)
        status = emit_row(s, within, row, element, cases + 1);
    if (!status)
        say_share(s, b, element, cases);
    return status;
}

static int emit_batteries(selection *s, const char *within)
{
    const cot_op_info *op;
    int status = selection_read(s);
    if (status)
        return status;
    if (mkdir(within, 0777) && errno != EEXIST)
        return cli_fail(EXIT_FAILED, "%s: the directory cannot be made: %s", within, strerror(errno));
    if (!s->range.elements)
        s->range.elements = 1u << COT_F32;
    for (size_t i = 0; !status && (op = cot_op_at(i)); i++)
        for (cot_element e = COT_F16; e <= COT_F64 && !status && range_has_op(&s->range, op); e++)
            status = range_has_element(&s->range, e) ? emit_battery(s, within, op, e) : 0;
    if (!status)
        printf("then: save each result beside its inputs (case.json names the files), and cotangent judge %s\n",
               within);
    return status;
}

static int run(int argc, char **argv)
{
    const char *id = NULL, *directory = NULL;
    selection s = { 0 };
    int status;
    const cli_option options[] = {
        { "--case", "ID", "the case, as in softmax/f32/5x37/1/contig/uniform/1", &id, NULL },
        { "--op", "GLOB,...", "instead: the op's battery, the thirty or so cases that tell right from wrong",
          &s.range.op_glob, NULL },
        { "--dtype", "TYPE,...", "with --op: f16, bf16, f32 (default) or f64", &s.dtypes, NULL },
        { "--convention", "NAME", "with --op: under spec (default), torch, jax or accurate", &s.convention, NULL },
        { "--policy", "NAME=VALUE,...", "with --op: or under single policies", &s.policy, NULL },
        { "--seed", "S", "with --op: other numbers, as check has it", &s.seed, NULL },
        { "--dir", "DIRECTORY",
          "where the files go, a directory for each case of --op; it is made where it is not there", &directory, NULL },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_emit, options, 0, &status) < 0)
        return status;
    if (id && (s.range.op_glob || s.dtypes || s.convention || s.policy || s.seed))
        return cli_fail(EXIT_USAGE, "--case names a case by itself: leave out --op, --dtype, --convention, ...");
    if (!(id || s.range.op_glob) || !directory)
        return cli_fail(EXIT_USAGE, "emit needs %s",
                        directory ? "--case ID, as in softmax/f32/5x37/1/contig/uniform/1, or --op OP"
                                  : "--dir DIRECTORY");
    return id ? emit_case(id, directory) : emit_batteries(&s, directory);
}

const cli_command cli_emit = { "emit", "",
                               "Writes the inputs of a case, or of an op's battery, as .npy files, for judge", run };
