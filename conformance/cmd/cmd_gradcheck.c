/* cotangent gradcheck: gradients of a backend against finite differences of the forward operations. */
#include "cli.h"
#include "gradcheck.h"
#include "conformance/case/words.h"
#include "request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 20 };

typedef struct options {
    request request;
    const char *backend_name, *seed_text, *eps_text;
    cot_backend *backend;
    uint64_t seed;
    double eps;
} options;

/* What a check came to. */
typedef struct outcome {
    int64_t failed, blunt;
    const gradcheck_cell *worst;
} outcome;

static outcome judge(const gradcheck *g)
{
    outcome o = { 0, 0, g->cells };
    for (int64_t i = 0; i < g->count; i++) {
        const gradcheck_cell *cell = &g->cells[i];
        o.failed += !(gradcheck_ratio(cell) <= 1);
        o.blunt += gradcheck_blunt(cell);
        if (gradcheck_ratio(cell) > gradcheck_ratio(o.worst))
            o.worst = cell;
    }
    return o;
}

/* ---- printing -------------------------------------------------------------------------------- */

static int worse_first(const void *a, const void *b)
{
    double x = gradcheck_ratio(a), y = gradcheck_ratio(b);
    return (x < y) - (x > y);
}

/* "dx[3,0]", in 12 columns */
static void print_cell_name(const gradcheck_cell *cell, const cot_desc *desc)
{
    char text[32 * COT_MAX_RANK];
    int64_t at[COT_MAX_RANK], rest = cell->index;
    for (int d = desc->rank - 1; d >= 0; d--) {
        at[d] = rest % desc->shape[d];
        rest /= desc->shape[d];
    }
    int used = snprintf(text, sizeof text, "%s", cot_operand_name(cell->operand));
    for (int d = 0; d < desc->rank; d++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%c%lld", d ? ',' : '[', (long long)at[d]);
    printf("%-12s", strcat(text, "]"));
}

static void print_row(const gradcheck_cell *cell, const cot_desc *desc)
{
    print_cell_name(cell, desc);
    printf(" %19.12g %19.12g %10.2g %10.2g %s\n", cell->analytic, cell->numeric, gradcheck_error(cell),
           cell->allowed / cell->scale,
           !(gradcheck_ratio(cell) <= 1) ? "WRONG"
           : gradcheck_blunt(cell)       ? "proves nothing"
                                         : "");
}

/* All cells in their order, or the worst. */
static void print_table(const gradcheck *g, const cot_desc *desc)
{
    int64_t rows = g->count;
    if (rows > MOST_ROWS) {
        qsort(g->cells, (size_t)g->count, sizeof *g->cells, worse_first);
        rows = MOST_ROWS;
    }
    printf("%-12s %19s %19s %10s %10s\n", "cell", "analytic", "numeric", "rel. error", "allowed");
    for (int64_t i = 0; i < rows; i++)
        print_row(&g->cells[i], desc);
    if (rows < g->count)
        printf("... and %lld cells with errors that are no larger\n", (long long)(g->count - rows));
}

static void print_heading(void)
{
    printf("%-12s %-6s %5s  %-12s %10s %10s  error / allowed\n", "op", "result", "cells", "worst cell", "rel. error",
           "allowed");
}

/* Error over allowed as a bar: full at 1. */
static void print_bar(double share)
{
    enum { FULL = 10 };
    int marks = share >= 1 ? FULL : (int)ceil(share * FULL);
    for (int i = 0; i < marks; i++)
        putchar('#');
}

/* The row of an op: the cell that is nearest to what is allowed, or beyond it. */
static void print_summary(const gradcheck *g, const cot_desc *desc, const outcome *o)
{
    double share = gradcheck_ratio(o->worst);
    printf("%-12s %-6s %5lld  ", cot_op_get(desc->op)->name, o->failed || o->blunt ? "FAILED" : "ok",
           (long long)g->count);
    print_cell_name(o->worst, desc);
    printf(" %10.2g %10.2g  %5.3f ", gradcheck_error(o->worst), o->worst->allowed / o->worst->scale, share);
    if (!o->failed && !o->blunt)
        print_bar(share);
    if (o->failed)
        printf("%lld wrong", (long long)o->failed);
    if (o->blunt)
        printf("%s%lld prove nothing at this --eps", o->failed ? "; " : "", (long long)o->blunt);
    putchar('\n');
}

static void print_legend(const options *o)
{
    printf("\nnumeric: central differences of the forward in double, extrapolated twice, steps\n"
           "         eps, eps / 2 and eps / 4, eps = %g.\n"
           "allowed: their truncation (of the order eps^4), roundoff 8 k u / eps (u = 2^-53,\n"
           "         k = 16 + min(n, 128 + n / 1024)), and the element type's own roundings.\n"
           "Errors are relative to the largest gradient of the line. The worst cell has the\n"
           "largest error for what its line is allowed, which differs from line to line.\n",
           o->eps);
}

/* ---- checking -------------------------------------------------------------------------------- */

static int report(const options *o, const cot_desc *desc, const gradcheck *g, int table)
{
    if (g->count == 0)
        return cli_fail(EXIT_USAGE, "%s: the shape has no cells, so nothing was compared", cot_op_get(desc->op)->name);
    if (table) {
        print_table(g, desc);
        putchar('\n');
        print_heading();
    }
    outcome verdict = judge(g);
    print_summary(g, desc, &verdict);
    if (table)
        print_legend(o);
    return verdict.failed || verdict.blunt ? EXIT_FAILED : EXIT_GOOD;
}

/* In a list of all ops, one that the backend does not do is a line and no failure: *skipped counts it. */
static int check_op(const options *o, const cot_op_info *op, int *skipped)
{
    cot_desc desc;
    cot_error error;
    gradcheck g = { 0 };
    int status = request_desc(&o->request, op, &desc);
    if (!status)
        status = request_axis(&o->request, &desc);
    if (status)
        return status;
    if (cot_op_takes(op, COT_TAKES_PARAM) && !o->request.param)
        desc.param = 0.3;
    cot_status refused = gradcheck_run(o->backend, &desc, o->seed, o->eps, &g, &error);
    if (refused == COT_UNSUPPORTED && skipped && ++*skipped)
        printf("%-12s skipped %s\n", op->name, error.message);
    else if (refused)
        status = cli_fail(cli_exit_code(refused), "%s: %s", op->name, error.message);
    else
        status = report(o, &desc, &g, !skipped);
    free(g.cells);
    return status;
}

static int check_all(const options *o)
{
    const cot_op_info *op;
    int skipped = 0, worst = EXIT_GOOD, ops = 0;
    print_heading();
    for (; (op = cot_op_at((size_t)ops)); ops++) {
        int status = check_op(o, op, &skipped);
        worst = status > worst ? status : worst;
    }
    if (skipped == ops)
        return cli_fail(EXIT_UNUSABLE, "backend %s does none of these, so nothing was compared", o->backend_name);
    return worst;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int parse_values(options *o)
{
    long long seed = 1;
    if (o->seed_text && parse_integer(o->seed_text, 0, INT64_MAX, &seed))
        return cli_fail(EXIT_USAGE, "--seed %s: expected a whole number, 0 or above", o->seed_text);
    if (o->eps_text && (parse_number(o->eps_text, &o->eps) || !(o->eps > 0 && o->eps <= GRADCHECK_MOST)))
        return cli_fail(EXIT_USAGE, "--eps %s: expected a number above 0 and up to %g", o->eps_text, GRADCHECK_MOST);
    o->seed = (uint64_t)seed;
    return cli_backend(o->backend_name, &o->backend);
}

static int run(int argc, char **argv)
{
    options o = { .request = { .dtype = "f64", .shape = "4x5" }, .backend_name = "ref", .eps = GRADCHECK_EPS };
    const cli_option own[] = {
        { "--dtype", "TYPE", "f16, bf16, f32 or f64 (default: f64)", &o.request.dtype, NULL },
        { "--shape", "4x5", "the shape of the gradient (default: 4x5)", &o.request.shape, NULL },
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &o.backend_name,
          NULL },
        CLI_DEVICE,
        CLI_TIMEOUT,
        { "--seed", "S", "other points (default: 1)", &o.seed_text, NULL },
        { "--eps", "E", "the largest step of the differences (default: 2^-9)", &o.eps_text, NULL },
    };
    cli_option all[REQUEST_OPTIONS + sizeof own / sizeof *own + 1] = { { 0 } };
    const cot_op_info *op = NULL;
    int status, count = request_options(&o.request, all);
    memcpy(all + count, own, sizeof own);
    int arguments = cli_parse(argc, argv, &cli_gradcheck, all, 1, &status);
    if (arguments < 0 || (arguments > 0 && (status = cli_op(arguments, argv, &cli_gradcheck, &op))))
        return status;
    if ((status = parse_values(&o)))
        return status;
    status = op ? check_op(&o, op, NULL) : check_all(&o);
    cot_backend_close(o.backend);
    return status;
}

const cli_command cli_gradcheck = { "gradcheck", "[OP]",
                                    "Compares gradients with finite differences of the forward: one op, or all of them",
                                    run };
