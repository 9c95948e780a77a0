/* cotangent accuracy: how far a backend's results are from truth, per op and element type, as a Markdown table. */
#include "cli.h"
#include "conformance/case/generate.h"
#include "conformance/judge/judge.h"

#include <stdio.h>
#include <string.h>

typedef struct measure {
    int64_t cells, edge_cells, open_cells;
    double ulps, bound;
    int cases, failed;
} measure;

static double larger(double a, double b) { return a > b ? a : b; }

static void take(measure *m, const verdict *v)
{
    m->cases++;
    m->failed += v->failed != 0;
    m->cells += v->cells;
    m->edge_cells += v->edge_cells;
    m->open_cells += v->open_cells;
    m->ulps = larger(m->ulps, v->worst_ulps);
    m->bound = larger(m->bound, v->worst);
}

/* Lines of ordinary numbers, shorter and longer than a segment and than a tile. */
static measure measure_op(cot_backend *backend, cot_op op, cot_element element)
{
    static const int32_t lengths[] = { 2, 33, 1100, 2100 };
    static const char *const generators[] = { "uniform", "normal",    "wide", "integers",
                                              "cancel",  "subnormal", "inf",  "zeros" };
    measure m = { 0 };
    verdict v;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t g = 0; g < sizeof generators / sizeof *generators; g++)
            for (uint64_t seed = 1; seed <= 4; seed++) {
                test_case c = { .desc = { COT_SIZED(cot_desc), .op = op, .element = element, .rank = 1,
                                          .shape = { lengths[l] }, .correction = 1, .param = op == COT_LERP ? 0.3 : 0 },
                                .generator = generator_find(generators[g]),
                                .seed = seed };
                if (judge_case(&(court){ .backend = backend, .level = LEVEL_X }, &c, &v) != COT_UNSUPPORTED)
                    take(&m, &v);
            }
    return m;
}

static void print_row(const cot_op_info *op, cot_element element, const measure *m)
{
    printf("| `%s` | %s | %lld | %lld | %lld | %.3g | %.3g |%s\n", op->name, cot_element_name(element),
           (long long)m->cells, (long long)m->edge_cells, (long long)m->open_cells, m->ulps, m->bound,
           m->failed ? " **wrong**" : "");
}

static const char heading[] =
    "# Measured accuracy\n\n"
    "Made by `make accuracy`: the errors of backend `%s` against the exact values of the spec's formulas, at lines of\n"
    "2 to 2,100 cells of eight generators. *Edges* are cells that are NaN, infinite or zero for certain, and were\n"
    "compared exactly; *open* those where an intermediate overflows or a divisor underflows, and the exact value, the\n"
    "literal one or neither may come out. *ULPs* is the largest error in units in the last place of the exact result:\n"
    "large where terms cancel, as a sum of rounded numbers must be. *err/bound* is the largest error over its own\n"
    "bound for the spec's order (clause BOUND). `cotangent check` prints other figures for the same op: its cases\n"
    "have other shapes, seeds and generators (NaN, ties and constants too), and every policy and direction;\n"
    "these have the spec's own.\n\n"
    "| op | type | cells | edges | open | ULPs | err/bound |\n|---|---|---|---|---|---|---|\n";

static int print_table(cot_backend *backend, const char *name)
{
    const cot_op_info *op;
    int failed = 0;
    printf(heading, name);
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++) {
            measure m = measure_op(backend, op->op, (cot_element)e);
            failed |= m.failed;
            if (m.cases)
                print_row(op, (cot_element)e, &m);
            else
                printf("| `%s` | %s | not done | | | | |\n", op->name, cot_element_name((cot_element)e));
        }
    return failed ? EXIT_FAILED : EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    const char *name = "ref";
    int status;
    const cli_option options[] = {
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &name, NULL },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_accuracy, options, 0, &status) < 0)
        return status;
    cot_backend *backend;
    cot_error error;
    if (judge_unusable() || cot_backend_open(name, NULL, &backend, &error)) {
        fprintf(stderr, "cotangent: %s\n", judge_unusable() ? judge_unusable() : error.message);
        return EXIT_UNUSABLE;
    }
    status = print_table(backend, name);
    cot_backend_close(backend);
    judge_end();
    return status;
}

const cli_command cli_accuracy = { "accuracy", "", "Measures a backend's errors against truth, as a table", run };
