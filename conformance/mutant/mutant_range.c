/* Defects where the formula as written leaves the range, and gives an infinity for a number: a cell at a time. */
#include "mutant_defects.h"

#include <math.h>

/* The quotient before g, which stays in range where the squares and products do not. */
static long double in_range(const mutant_call *c, const mutant_spot *s)
{
    cot_op op = c->desc.op;
    long double g = (long double)s->g, a = (long double)s->a, b = (long double)s->b;
    long double h = op == COT_NORM2 ? (long double)s->y : hypotl(a, b), own = s->out == COT_DA ? a : b;
    switch (op) {
    case COT_DIV: return s->out == COT_DA ? g / b : -g * (a / b / b);
    case COT_ATAN2: return s->out == COT_DA ? g * (b / h / h) : -g * (a / h / h);
    default: return g * ((op == COT_NORM2 ? (long double)s->x : own) / h);
    }
}

static int is_lost(const mutant_call *c, const mutant_spot *s)
{
    return isinf(s->reference) && isfinite(call_store(c, (double)in_range(c, s)));
}

double range_zeroed(const mutant_call *c, const mutant_spot *s) { return is_lost(c, s) ? 0 : s->reference; }
double range_turned(const mutant_call *c, const mutant_spot *s) { return is_lost(c, s) ? -s->reference : s->reference; }
double range_made_nan(const mutant_call *c, const mutant_spot *s) { return is_lost(c, s) ? (double)NAN : s->reference; }
