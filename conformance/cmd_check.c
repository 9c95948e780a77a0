/* cotangent check: runs cases on a backend and judges every cell against truth. */
#include "cli.h"
#include "generate.h"
#include "judge.h"
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
    int64_t cells, edge_cells;
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
    v.failed ? t->failed++ : t->passed++;
    if (t->tap)
        ok(!v.failed, "%s cells=%lld edges=%lld guard=%lld err/bound=%.2g", id, (long long)v.cells, (long long)v.edge_cells,
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
}

static void judge_shape(tally *t, cot_op op, cot_element element, const shape *s)
{
    cot_family family = cot_op_get(op)->family;
    int axes = family == COT_BINARY || family == COT_BINARY_PARAM ? 1 : s->rank;
    for (int axis = 0; axis < axes; axis++)
        for (int layout = 0; layout_name((case_layout)layout); layout++)
            for (int g = 0; generator_at(g); g++) {
                test_case c = { { COT_SIZED(cot_desc), .op = op, .element = element, .rank = s->rank, .axis = axis,
                                  .param = op == COT_LERP ? 0.3 : 0 },
                                (case_layout)layout, g, 1, COT_NO_OPERAND };
                memcpy(c.desc.shape, s->extent, sizeof c.desc.shape);
                judge_variants(t, c);
            }
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
    if (t->passed + t->failed == 0) {
        fputs("cotangent: no case was run: nothing matches, or the backend does none of it\n", stderr);
        return EXIT_USAGE;
    }
    printf("%d cases passed, %d failed; %lld cells compared, %lld of them edges\n", t->passed, t->failed, (long long)t->cells,
           (long long)t->edge_cells);
    if (t->not_done)
        printf("%d cases are of ops that the backend does not do\n", t->not_done);
    return t->failed ? EXIT_FAILED : EXIT_GOOD;
}

static int run_single(tally *t, const char *id)
{
    test_case c;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why)) {
        fprintf(stderr, "cotangent: %s: %s\n", id, why);
        return EXIT_USAGE;
    }
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
    if (t.dtype && !cot_element_find(t.dtype)) {
        fprintf(stderr, "cotangent: there is no element type \"%s\": f16, bf16, f32 or f64\n", t.dtype);
        return EXIT_USAGE;
    }
    cot_error error;
    if (cot_backend_open(name, NULL, &t.backend, &error)) {
        fprintf(stderr, "cotangent: %s\n", error.message);
        return EXIT_UNUSABLE;
    }
    if (t.tap)
        plan(NO_PLAN);
    if (id) {
        status = run_single(&t, id);
    } else {
        judge_all(&t);
        status = summarise(&t);
    }
    cot_backend_close(t.backend);
    return status;
}

const cli_command cli_check = { "check", "", "Runs cases on a backend and judges every cell against truth", run };
