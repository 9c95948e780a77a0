#include "truth.h"
#include "truth_ops.h"

#include <math.h>
#include <stdlib.h>

/* ---- element types ------------------------------------------------------------------------------------------------- */

static const real_format formats[] = {
    [COT_F16] = { 11, -23, 16 }, [COT_BF16] = { 8, -132, 128 }, [COT_F32] = { 24, -148, 128 }, [COT_F64] = { 53, -1073, 1024 },
};

static const real_format *compute_type(cot_element element) /* ARITH-COMPUTE */
{
    return element == COT_F64 ? &compute_double : &compute_float;
}

double truth_round(cot_element element, double number)
{
    real_begin();
    return rounded(&formats[element], number);
}

value given_count(const work *w, int64_t count)
{
    return v_given(w->compute, rounded(w->compute, (double)count)); /* counts are far below 2^53: one rounding */
}

/* ---- lines --------------------------------------------------------------------------------------------------------- */

static const truth_op *find_op(cot_op op)
{
    switch (cot_op_get(op)->family) {
    case COT_REDUCE: return &truth_reduce[op];
    case COT_SCAN: return &truth_scan[op];
    case COT_SOFTMAX_FAMILY: return &truth_softmax[op];
    default: return &truth_binary[op];
    }
}

const char *truth_clause(cot_op op)
{
    return find_op(op)->clause;
}

static int is_edge(double number)
{
    return !isfinite(number) || number == 0;
}

static truth_cell finish(const value *v, cot_element element)
{
    truth_cell cell = { v->exact, v->condition, rounded(&formats[element], v->literal.value), 0 };
    int bounded = real_is_finite(v->exact) && real_is_finite(v->condition) && !(v->literal.flags & LITERAL_RANGE);
    if (is_edge(v->literal.value) && literal_is_firm(v->literal))
        cell.holds |= TRUTH_EDGE;
    if (!(v->literal.flags & LITERAL_FUNCTION))
        cell.holds |= TRUTH_BITS;
    if (bounded)
        cell.holds |= TRUTH_BOUND;
    return cell;
}

/* Runs one formula over a line, in memory of its own: results and scratch, at least a cell of each. */
static cot_status evaluate(const truth_line *line, work_fn *formula, int64_t count, truth_cell *first, truth_cell *second)
{
    size_t cells = (size_t)line->n + 1;
    value *values = malloc(5 * cells * sizeof *values);
    unsigned char *marks = malloc(cells);
    cot_status status = values && marks ? COT_OK : COT_INTERNAL;
    work w = { line, line->desc, line->n, compute_type(line->desc->element), values, values + cells,
               values + 2 * cells, values + 3 * cells, values + 4 * cells, marks };
    real_begin();
    if (!status)
        formula(&w);
    for (int64_t i = 0; !status && i < count; i++) {
        first[i] = finish(&w.first[i], line->desc->element);
        if (second)
            second[i] = finish(&w.second[i], line->desc->element);
    }
    free(values);
    free(marks);
    return status;
}

cot_status truth_gradient(const truth_line *line, truth_cell *first, truth_cell *second)
{
    return line->n ? evaluate(line, find_op(line->desc->op)->gradient, line->n, first, second) : COT_OK;
}

cot_status truth_forward(const truth_line *line, truth_cell *y)
{
    cot_op op = line->desc->op;
    int reduces = cot_op_get(op)->family == COT_REDUCE;
    if (line->n == 0 && (op == COT_MAX || op == COT_MIN)) /* FWD-EMPTY */
        return COT_INVALID_PROBLEM;
    if (line->n == 0 && !reduces)
        return COT_OK;
    return evaluate(line, find_op(op)->forward, reduces ? 1 : line->n, y, NULL);
}

/* ---- judging a result ---------------------------------------------------------------------------------------------- */

static double power_of_two(int exponent)
{
    return ldexp(1, exponent);
}

/* Where rounding to the format goes to infinity: the largest number and half a step. */
static real overflow_threshold(const real_format *f)
{
    real below = real_of(2 - power_of_two(-f->bits));
    return real_mul(below, real_of(power_of_two((int)f->most - 1)));
}

/* The distance of a result from the exact value; an infinite result stands for all that round to it. */
static real distance(const truth_cell *cell, const real_format *f, double got)
{
    if (isfinite(got))
        return real_abs(real_sub(real_of(got), cell->exact));
    real gap = real_sub(overflow_threshold(f), got > 0 ? cell->exact : real_neg(cell->exact));
    return gap.kind < 0 ? real_of(0) : gap;
}

static real bound_of(const truth_cell *cell, const real_format *f, double k)
{
    double unit = power_of_two(-f->bits), relative = k * unit / (1 - k * unit); /* k roundings compound */
    real smallest = real_of(k * power_of_two((int)f->least - 1));
    return real_add(real_mul(real_of(relative), cell->condition), smallest);
}

double truth_score(const truth_cell *cell, cot_element element, double got, double k)
{
    const real_format *f = &formats[element];
    real_begin();
    if (isnan(got))
        return (double)INFINITY;
    real error = distance(cell, f, got);
    return real_is_zero(error) ? 0.0 : real_to(real_div(error, bound_of(cell, f, k)));
}

double truth_ulps(const truth_cell *cell, cot_element element, double got)
{
    const real_format *f = &formats[element];
    int last = (int)f->least - 1; /* exponent of the last place; that of subnormals */
    real_begin();
    if (isnan(got) || !real_is_finite(cell->exact))
        return 0;
    if (!real_is_zero(cell->exact) && real_exponent(cell->exact) - f->bits > last)
        last = real_exponent(cell->exact) - f->bits;
    return real_to(real_div(distance(cell, f, got), real_of(power_of_two(last))));
}

void truth_end(void)
{
    real_end();
}
