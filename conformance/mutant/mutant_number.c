/* Defects of arithmetic that any op can have: in what is read, and in what comes out. */
#include "mutant_defects.h"

#include <math.h>
#include <string.h>

static double smallest_normal(cot_element element)
{
    static const double least[] = {
        [COT_F16] = 0x1p-14, [COT_BF16] = 0x1p-126, [COT_F32] = 0x1p-126, [COT_F64] = 0x1p-1022
    };
    return least[element];
}

/* The neighbour of a number in its element type, away from zero (steps > 0) or towards it. */
static double neighbour(cot_element element, double value, int steps)
{
    union {
        uint64_t u8;
        uint32_t u4;
        uint16_t u2;
    } cell = { 0 };
    cot_cell_set(element, &cell, value);
    size_t size = cot_element_size(element);
    if (size == 8)
        cell.u8 += (uint64_t)(int64_t)steps;
    else if (size == 4)
        cell.u4 += (uint32_t)steps;
    else
        cell.u2 = (uint16_t)(cell.u2 + steps);
    return cot_cell_get(element, &cell);
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void each_input(mutant_call *c, double (*change)(const mutant_call *c, double value))
{
    for (int o = COT_DY; o < COT_DX; o++)
        for (int64_t i = 0, n = c->cells[o] ? call_cells(c, (cot_operand)o) : 0; i < n; i++)
            c->cells[o][i] = change(c, c->cells[o][i]);
}

static double flushed(const mutant_call *c, double value)
{
    return fabs(value) < smallest_normal(c->desc.element) ? copysign(0, value) : value;
}

void flush_inputs(mutant_call *c) { each_input(c, flushed); }

static double unmarked(const mutant_call *c, double value)
{
    (void)c;
    return isnan(value) ? 0 : value;
}

void swallow_nans(mutant_call *c) { each_input(c, unmarked); }

static double narrowed(const mutant_call *c, double value)
{
    double cell;
    cot_cell_set((cot_element)c->m->with, &cell, value);
    return cot_cell_get((cot_element)c->m->with, &cell);
}

/* Operands of a wider type go through a narrower one. */
void narrow_inputs(mutant_call *c)
{
    if (cot_element_size(c->desc.element) > cot_element_size((cot_element)c->m->with))
        each_input(c, narrowed);
}

/* ---- what comes out -------------------------------------------------------------------------- */

double flush_result(const mutant_call *c, const mutant_spot *s) { return flushed(c, s->reference); }

double nan_to_zero(const mutant_call *c, const mutant_spot *s) { return unmarked(c, s->reference); }

double infinity_to_nan(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return isinf(s->reference) ? (double)NAN : s->reference;
}

double saturate(const mutant_call *c, const mutant_spot *s)
{
    return isinf(s->reference) ? neighbour(c->desc.element, s->reference, -1) : s->reference;
}

double zero_unsigned(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->reference == 0 ? 0 : s->reference;
}

double zero_negative(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->reference == 0 ? -0.0 : s->reference;
}

double narrow_result(const mutant_call *c, const mutant_spot *s)
{
    return cot_element_size(c->desc.element) > cot_element_size((cot_element)c->m->with) ? narrowed(c, s->reference)
                                                                                         : s->reference;
}

/* A whole number of units in the last place off, from some cell of each tile on. */
double units_off(const mutant_call *c, const mutant_spot *s)
{
    return isfinite(s->reference) && s->reference != 0 ? neighbour(c->desc.element, s->reference, c->m->with)
                                                       : s->reference;
}

double unit_off_at_tile_edges(const mutant_call *c, const mutant_spot *s)
{
    return s->i % TILE == TILE - 1 ? units_off(c, s) : s->reference;
}

/* Results far below the largest of their line are lost, as with a tolerance that is the line's and not the cell's. */
double small_beside_largest(const mutant_call *c, const mutant_spot *s)
{
    double largest = 0;
    for (int64_t i = 0; i < c->n; i++)
        largest = fmax(largest, fabs(*call_at(c, s->out, s->line, i)));
    return fabs(s->reference) < largest * 0x1p-6 ? copysign(0, s->reference) : s->reference;
}

/* Cells past a multiple of `with` get nothing. */
double tail_is_zero(const mutant_call *c, const mutant_spot *s)
{
    return s->i >= c->n / c->m->with * c->m->with ? 0 : s->reference;
}

double noise(const mutant_call *c, const mutant_spot *s)
{
    return c->self->runs % 2 && s->i == 0 ? units_off(c, s) : s->reference;
}

double noise_rare(const mutant_call *c, const mutant_spot *s)
{
    return c->self->runs % 61 == 60 && s->i == 0 ? units_off(c, s) : s->reference;
}

double thread_dependent(const mutant_call *c, const mutant_spot *s)
{
    return c->self->threads == 1 ? units_off(c, s) : s->reference;
}

/* ---- the rounding at the end, seen in a product ---------------------------------------------- */

static double product(const mutant_call *c, const mutant_spot *s)
{
    return call_round(c, s->g * (s->out == COT_DA ? s->b : s->a));
}

double store_truncated(const mutant_call *c, const mutant_spot *s)
{
    double exact = product(c, s), stored = call_store(c, exact);
    return fabs(stored) > fabs(exact) ? neighbour(c->desc.element, stored, -1) : stored;
}

/* Two bits more than the element has, and then the element. */
double store_rounded_twice(const mutant_call *c, const mutant_spot *s)
{
    double exact = product(c, s), unit = neighbour(c->desc.element, call_store(c, exact), 1) - call_store(c, exact);
    return isfinite(exact) && isfinite(unit) && unit != 0 ? call_store(c, nearbyint(exact / unit * 4) / 4 * unit)
                                                          : s->reference;
}

/* ---- orders of evaluation that are not the spec's -------------------------------------------- */

double division_by_reciprocal(const mutant_call *c, const mutant_spot *s)
{
    return s->out == COT_DA ? call_round(c, s->g * call_round(c, 1 / s->b)) : s->reference;
}

double fused_square(const mutant_call *c, const mutant_spot *s)
{
    double sum = c->desc.element == COT_F64 ? fma(s->a, s->a, s->b * s->b)
                                            : (double)fmaf((float)s->a, (float)s->a, (float)call_round(c, s->b * s->b));
    double product = s->out == COT_DA ? call_round(c, s->g * s->b) : call_round(c, -s->g * s->a);
    return call_round(c, product / sum);
}

double function_off(const mutant_call *c, const mutant_spot *s)
{
    return call_round(c, s->reference * (c->desc.element == COT_F64 ? 1 + 0x1p-44 : 1 + 0x1p-15));
}

/* ---- every operation rounded to the element type --------------------------------------------- */

static double half_quotient(const mutant_call *c, double left, double right, double below)
{
    return call_store(c, call_store(c, left * right) / below);
}

double in_half_steps(const mutant_call *c, const mutant_spot *s)
{
    double squares = call_store(c, call_store(c, s->a * s->a) + call_store(c, s->b * s->b));
    int first = s->out == COT_DA;
    if (c->desc.element > COT_BF16)
        return s->reference;
    switch (c->desc.op) {
    case COT_MEAN: return call_store(c, s->g * call_store(c, 1 / call_store(c, (double)c->n)));
    case COT_PROD: return half_quotient(c, s->g, s->y, s->x);
    case COT_NORM2: return half_quotient(c, s->g, s->x, s->y);
    case COT_DIV: return first ? s->reference : half_quotient(c, -s->g, s->a, call_store(c, s->b * s->b));
    case COT_ATAN2: return first ? half_quotient(c, s->g, s->b, squares) : half_quotient(c, -s->g, s->a, squares);
    default: return s->reference;
    }
}
