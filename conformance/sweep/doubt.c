/* One cell before truth. */
#include "doubt.h"
#include "conformance/judge/judge.h"
#include "sweep_pairs.h"

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

/* Rounding is as if floats went on where infinities begin. */
static double place_of(float value) { return isinf(value) ? copysign(0x1p128, (double)value) : (double)value; }

/* The sum of two doubles, the second far smaller, as the nearest float. Truth errs by less than 2^-83 here, so that
 * what is nearer than that to the middle of two floats is taken for it: a power may lie there, and goes to the even
 * one. */
static float nearest_float(double high, double low)
{
    float nearest = (float)high, other[] = { nextafterf(nearest, INFINITY), nextafterf(nearest, -INFINITY) };
    for (int i = 0; i < 2; i++) {
        double middle = (place_of(nearest) + place_of(other[i])) / 2, beyond = (high - middle) + low;
        if (fabs(beyond) <= 0x1p-80 * fabs(high))
            return (float)middle;
        if (i ? beyond < 0 : beyond > 0)
            return other[i];
    }
    return nearest;
}

/* One cell as of f64: where less is judged, truth's functions have 50 bits, which do not part floats. */
static truth_line cell_of(cot_op op, cot_desc *desc)
{
    *desc = (cot_desc){ COT_SIZED(cot_desc), .op = op, .element = COT_F64, .rank = 1, .shape = { 1 } };
    return (truth_line){ .desc = desc, .n = 1 };
}

static float function(cot_op op, double a, double b)
{
    cot_desc desc;
    truth_line line = cell_of(op, &desc);
    truth_cell y;
    line.a = &a, line.b = &b;
    if (!(isfinite(a) && isfinite(b)) || truth_forward(&line, &y) || y.exponent || !isfinite(y.exact))
        return op == COT_POW ? (float)pow(a, b) : (float)hypot(a, b);
    return nearest_float(y.exact, y.rest);
}

/* As dx of a logsumexp with g = 1 and y = 0. */
static float exponential(float a)
{
    cot_desc desc;
    truth_line line = cell_of(COT_LOGSUMEXP, &desc);
    double g = 1, x = (double)a, y = 0;
    truth_cell dx;
    line.dy = &g, line.x = &x, line.y = &y;
    if (!isfinite(a) || truth_gradient(&line, &dx, NULL) || dx.exponent || !isfinite(dx.exact))
        return (float)exp(x);
    return nearest_float(dx.exact, dx.rest);
}

/* As db of a pow with g = 1 and b = 0. */
static float logarithm(double a)
{
    cot_desc desc;
    truth_line line = cell_of(COT_POW, &desc);
    double g = 1, b = 0;
    truth_cell da, db;
    line.dy = &g, line.a = &a, line.b = &b;
    if (!(isfinite(a) && a > 0) || truth_gradient(&line, &da, &db) || db.exponent)
        return (float)log(a);
    return nearest_float(db.exact, db.rest);
}

static float settled(const doubt *d)
{
    float g = (float)d->g, a = (float)d->a, b = (float)d->b;
    if (d->desc->op == COT_LOGSUMEXP)
        return g * exponential(a - b);
    if (d->desc->op == COT_LOG_SOFTMAX)
        return g - exponential(d->out ? b : a) * (g + g);
    if (d->desc->op == COT_HYPOT)
        return g * (d->out ? b : a) / function(COT_HYPOT, d->a, d->b);
    if (!d->out)
        return g * b * function(COT_POW, d->a, (double)(b - 1));
    return g * function(COT_POW, d->a, d->b) * logarithm(d->a);
}

static float to_element(cot_element element, float value)
{
    uint32_t cell;
    cot_cell_set(element, &cell, (double)value);
    return (float)cot_cell_get(element, &cell);
}

/* ---- the ruling ------------------------------------------------------------------------------ */

static int same(double a, double b) { return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b)); }

static cot_status ask(const doubt *d, truth_cell cell[2])
{
    double dy[] = { d->g, d->g }, y[] = { d->a, d->b };
    truth_line line = { .desc = d->desc, .n = 1, .dy = dy };
    switch (pairing_of(d->desc->op)) {
    case PAIRS_XY: line.x = &d->a, line.y = &d->b; break;
    case PAIRS_LINE: line.y = y, line.n = 2; break;
    case PAIRS_AB:
    case PAIRS_NONE: line.a = &d->a, line.b = &d->b; return truth_gradient(&line, &cell[0], &cell[1]);
    }
    return truth_gradient(&line, cell, NULL);
}

cot_status doubt_settle(doubt *d)
{
    truth_cell cell[2];
    truth_bound claimed = { .roundings = d->roundings, .depth = d->depth };
    cot_status status = ask(d, cell);
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
