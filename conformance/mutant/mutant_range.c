/* Defects where the formula as written leaves the range, and gives an infinity for a number: a cell at a time. */
#include "mutant_defects.h"

#include <math.h>

/* The quotient before g, which stays in range where the squares and products do not. */
static long double in_range(const mutant_call *c, const mutant_spot *s)
{
    long double g = s->g, h = c->desc.op == COT_NORM2 ? s->y : hypotl(s->a, s->b), own = s->out == COT_DA ? s->a : s->b;
    switch (c->desc.op) {
    case COT_DIV: return s->out == COT_DA ? g / s->b : -g * ((long double)s->a / s->b / s->b);
    case COT_ATAN2: return s->out == COT_DA ? g * (s->b / h / h) : -g * (s->a / h / h);
    default: return g * ((c->desc.op == COT_NORM2 ? s->x : own) / h);
    }
}

static int is_lost(const mutant_call *c, const mutant_spot *s)
{
    return isinf(s->reference) && isfinite(call_store(c, (double)in_range(c, s)));
}

double range_zeroed(const mutant_call *c, const mutant_spot *s) { return is_lost(c, s) ? 0 : s->reference; }
double range_turned(const mutant_call *c, const mutant_spot *s) { return is_lost(c, s) ? -s->reference : s->reference; }
double range_made_nan(const mutant_call *c, const mutant_spot *s) { return is_lost(c, s) ? (double)NAN : s->reference; }
