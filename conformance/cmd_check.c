/* cotangent check: runs cases on a backend and judges every cell against truth. */
#include "cli.h"
#include "generate.h"
#include "judge.h"
#include "operand.h"
#include "tap.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

typedef struct shape {
    int rank;
    int32_t extent[COT_MAX_RANK];
} shape;

static const shape shapes[] = {
    { 1, { 1 } }, { 1, { 33 } }, { 1, { 1025 } }, { 1, { 2100 } }, { 2, { 5, 37 } }, { 2, { 37, 5 } },
    { 3, { 3, 32, 2 } }, { 2, { 0, 3 } }, { 2, { 3, 0 } }, { 5, { 2, 1, 3, 2, 2 } },
};

typedef struct tally {
    cot_backend *backend;
    const char *op_glob, *dtype;
    int tap, passed, failed, not_done;
    int64_t cells, edge_cells, bit_cells, unjudged_cells;
    double worst;
} tally;

static int judge_one(tally *t, const test_case *c)
{
    char id[CASE_ID_SIZE];
    verdict v;
    case_print(c, id);
    cot_status status = judge_case(t->backend, c, &v);
    if (status == COT_UNSUPPORTED)
        return t->not_done++;
    t->cells += v.cells;
    t->edge_cells += v.edge_cells;
    t->bit_cells += v.bit_cells;
    t->unjudged_cells += v.unjudged_cells;
    t->worst = v.worst > t->worst ? v.worst : t->worst;
    v.failed ? t->failed++ : t->passed++;
    if (t->tap)
        ok(!v.failed, "%s cells=%lld edges=%lld nan=%lld bits=%lld unjudged=%lld guard=%lld err/bound=%.2g", id, (long long)v.cells,
           (long long)v.edge_cells, (long long)v.nan_cells, (long long)v.bit_cells, (long long)v.unjudged_cells,
           (long long)v.guard_bytes, v.worst);
    if (v.failed)
        printf("%s%s\n%s  %s\n%s  repeat: cotangent check --case %s\n", t->tap ? "# " : "FAILED ", id, t->tap ? "# " : "", v.why,
               t->tap ? "# " : "", id);
    return 0;
}

/* The variants of a case that its op has a use for. */
static void judge_variants(tally *t, test_case c)
{
    judge_one(t, &c);
    if (cot_op_get(c.desc.op)->family == COT_SCAN) {
        c.desc.reverse = 1;
        judge_one(t, &c);
    }
    if (c.desc.op == COT_VAR || c.desc.op == COT_STD) {
        const int32_t n = c.desc.shape[c.desc.axis], corrections[] = { 1, n + 1, -2 }; /* past n: VAR-CLAMP */
        for (int i = 0; i < 3; i++) {
            c.desc.correction = corrections[i];
            judge_one(t, &c);
        }
    }
}

/* A long line alone is contiguous or strided; other layouts of it would say the same again. */
static int worth_it(const shape *s, case_layout layout)
{
    return s->extent[0] < 1000 || layout == LAYOUT_CONTIG || layout == LAYOUT_SLICED;
}

static void judge_layout(tally *t, cot_op op, cot_element element, const shape *s, int axis, case_layout layout)
{
    for (int g = 0; generator_at(g); g++) {
        test_case c = { { COT_SIZED(cot_desc), .op = op, .element = element, .rank = s->rank, .axis = axis,
                          .param = op == COT_LERP ? 0.3 : 0 },
                        layout, g, 1, COT_NO_OPERAND };
        memcpy(c.desc.shape, s->extent, sizeof c.desc.shape);
        judge_variants(t, c);
    }
}

static void judge_shape(tally *t, cot_op op, cot_element element, const shape *s)
{
    int axes = has_axis(cot_op_get(op)) ? s->rank : 1;
    for (int axis = 0; axis < axes; axis++)
        for (int layout = 0; layout_name((case_layout)layout); layout++)
            if (worth_it(s, (case_layout)layout))
                judge_layout(t, op, element, s, axis, (case_layout)layout);
}

static void judge_all(tally *t)
{
    const cot_op_info *op;
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        if (t->op_glob && fnmatch(t->op_glob, op->name, 0))
            continue;
        for (int e = COT_F16; e <= COT_F64; e++)
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
                if (!t->dtype || !strcmp(t->dtype, cot_element_name((cot_element)e)))
                    judge_shape(t, op->op, (cot_element)e, &shapes[s]);
    }
}

static int summarise(const tally *t)
{
    if (t->tap)
        return done_testing() ? EXIT_FAILED : EXIT_GOOD;
    if (t->passed + t->failed == 0)
        return cli_fail(EXIT_USAGE, "no case was run: nothing matches, or the backend does none of it");
    printf("%d cases passed, %d failed; %lld cells compared: %lld edges, %lld bit for bit, %lld not judged; worst err/bound %.2g\n", t->passed,
           t->failed, (long long)t->cells, (long long)t->edge_cells, (long long)t->bit_cells, (long long)t->unjudged_cells, t->worst);
    if (t->not_done)
        printf("%d cases are of ops that the backend does not do\n", t->not_done);
    return t->failed ? EXIT_FAILED : EXIT_GOOD;
}

static int run_single(tally *t, const char *id)
{
    test_case c;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why))
        return cli_fail(EXIT_USAGE, "%s: %s", id, why);
    judge_one(t, &c);
    return summarise(t);
}

static int run(int argc, char **argv)
{
    const char *name = "ref", *id = NULL;
    tally t = { 0 };
    int status;
    const cli_option options[] = {
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &name, NULL },
        { "--op", "GLOB", "only ops that match", &t.op_glob, NULL },
        { "--dtype", "TYPE", "only f16, bf16, f32 or f64", &t.dtype, NULL },
        { "--case", "ID", "only this case", &id, NULL },
        { "--tap", NULL, "TAP, a line per case", NULL, &t.tap },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_check, options, 0, &status) < 0)
        return status;
    cot_element element;
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    if ((t.dtype && (status = cli_element(t.dtype, &element))) || (status = cli_backend(name, &t.backend)))
        return status;
    if (t.tap)
        plan(NO_PLAN);
    if (id) {
        status = run_single(&t, id);
    } else {
        judge_all(&t);
        status = summarise(&t);
    }
    cot_backend_close(t.backend);
    judge_end();
    return status;
}

const cli_command cli_check = { "check", "", "Runs cases on a backend and judges every cell against truth", run };
