/* A gradient compared with finite differences of the forward operation. */
#include "gradcheck.h"
#include "conformance/case/device_run.h"
#include "points.h"
#include "conformance/case/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3 };

double gradcheck_error(const gradcheck_cell *cell) { return fabs(cell->analytic - cell->numeric) / cell->scale; }

double gradcheck_ratio(const gradcheck_cell *cell)
{
    double ratio = fabs(cell->analytic - cell->numeric) / cell->allowed;
    return isnan(ratio) ? (double)INFINITY : ratio;
}

int gradcheck_blunt(const gradcheck_cell *cell) { return !(cell->sharp <= 1e-4 * cell->scale); }

static cot_status no_memory(cot_error *error)
{
    *error = (cot_error){ .code = COT_INTERNAL, .message = "out of memory" };
    return COT_INTERNAL;
}

/* ---- one line, in double --------------------------------------------------------------------- */

/* A line is a problem of its own, of rank 1. */
typedef struct line {
    cot_desc desc;
    cot_view view[OPERANDS]; /* dy, x or a and b, y */
    double *after, *before;  /* results on both sides of a point */
    double eps;
} line;

static double *cells_of(const line *l, cot_operand operand) { return l->view[operand].data; }

static cot_status line_make(line *l, const cot_desc *desc, double eps, cot_error *error)
{
    static const cot_operand operands[] = { COT_DY, COT_X, COT_Y, COT_A, COT_B };
    *l = (line){ .desc = *desc, .eps = eps };
    l->desc.element = COT_F64;
    l->desc.rank = 1;
    l->desc.shape[0] = (int32_t)lines_to_check(desc).n;
    l->desc.axis = 0;
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        if (operand_make(&l->desc, operands[i], &l->view[operands[i]]))
            return no_memory(error);
    size_t results = (size_t)l->view[COT_Y].length;
    l->after = malloc(results * sizeof(double));
    l->before = malloc(results * sizeof(double));
    return l->after && l->before ? COT_OK : no_memory(error);
}

static void line_free(line *l)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(l->view[o].data);
    free(l->after);
    free(l->before);
}

static void line_read(line *l, const line_shape *all, const cot_view views[OPERANDS], int64_t number)
{
    for (int o = COT_DY; o <= COT_B; o++)
        for (int64_t i = 0; o != COT_Y && i < l->view[o].length && views[o].rank; i++)
            cells_of(l, (cot_operand)o)[i] = cell_value(&views[o], line_cell(all, l->view[o].length, number, i));
}

static cot_status line_forward(line *l, double *results, cot_error *error)
{
    cot_args args;
    point_args(&args, l->view);
    cot_status status = cot_forward(&l->desc, &args, error);
    if (results && !status)
        memcpy(results, cells_of(l, COT_Y), (size_t)l->view[COT_Y].length * sizeof *results);
    return status;
}

/* ---- differences ----------------------------------------------------------------------------- */

/* The derivative of the loss by a cell, and the sum of the magnitudes that it is made of. */
typedef struct slope {
    double value, magnitude;
} slope;

static cot_status central(line *l, double *cell, double step, slope *out, cot_error *error)
{
    const double *dy = cells_of(l, COT_DY);
    double at = *cell, above = at + step, below = at - step;
    *cell = above;
    cot_status status = line_forward(l, l->after, error);
    *cell = below;
    if (!status)
        status = line_forward(l, l->before, error);
    *cell = at;
    *out = (slope){ 0, 0 };
    for (int64_t i = 0; i < l->view[COT_Y].length && !status; i++) {
        double term = dy[i] * ((l->after[i] - l->before[i]) / (above - below));
        out->value += term;
        out->magnitude += fabs(term);
    }
    return status;
}

/* Fills numeric, sharp (the truncation alone) and scale (the cell's own). */
static cot_status extrapolate(line *l, double *at, gradcheck_cell *cell, cot_error *error)
{
    slope d[STEPS];
    cot_status status = COT_OK;
    for (int k = 0; k < STEPS && !status; k++)
        status = central(l, at, ldexp(l->eps, -k), &d[k], error);
    if (status)
        return status;
    double first = (4 * d[1].value - d[0].value) / 3, second = (4 * d[2].value - d[1].value) / 3;
    cell->numeric = (16 * second - first) / 15;
    cell->sharp = fabs(second - first);
    cell->scale = d[2].magnitude;
    return COT_OK;
}

/* ---- what is allowed ------------------------------------------------------------------------- */

static double largest(const double *values, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fabs(values[i]) > most ? fabs(values[i]) : most;
    return most;
}

/* Of a forward result: exp, log and the rest of its formula, and the longest path of its sum in the spec's order. */
static double roundings_of(int64_t n)
{
    int64_t path = 128 + n / 1024;
    return 16 + (double)(n < path ? n : path);
}

/* Products and quotients are as exact as they are small; a sum is not smaller in its error than its terms. */
static int is_sum(cot_op op) { return op != COT_PROD && op != COT_CUMPROD && op != COT_SOFTMAX; }

static double roundoff(const line *l, double roundings)
{
    const double *dy = cells_of(l, COT_DY), *y = cells_of(l, COT_Y);
    double reach = 0, sum = 0;
    for (int o = COT_X; o <= COT_B; o++)
        reach = o == COT_Y ? reach : fmax(reach, largest(cells_of(l, (cot_operand)o), l->view[o].length));
    for (int64_t i = 0; i < l->view[COT_Y].length; i++)
        sum += fabs(dy[i]) * (fabs(y[i]) * (1 + reach) + (is_sum(l->desc.op) ? reach : 0));
    return 8 * roundings * 0x1p-53 / l->eps * sum;
}

/* A gradient rounds its result and reads a saved y that was rounded, which exp(x - y) magnifies by y; all else is in
 * the compute type. */
static double element_error(const line *l, cot_element element, double roundings)
{
    static const double unit[] = { [COT_F16] = 0x1p-11, [COT_BF16] = 0x1p-8, [COT_F32] = 0x1p-24, [COT_F64] = 0x1p-53 };
    double compute = element == COT_F64 ? 0x1p-53 : 0x1p-24;
    return (2 + largest(cells_of(l, COT_Y), l->view[COT_Y].length)) * unit[element] + roundings * compute;
}

/* Every cell of the line has its slopes; y is that of the point itself. */
static void allow(const line *l, cot_element element, gradcheck_cell *cells, int64_t count)
{
    double roundings = roundings_of(l->desc.shape[0]), noise = roundoff(l, roundings), scale = 0;
    for (int64_t i = 0; i < count; i++)
        scale = cells[i].scale > scale ? cells[i].scale : scale;
    if (scale == 0) /* softmax of one cell is flat */
        scale = largest(cells_of(l, COT_DY), l->view[COT_DY].length);
    for (int64_t i = 0; i < count; i++) {
        cells[i].scale = scale;
        cells[i].sharp += noise;
        cells[i].allowed = cells[i].sharp + element_error(l, element, roundings) * scale;
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const struct {
    cot_operand input, gradient;
} pairs[] = { { COT_X, COT_DX }, { COT_A, COT_DA }, { COT_B, COT_DB } };
enum { PAIRS = sizeof pairs / sizeof *pairs };

static cot_status check_line(line *l, const line_shape *all, const cot_view views[OPERANDS], int64_t number,
                             gradcheck *result, cot_error *error)
{
    cot_status status = COT_OK;
    int64_t start = result->count;
    line_read(l, all, views, number);
    for (int p = 0; p < PAIRS; p++)
        for (int64_t i = 0; i < all->n && views[pairs[p].gradient].rank && !status; i++) {
            gradcheck_cell *cell = &result->cells[result->count++];
            *cell = (gradcheck_cell){ .operand = pairs[p].gradient, .index = line_cell(all, all->n, number, i) };
            cell->analytic = cell_value(&views[cell->operand], cell->index);
            status = extrapolate(l, &cells_of(l, pairs[p].input)[i], cell, error);
        }
    if (!status)
        status = line_forward(l, NULL, error);
    if (!status)
        allow(l, views[COT_DY].element, result->cells + start, result->count - start);
    return status;
}

static cot_status check_lines(const cot_desc *desc, const cot_view views[OPERANDS], double eps, gradcheck *result,
                              cot_error *error)
{
    line l;
    line_shape all = lines_to_check(desc);
    result->cells = calloc((size_t)(2 * all.count * all.n) + 1, sizeof *result->cells);
    cot_status status = line_make(&l, desc, eps, error);
    if (!status && !result->cells)
        status = no_memory(error);
    for (int64_t number = 0; number < all.count && all.n && !status; number++)
        status = check_line(&l, &all, views, number, result, error);
    line_free(&l);
    return status;
}

/* dy, the operands of the forward, the save that the gradient needs, and room for the gradient. */
static cot_status make_views(const cot_desc *desc, cot_view views[OPERANDS], cot_error *error)
{
    const cot_op_info *op = cot_op_get(desc->op);
    for (int o = COT_DY; o < OPERANDS; o++) {
        int operand_of_forward = cot_has_axis(op) ? o == COT_X : o == COT_A || o == COT_B;
        if ((operand_of_forward || cot_operand_used(op, (cot_operand)o))
            && operand_make(desc, (cot_operand)o, &views[o]))
            return no_memory(error);
    }
    return COT_OK;
}

static cot_status fill_views(const cot_desc *desc, uint64_t seed, const cot_view views[OPERANDS], cot_error *error)
{
    cot_args args;
    point_args(&args, views);
    if (!fill_points(desc, seed, views))
        return args.y ? cot_forward(desc, &args, error) : COT_OK;
    *error = (cot_error){ .code = COT_INVALID_PROBLEM, .operand = COT_X };
    snprintf(error->message, sizeof error->message,
             "%d cells of %s on a line cannot be kept apart: take a smaller --shape or a wider --dtype",
             desc->shape[desc->axis], cot_element_name(desc->element));
    return COT_INVALID_PROBLEM;
}

cot_status gradcheck_run(cot_backend *backend, const cot_desc *desc, uint64_t seed, double eps, gradcheck *result,
                         cot_error *error)
{
    cot_view views[OPERANDS] = { { 0 } };
    *result = (gradcheck){ 0 };
    cot_status status = make_views(desc, views, error);
    if (!status)
        status = fill_views(desc, seed, views, error);
    if (!status)
        status = device_execute(backend, desc, views, error);
    if (!status)
        status = check_lines(desc, views, eps, result, error);
    for (int o = COT_DY; o < OPERANDS; o++)
        free(views[o].data);
    return status;
}
