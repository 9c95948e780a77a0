/* A misreading of the exact products of prod and cumprod: what the scan holds before a cell, E and local just joined or
 * reset, where the text means its result at the cell before. */
#include "mutant_defects.h"

#include <stdlib.h>

typedef struct levels {
    double tiles, segments, local;
} levels;

static double times(const mutant_call *c, double a, double b) { return call_round(c, a * b); }

/* The product of the cells before the p-th, from the state at the p-th. */
static double product_before(const mutant_call *c, levels *at, int64_t p, double x)
{
    if (p % SEGMENT == 0)
        at->segments = times(c, at->segments, at->local), at->local = 1;
    if (p % TILE == 0)
        at->tiles = times(c, at->tiles, at->segments), at->segments = 1;
    double before = times(c, times(c, at->tiles, at->segments), at->local);
    at->local = times(c, at->local, x);
    return before;
}

static void products_before(const mutant_call *c, int64_t line, int backward, double *products)
{
    levels at = { 1, 1, 1 };
    for (int64_t p = 0; p < c->n; p++) {
        int64_t i = backward ? c->n - 1 - p : p;
        products[i] = product_before(c, &at, p, call_get(c, COT_X, line, i));
    }
}

/* What a run of cells does to the H before it: H -> b + a * H; nothing where it is empty. */
typedef struct effect {
    double a, b;
    int exists;
} effect;

static effect then(const mutant_call *c, effect before, effect after)
{
    if (!before.exists || !after.exists)
        return before.exists ? before : after;
    return (effect){ times(c, after.a, before.a), call_round(c, after.b + times(c, after.a, before.b)), 1 };
}

/* H_j = dy_j + x_next * H_next in the right order, against the forward direction. */
static void recur(const mutant_call *c, int64_t line, double *h)
{
    effect tiles = { .exists = 0 }, segments = { .exists = 0 }, local = { .exists = 0 };
    double next = 1;
    for (int64_t p = 0; p < c->n; p++) {
        int64_t i = c->desc.reverse ? p : c->n - 1 - p;
        if (p % SEGMENT == 0)
            segments = then(c, segments, local), local.exists = 0;
        if (p % TILE == 0)
            tiles = then(c, tiles, segments), segments.exists = 0;
        local = then(c, local, (effect){ next, call_get(c, COT_DY, line, i), 1 });
        h[i] = then(c, then(c, tiles, segments), local).b;
        next = call_get(c, COT_X, line, i);
    }
}

int where_exact(const mutant *m, const cot_desc *desc)
{
    (void)m;
    return desc->policies.zeros == COT_ZEROS_EXACT;
}

void products_of_state(const mutant_call *c, int64_t line)
{
    double *before = malloc(((size_t)c->n + 1) * 2 * sizeof *before), *other = before + c->n;
    int reduces = c->desc.op == COT_PROD;
    if (before) {
        products_before(c, line, !reduces && c->desc.reverse, before);
        if (reduces)
            products_before(c, line, 1, other);
        else
            recur(c, line, other);
        for (int64_t i = 0; i < c->n; i++) {
            double product = times(c, before[i], other[i]);
            *call_at(c, COT_DX, line, i) = reduces ? times(c, call_get(c, COT_DY, line, i), product) : product;
        }
    }
    free(before);
}
