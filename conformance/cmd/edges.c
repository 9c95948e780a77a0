/* What each op gives at its edges, as the reference computes it. */
#include "edges.h"
#include "cli.h"
#include "conformance/case/device_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 5 };

static const struct {
    const char *name;
    int n;
    double x[MOST];
} lines[] = {
    { "tie", 5, { 1, 3, 2, 3, 1 } },
    { "all equal", 3, { 2, 2, 2 } },
    { "a NaN", 4, { 1, 3, (double)NAN, 2 } },
    { "NaN first", 3, { (double)NAN, 1, 3 } },
    { "an infinity", 3, { 1, (double)INFINITY, 2 } },
    { "a zero", 4, { 2, 0, 3, 4 } },
    { "two zeros", 4, { 2, 0, 3, 0 } },
    { "all zero", 2, { 0, -0.0 } },
    { "one cell", 1, { 2 } },
};

// clang-format off
static const double pairs[][2] = {
    { 2, 3 }, { 2, 2 }, { 0, -0.0 }, { 0, 0 }, { 0, 2 }, { 2, 0 }, { -2, 3 }, { -2, 0.5 },
    { (double)NAN, 1 }, { 1, (double)NAN }, { (double)INFINITY, 1 }, { 1, (double)INFINITY }, { 1e200, 1e200 },
};
// clang-format on

/* One call at f64: operands by their place in cot_operand, n cells a line. */
typedef struct edge_call {
    cot_desc desc;
    double cells[OPERANDS][MOST];
    cot_view views[OPERANDS];
    cot_args args;
} edge_call;

static void prepare(edge_call *c, const cot_op_info *op, const cot_policies *policies, int n)
{
    memset(c, 0, sizeof *c);
    c->desc = (cot_desc){ COT_SIZED(cot_desc), .op = op->op,    .element = COT_F64, .rank = 1,
                          .shape = { n },      .correction = 1, .param = 0.25 };
    c->desc.policies = *policies;
    for (int o = COT_DY; o <= COT_DB; o++) {
        int32_t shape[COT_MAX_RANK];
        cot_operand_shape(&c->desc, (cot_operand)o, shape);
        c->views[o] = cot_contiguous(COT_F64, 1, shape, c->cells[o]);
        c->cells[COT_DY][o % MOST] = 3;
    }
    point_args(&c->args, c->views);
}

static cot_status run(edge_call *c, cot_error *error)
{
    cot_backend *backend = NULL;
    cot_status status = cot_backend_open("ref", NULL, &backend, error);
    if (!status)
        status = device_execute(backend, &c->desc, c->views, error);
    cot_backend_close(backend);
    return status;
}

static void print_cells(const char *name, const double *cells, int n)
{
    printf("  %s =", name);
    for (int i = 0; i < n; i++)
        isnan(cells[i]) ? printf(" nan") : printf(" %.4g", cells[i]);
}

static cot_status print_line(const cot_op_info *op, const cot_policies *policies, size_t which, cot_error *error)
{
    edge_call c;
    int n = lines[which].n;
    prepare(&c, op, policies, n);
    memcpy(c.cells[COT_X], lines[which].x, sizeof lines[which].x);
    cot_status status = cot_forward(&c.desc, &c.args, error);
    if (!status)
        status = run(&c, error);
    if (status)
        return status;
    printf("  %-12s", lines[which].name);
    print_cells("x", c.cells[COT_X], n);
    if (op->family == COT_REDUCE)
        print_cells("y", c.cells[COT_Y], 1);
    print_cells("dx", c.cells[COT_DX], n);
    puts("");
    return COT_OK;
}

static cot_status print_pair(const cot_op_info *op, const cot_policies *policies, size_t which, cot_error *error)
{
    edge_call c;
    prepare(&c, op, policies, 1);
    c.cells[COT_A][0] = pairs[which][0];
    c.cells[COT_B][0] = pairs[which][1];
    cot_status status = run(&c, error);
    if (status)
        return status;
    print_cells("a", c.cells[COT_A], 1);
    print_cells("b", c.cells[COT_B], 1);
    print_cells("da", c.cells[COT_DA], 1);
    print_cells("db", c.cells[COT_DB], 1);
    puts("");
    return COT_OK;
}

static const char *what_is_fixed(const cot_op_info *op)
{
    if (op->traits & COT_OP_CORRECTS)
        return ", correction = 1";
    return cot_op_takes(op, COT_TAKES_PARAM) ? ", w = 0.25" : "";
}

int print_edges(const cot_op_info *op, const cot_policies *policies)
{
    cot_error error = { .message = "" };
    cot_status status = COT_OK;
    printf("\nEdges, as the reference has them at f64 with every dy = 3%s\n", what_is_fixed(op));
    if (cot_has_axis(op))
        for (size_t i = 0; i < sizeof lines / sizeof *lines && !status; i++)
            status = print_line(op, policies, i, &error);
    else
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs && !status; i++)
            status = print_pair(op, policies, i, &error);
    return status ? cli_fail(EXIT_FAILED, "its edges cannot be computed: %s", error.message) : EXIT_GOOD;
}
