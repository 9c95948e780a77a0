/* cotangent judge: gradients in .npy files, of a case that emit wrote or of any inputs, against truth. */
#include "conformance/clause/clauses.h"
#include "conformance/describe/describe.h"
#include "cli.h"
#include "file_call.h"
#include "conformance/file/guess.h"
#include "conformance/judge/judge_views.h"
#include "conformance/file/manifest.h"
#include "conformance/file/npy_header.h"
#include "conformance/case/words.h"
#include "conformance/case/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- what is said ---------------------------------------------------------------------------- */

static void print_number(const char *place, const char *name, cot_element element, double number)
{
    number_text t = strcmp(name, "want") ? describe_number(element, number) : describe_want(element, number);
    printf("  %-12s %-5s %-24s %-24s bits %s\n", place, name, t.full, t.hex, t.bits);
}

static void print_cell(const verdict *v)
{
    char place[128];
    describe_place(v, place, sizeof place);
    print_number(place, "got", v->element, v->got);
    print_number("", "want", v->element, v->want);
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1)
            print_number("", cot_operand_name((cot_operand)o), v->element, v->inputs[o]);
}

static void print_clause(const char *id)
{
    const clause *c = clause_find(id);
    if (c)
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
        if (!cot_operand_used(cot_op_get(desc->op), (cot_operand)o))
            continue;
        looks l = look_at(&views[o]);
        int alike = l.cells > 1 && (l.nan == l.cells ? isnan(v->got) : l.zero == l.cells && v->got == 0);
        if (alike && v->operand == (cot_operand)o && 2 * (int64_t)v->failed >= l.cells) /* else it is right in most */
            printf("  every cell of %s is %s: was it written?\n", cot_operand_name((cot_operand)o),
                   l.nan == l.cells ? "NaN" : "0");
    }
    char sentence[GUESS_SIZE];
    if (v->failed >= ENOUGH_TO_GUESS && guess_mistake(desc, views, sentence))
        printf("  %s\n", sentence);
    if (describe_cure(v))
        printf("  %s\n", describe_cure(v));
    if (v->operand && v->got == -v->want && v->got != 0)
        puts("  got is want with its sign turned");
    if (isnan(v->got) && v->reason == REASON_EDGE && isfinite(v->want))
        puts("  a NaN where the clause gives a number: it came in from elsewhere, or the cell was not written");
}

/* Before anything else: what the verdict says nothing of. */
static void print_unjudged(const char *op, const verdict *v)
{
    if (!v->unjudged_cells)
        return;
    printf("%lld of %lld cells of %s's gradient were NOT judged:\n", (long long)v->unjudged_cells, (long long)v->cells,
           op);
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        if (v->unjudged[i])
            printf("  %lld: %s (%s)\n", (long long)v->unjudged[i], unjudged_at((unjudged_reason)i)->sentence,
                   unjudged_at((unjudged_reason)i)->clause);
    if (verdict_unexplained(v))
        printf("  %lld: no clause says why\n", (long long)verdict_unexplained(v));
}

/* `accepted`: the share of cells that may stay without a ruling. */
static int say_right(const char *op, const verdict *v, double accepted)
{
    int64_t judged = v->cells - v->unjudged_cells;
    print_unjudged(op, v);
    if (judged || !v->cells)
        printf("right: %s%lld cells of %s's gradient", v->unjudged_cells ? "the other " : "", (long long)judged, op);
    if (judged)
        printf(", %lld edges exact, the others within their bounds (worst error/bound %.2g)", (long long)v->edge_cells,
               v->worst);
    if (judged && v->open_cells)
        printf("; %lld where overflow leaves several results open", (long long)v->open_cells);
    if (judged || !v->cells)
        puts("");
    return (double)v->unjudged_cells <= accepted * (double)v->cells ? EXIT_GOOD : EXIT_UNJUDGED;
}

static int say_wrong(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    char rest[WHY_SIZE];
    print_unjudged(cot_op_get(desc->op)->name, v);
    const char *what =
        v->reason == REASON_EDGE ? "an edge that the clause decides" : "further from the exact value than its bound";
    printf("WRONG: %d of %lld cells of %s's gradient; the first, %s:\n", v->failed,
           (long long)(v->cells - v->unjudged_cells), cot_op_get(desc->op)->name, what);
    print_cell(v);
    describe_rest(v, rest);
    if (*rest)
        printf("  %s\n", rest);
    describe_pattern(v, rest);
    if (*rest)
        printf("  %s\n", rest);
    print_clause(v->clause);
    print_hints(desc, views, v);
    return EXIT_FAILED;
}

static double accepted_share; /* as --accept-unjudged says */

static int read_share(const char *text)
{
    char number[32];
    size_t length = strlen(text);
    int percent = length && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - (size_t)percent), text);
    int bad = length >= sizeof number || parse_number(number, &accepted_share);
    accepted_share /= percent ? 100 : 1;
    if (bad || !(accepted_share >= 0 && accepted_share <= 1))
        return cli_fail(EXIT_USAGE, "--accept-unjudged %s: expected a share of the cells, as in 0.05 or 5%%", text);
    return EXIT_GOOD;
}

static int judge_and_say(const cot_desc *desc, const cot_view views[OPERANDS])
{
    verdict v;
    cot_status status = judge_views(desc, views, &v);
    judge_end();
    if (status)
        return cli_fail(EXIT_FAILED, "out of memory");
    return v.failed ? say_wrong(desc, views, &v) : say_right(cot_op_get(desc->op)->name, &v, accepted_share);
}

/* ---- a case in a directory ------------------------------------------------------------------- */

static int check_outputs_there(const cot_desc *desc, const tensors *t)
{
    char shape[NPY_TEXT_SIZE];
    for (int o = COT_DX; o < OPERANDS; o++)
        if (t->path[o] && access(t->path[o], R_OK))
            return cli_fail(EXIT_USAGE, "%s is missing: save %s there (%s%s, shape %s), then judge again", t->path[o],
                            cot_operand_name((cot_operand)o), cot_element_name(desc->element),
                            desc->element == COT_BF16 ? " as uint16" : "",
                            npy_shape_print(desc->rank, desc->shape, shape));
    return EXIT_GOOD;
}

/* A result of other inputs says nothing: those in the files must be the case's own. NaN is NaN. */
static int check_inputs_same(const problem *p, const tensors *t)
{
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *own = &p->tensors[o].view, *read = &t->view[o];
        for (int64_t i = 0, n = read->rank ? cell_count(own) : 0; i < n; i++) {
            double a = cell_value(own, i), b = cell_value(read, i);
            if (!same_number(a, b))
                return cli_fail(EXIT_USAGE,
                                "%s is not what emit wrote: emit the case again, or judge your own inputs with "
                                "cotangent judge %s --%s ...",
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
        status = cli_file(tensors_read(t, ~0u, &desc));
    if (!status)
        status = cli_file(tensors_check(t, &desc));
    if (!status)
        status = check_inputs_same(p, t);
    if (status)
        return status;
    for (int o = COT_DY; o < OPERANDS; o++)
        views[o] = cot_is_output((cot_operand)o) ? t->view[o] : p->tensors[o].view;
    return judge_and_say(&desc, views);
}

static int judge_directory(const char *directory)
{
    char paths[OPERANDS][MANIFEST_PATH];
    tensors t = { 0 };
    test_case c;
    problem p;
    int status = cli_file(manifest_read(directory, &c));
    if (!status)
        status = cli_file(manifest_paths(directory, cot_op_get(c.desc.op), paths, &t));
    if (status)
        return status;
    if (problem_make(&p, &c))
        return cli_fail(EXIT_FAILED, "there is no memory for the case");
    status = judge_problem(&p, &t);
    problem_free(&p);
    tensors_free(&t);
    return status;
}

/* ---- any inputs ------------------------------------------------------------------------------ */

static int check_given(const file_call *c)
{
    for (int o = COT_DX; o < OPERANDS; o++) {
        const char *name = cot_operand_name((cot_operand)o);
        int used = cot_operand_used(c->op, (cot_operand)o);
        if (used && !c->tensors.path[o])
            return cli_fail(EXIT_USAGE, "what is judged is %s: give --%s FILE",
                            cot_has_axis(c->op) ? "dx" : "da and db", name);
        if (!used && c->tensors.path[o])
            return cli_fail(EXIT_USAGE, "%s has no %s: its gradient is %s", c->op->name, name,
                            cot_has_axis(c->op) ? "dx" : "da and db");
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
    const char *share = "0";
    cli_option options[FILE_CALL_OPTIONS + 5] = { { 0 } };
    const cli_option own[] = {
        { "--dx", "FILE", "the gradient to be judged", &c.tensors.path[COT_DX], NULL },
        { "--da", "FILE", "of a binary operation: the first,", &c.tensors.path[COT_DA], NULL },
        { "--db", "FILE", "and the second", &c.tensors.path[COT_DB], NULL },
        { "--accept-unjudged", "SHARE",
          "exit with 0 and not 4 where no more than this share of the cells is not judged", &share, NULL },
    };
    memcpy(options + file_call_options(&c, options), own, sizeof own);
    int status, arguments = cli_parse(argc, argv, &cli_judge, options, 1, &status);
    if (arguments < 0)
        return status;
    if ((status = read_share(share)))
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

const cli_command cli_judge = { "judge", "DIRECTORY|OP",
                                "Judges gradients in .npy files: of a case that emit wrote, or of any inputs", run };
