/* Defects in the gradient of logcumsumexp. */
#include "mutant_defects.h"

#include <math.h>
#include <stdlib.h>

/* A line in the order of the gradient's scan, which runs against the forward direction. */
typedef struct line_of {
    const mutant_call *c;
    int64_t line, n;
    double *g, *x, *y, *anchor, *scale, *weight, *lift; /* r(y); exp(r(y) - y); exp(r(y) - r(next)); exp(x - r(y)) */
} line_of;

static int64_t place(const line_of *l, int64_t p) { return l->c->desc.reverse ? p : l->n - 1 - p; }

static double anchor_of(const mutant_call *c, double y)
{
    double step = c->m->with & ANCHOR_HALF ? 8 : 16, huge = c->desc.element == COT_F64 ? 0x1p51 : 0x1p22;
    if (c->m->with & UNANCHORED || !(fabs(y) < huge))
        return y;
    return nearbyint(y / step) * step;
}

static int start(line_of *l, const mutant_call *c, int64_t line)
{
    size_t n = (size_t)c->n + 1;
    double *memory = calloc(7 * n, sizeof *memory);
    *l = (line_of){ c,
                    line,
                    c->n,
                    memory,
                    memory + n,
                    memory + 2 * n,
                    memory + 3 * n,
                    memory + 4 * n,
                    memory + 5 * n,
                    memory + 6 * n };
    if (!memory)
        return -1;
    for (int64_t p = 0; p < l->n; p++) {
        l->g[p] = call_get(c, COT_DY, line, place(l, p));
        l->x[p] = call_get(c, COT_X, line, place(l, p));
        l->y[p] = call_get(c, COT_Y, line, place(l, p));
        l->anchor[p] = anchor_of(c, l->y[p]);
        l->scale[p] = call_round(c, l->anchor[p] - l->y[p]);
        l->weight[p] = p ? call_round(c, l->anchor[p] - l->anchor[p - 1]) : 0;
        l->lift[p] = call_round(c, l->x[p] - l->anchor[p]);
    }
    call_exp(c, l->scale, l->n);
    call_exp(c, l->weight, l->n);
    call_exp(c, l->lift, l->n);
    return 0;
}

static void put(const line_of *l, int64_t p, double value)
{
    *call_at(l->c, COT_DX, l->line, place(l, p)) = call_round(l->c, value);
}

/* What a run of cells does to the H before it: H -> b + a * H (SCAN-RECURRENCE). */
typedef struct effect {
    double a, b;
    int exists;
} effect;

static effect then(const mutant_call *c, effect before, effect after)
{
    if (!before.exists || !after.exists)
        return before.exists ? before : after;
    return (effect){ call_round(c, after.a * before.a), call_accumulate(c, after.b + call_round(c, after.a * before.b)),
                     1 };
}

static effect cell_effect(const line_of *l, int64_t p)
{
    const mutant_call *c = l->c;
    int plain = c->m->with & UNANCHORED;
    double term = isinf(l->y[p]) && !plain ? l->g[p] : call_round(c, l->g[p] * l->scale[p]);
    return (effect){ p && l->anchor[p] == l->anchor[p - 1] && !plain ? 1 : l->weight[p], term, 1 };
}

/* H_k = t_k + w_k * H_next, through segments and tiles. */
void lcse_recurrence(const mutant_call *c, int64_t line)
{
    line_of l;
    effect tiles = { .exists = 0 }, segments = { .exists = 0 }, local = { .exists = 0 };
    int levels = !(c->m->with & SEQUENTIAL);
    if (start(&l, c, line))
        return;
    for (int64_t p = 0; p < l.n; p++) {
        if (levels && p > 0 && p % SEGMENT == 0)
            segments = then(c, segments, local), local.exists = 0;
        if (levels && p > 0 && p % TILE == 0)
            tiles = then(c, tiles, segments), segments.exists = 0;
        if (c->m->with & CARRY_LOST && p == FAR)
            tiles.exists = 0;
        effect cell = cell_effect(&l, p);
        local = then(c, local, cell);
        put(&l, p, l.lift[p] * then(c, then(c, tiles, segments), local).b);
    }
    free(l.g);
}

/* The direct sum, a term after the other: linear in time per cell. */
void lcse_direct(const mutant_call *c, int64_t line)
{
    line_of l;
    if (start(&l, c, line))
        return;
    for (int64_t p = 0; p < l.n; p++) {
        double sum = -0.0;
        for (int64_t q = 0; q <= p; q++)
            l.lift[q] = call_round(c, l.x[p] - l.y[q]);
        call_exp(c, l.lift, p + 1);
        for (int64_t q = p + 1 - (c->m->with & EXCLUSIVE ? 1 : 0); q-- > 0;)
            sum = call_round(c, sum + call_round(c, l.g[q] * l.lift[q]));
        put(&l, p, sum);
    }
    free(l.g);
}

/* An infinite y anywhere after a cell makes NaN of it. */
void lcse_infinity_spreads(const mutant_call *c, int64_t line)
{
    line_of l;
    int seen = 0;
    if (start(&l, c, line))
        return;
    for (int64_t p = 0; p < l.n; p++) {
        seen |= isinf(l.y[p]);
        if (seen)
            put(&l, p, (double)NAN);
    }
    free(l.g);
}

/* What an infinite cell itself gets is lost. */
void lcse_infinity_is_zero(const mutant_call *c, int64_t line)
{
    for (int64_t i = 0; i < c->n; i++)
        if (isinf(call_get(c, COT_X, line, i)))
            *call_at(c, COT_DX, line, i) = 0;
}
