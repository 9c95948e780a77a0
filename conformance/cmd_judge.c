/* cotangent judge: gradients in .npy files, of a case that emit wrote or of any inputs, against truth. */
#include "clauses.h"
#include "cli.h"
#include "file_call.h"
#include "guess.h"
#include "judge_files.h"
#include "manifest.h"
#include "npy_header.h"
#include "problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- what is said ------------------------------------------------------------------------------------------------- */

static void print_number(const char *place, const char *name, cot_element element, double number)
{
    union { uint64_t u8; uint32_t u4; uint16_t u2; unsigned char bytes[8]; } cell = { 0 };
    size_t size = cot_element_size(element);
    cot_cell_set(element, cell.bytes, number);
    number = isnan(number) ? fabs(number) : number; /* its sign says nothing: only the bits show it */
    printf("  %-12s %-5s %-24.17g %-24a bits %0*" PRIx64 "\n", place, name, number, number, 2 * (int)size,
           size == 8 ? cell.u8 : size == 4 ? cell.u4 : cell.u2);
}

static void print_cell(const cot_desc *desc, const verdict *v)
{
    char place[128];
    int used = snprintf(place, sizeof place, "%s[", cot_operand_name(v->operand));
    for (int d = 0; d < desc->rank; d++)
        used += snprintf(place + used, sizeof place - (size_t)used, d ? ",%d" : "%d", v->index[d]);
    snprintf(place + used, sizeof place - (size_t)used, "]");
    print_number(place, "got", desc->element, v->got);
    print_number("", "want", desc->element, v->want);
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1)
            print_number("", cot_operand_name((cot_operand)o), desc->element, v->inputs[o]);
}

static void print_clause(const char *id)
{
    const clause *c;
    for (int i = 0; (c = clause_at(i)); i++)
        if (!strcmp(c->id, id))
            printf("  %s: %s\n", c->id, c->text);
}

/* What an output that was not written looks like. */
typedef struct looks {
    int64_t cells, nan, zero;
} looks;

static looks look_at(const cot_view *view)
{
    looks l = { .cells = cell_count(view) };
    for (int64_t i = 0; i < l.cells; i++) {
        double value = cell_value(view, i);
        l.nan += isnan(value);
        l.zero += value == 0;
    }
    return l;
}

static void print_hints(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!operand_used(cot_op_get(desc->op), (cot_operand)o))
            continue;
        looks l = look_at(&views[o]);
        if (l.cells > 1 && (l.nan == l.cells || l.zero == l.cells))
            printf("  every cell of %s is %s: was it written?\n", cot_operand_name((cot_operand)o), l.nan == l.cells ? "NaN" : "0");
    }
    char sentence[GUESS_SIZE];
    if (guess_mistake(desc, views, sentence))
        printf("  %s\n", sentence);
    if (v->operand && v->got == -v->want && v->got != 0)
        puts("  got is want with its sign turned");
    if (isnan(v->got) && v->failed_at == LEVEL_E && isfinite(v->want))
        puts("  a NaN where the clause gives a number: it came in from elsewhere, or the cell was not written");
}

static int say_right(const char *op, const verdict *v)
{
    printf("right: %lld cells of %s's gradient", (long long)v->cells, op);
    if (v->cells)
        printf(", %lld edges exact, the others within their bounds (worst error/bound %.2g)", (long long)v->edge_cells, v->worst);
    if (v->unjudged_cells)
        printf(", %lld not judged: an intermediate leaves the normal range", (long long)v->unjudged_cells);
    puts("");
    return EXIT_GOOD;
}

static int say_wrong(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    const char *what = v->failed_at == LEVEL_E ? "an edge that the clause decides" : "further from the exact value than its bound";
    printf("WRONG: %d of %lld cells of %s's gradient; the first, %s:\n", v->failed, (long long)v->cells, cot_op_get(desc->op)->name, what);
    print_cell(desc, v);
    if (v->failed_at == LEVEL_B)
        printf("  %s\n", strstr(v->why, "error/bound") ? strstr(v->why, "error/bound") : v->why);
    print_clause(v->clause);
    print_hints(desc, views, v);
    return EXIT_FAILED;
}

static int judge_and_say(const cot_desc *desc, const cot_view views[OPERANDS])
{
    verdict v;
    cot_status status = judge_views(desc, views, &v);
    judge_end();
    if (status)
        return cli_fail(EXIT_FAILED, "out of memory");
    return v.failed ? say_wrong(desc, views, &v) : say_right(cot_op_get(desc->op)->name, &v);
}

/* ---- a case in a directory ------------------------------------------------------------------------------------------ */

static int check_outputs_there(const cot_desc *desc, const tensors *t)
{
    char shape[NPY_TEXT_SIZE];
    for (int o = COT_DX; o < OPERANDS; o++)
        if (t->path[o] && access(t->path[o], R_OK))
            return cli_fail(EXIT_USAGE, "%s is missing: save %s there (%s%s, shape %s), then judge again", t->path[o],
                            cot_operand_name((cot_operand)o), cot_element_name(desc->element),
                            desc->element == COT_BF16 ? " as uint16" : "", npy_shape_print(desc->rank, desc->shape, shape));
    return EXIT_GOOD;
}

/* A result of other inputs says nothing: those in the files must be the case's own. NaN is NaN. */
static int check_inputs_same(const problem *p, const tensors *t)
{
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *own = &p->tensors[o].view, *read = &t->view[o];
        for (int64_t i = 0, n = read->rank ? cell_count(own) : 0; i < n; i++) {
            double a = cell_value(own, i), b = cell_value(read, i);
            if (isnan(a) ? !isnan(b) : a != b || signbit(a) != signbit(b))
                return cli_fail(EXIT_USAGE, "%s is not what emit wrote: emit the case again, or judge your own inputs with cotangent judge %s --%s ...",
                                t->path[o], cot_op_get(p->c.desc.op)->name, cot_operand_name((cot_operand)o));
        }
    }
    return EXIT_GOOD;
}

static int judge_problem(const problem *p, tensors *t)
{
    cot_view views[OPERANDS] = { { 0 } };
    cot_desc desc = p->c.desc;
    int status = check_outputs_there(&desc, t);
    for (int o = COT_DY; o < COT_DX; o++)
        if (t->path[o] && access(t->path[o], R_OK))
            t->path[o] = NULL; /* inputs may be gone: the id says what they were */
    if (!status)
        status = tensors_read(t, ~0u, &desc);
    if (!status)
        status = tensors_check(t, &desc);
    if (!status)
        status = check_inputs_same(p, t);
    if (status)
        return status;
    for (int o = COT_DY; o < OPERANDS; o++)
        views[o] = is_output((cot_operand)o) ? t->view[o] : p->tensors[o].view;
    return judge_and_say(&desc, views);
}

static int judge_directory(const char *directory)
{
    char paths[OPERANDS][MANIFEST_PATH];
    tensors t = { 0 };
    test_case c;
    problem p;
    int status = manifest_read(directory, &c);
    if (!status)
        status = manifest_paths(directory, cot_op_get(c.desc.op), paths, &t);
    if (status)
        return status;
    if (problem_make(&p, &c))
        return cli_fail(EXIT_FAILED, "there is no memory for the case");
    status = judge_problem(&p, &t);
    problem_free(&p);
    tensors_free(&t);
    return status;
}

/* ---- any inputs ----------------------------------------------------------------------------------------------------- */

static int check_given(const file_call *c)
{
    for (int o = COT_DX; o < OPERANDS; o++) {
        const char *name = cot_operand_name((cot_operand)o);
        int used = operand_used(c->op, (cot_operand)o);
        if (used && !c->tensors.path[o])
            return cli_fail(EXIT_USAGE, "what is judged is %s: give --%s FILE", has_axis(c->op) ? "dx" : "da and db", name);
        if (!used && c->tensors.path[o])
            return cli_fail(EXIT_USAGE, "%s has no %s: its gradient is %s", c->op->name, name, has_axis(c->op) ? "dx" : "da and db");
    }
    return EXIT_GOOD;
}

static int judge_call(file_call *c)
{
    int status = check_given(c);
    if (!status)
        status = file_call_operands(c, CALL_OUTPUTS);
    return status ? status : judge_and_say(&c->desc, c->tensors.view);
}

/* A directory may be called as an op is: with files, it is the op. */
static int names_files(const tensors *t)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (t->path[o])
            return 1;
    return 0;
}

static int run(int argc, char **argv)
{
    file_call c = { 0 };
    cli_option options[FILE_CALL_OPTIONS + 4] = { { 0 } };
    const cli_option own[] = {
        { "--dx", "FILE", "the gradient to be judged", &c.tensors.path[COT_DX], NULL },
        { "--da", "FILE", "of a binary operation: the first,", &c.tensors.path[COT_DA], NULL },
        { "--db", "FILE", "and the second", &c.tensors.path[COT_DB], NULL },
    };
    memcpy(options + file_call_options(&c, options), own, sizeof own);
    int status, arguments = cli_parse(argc, argv, &cli_judge, options, 1, &status);
    if (arguments < 0)
        return status;
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    if (arguments && !names_files(&c.tensors) && (manifest_exists(argv[0]) || strchr(argv[0], '/')))
        return judge_directory(argv[0]);
    status = cli_op(arguments, argv, &cli_judge, &c.op);
    if (!status)
        status = judge_call(&c);
    tensors_free(&c.tensors);
    return status;
}

const cli_command cli_judge = { "judge", "DIRECTORY|OP", "Judges gradients in .npy files: of a case that emit wrote, or of any inputs", run };
