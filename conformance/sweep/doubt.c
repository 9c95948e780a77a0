/* One cell before truth. */
#include "doubt.h"
#include "conformance/judge/judge.h"
#include "expect.h"

#include <math.h>

#ifdef COT_WITHOUT_MPFR
cot_status doubt_settle(doubt *d)
{
    d->wrong = 1;
    return COT_INTERNAL;
}

const char *doubt_clause(cot_op op)
{
    (void)op;
    return "BOUND";
}
#else
#include "conformance/judge/judge_cell.h"
#include "conformance/truth/truth.h"

const char *doubt_clause(cot_op op) { return truth_clause(op); }

/* ---- a function's float, however close it is ---------------------------------------------------- */

/* The sum of two doubles, the second far smaller, as the nearest float: adding it to a number half-way between two
 * floats must not be lost. */
static float nearest_float(double high, double low)
{
    float nearest = (float)high;
    double off = (high - (double)nearest) + low;
    float up = nextafterf(nearest, INFINITY), down = nextafterf(nearest, -INFINITY);
    if (off > ((double)up - (double)nearest) / 2)
        return up;
    return off < ((double)down - (double)nearest) / 2 ? down : nearest;
}

static float function(cot_op op, double a, double b)
{
    cot_desc desc = { COT_SIZED(cot_desc), .op = op, .element = COT_F32, .rank = 1, .shape = { 1 } };
    truth_line line = { .desc = &desc, .n = 1, .a = &a, .b = &b };
    truth_cell y;
    if (!(isfinite(a) && isfinite(b)) || truth_forward(&line, &y) || y.exponent || !isfinite(y.exact))
        return op == COT_POW ? (float)pow(a, b) : (float)hypot(a, b);
    return nearest_float(y.exact, y.rest);
}

/* log of a float, which is never half-way between two of them: as near as the double says. */
static float settled(const doubt *d)
{
    float g = (float)d->g, a = (float)d->a, b = (float)d->b;
    if (d->desc->op == COT_HYPOT)
        return g * (d->out ? b : a) / function(COT_HYPOT, d->a, d->b);
    if (!d->out)
        return g * b * function(COT_POW, d->a, (double)(b - 1));
    return g * function(COT_POW, d->a, d->b) * (float)log(d->a);
}

static float to_element(cot_element element, float value)
{
    uint32_t cell;
    cot_cell_set(element, &cell, (double)value);
    return (float)cot_cell_get(element, &cell);
}

/* ---- the ruling ------------------------------------------------------------------------------ */

static int same(double a, double b) { return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b)); }

cot_status doubt_settle(doubt *d)
{
    truth_line line = { .desc = d->desc, .n = 1, .dy = &d->g, .a = &d->a, .b = &d->b };
    truth_cell cell[2];
    truth_bound claimed = { .roundings = d->roundings };
    cot_status status = truth_gradient(&line, &cell[0], &cell[1]);
    if (status)
        return status;
    if (d->open)
        d->literal = to_element(d->desc->element, settled(d));
    cell_verdict v = judge_cell(&cell[d->out], d->desc->element, d->got, &claimed, LEVEL_B, 0);
    d->ratio = v.ruling == BY_BOUND && isfinite(v.ratio) ? v.ratio : 0;
    d->wrong = v.wrong != REASON_NONE || (d->bits && !same(d->got, (double)d->literal));
    return COT_OK;
}
#endif
