/* The spec's orders of summation, for literals; exact totals beside them, in no order in particular. */
#include "truth_value.h"

#include <math.h>

enum { LANES = 32, SEGMENT = 32, TILE = 1024 };

typedef literal join(literal, literal);

/* ---- what other orders could make of the same sum ------------------------------------------------------------------ */

/* More than two numbers of both signs may cancel in one order and not in another. */
typedef struct signs {
    int positive, negative;
} signs;

static void count_sign(signs *s, double term)
{
    s->positive += term > 0;
    s->negative += term < 0;
}

static literal weigh(literal total, const signs *s)
{
    if (isfinite(total.value) && s->positive && s->negative && s->positive + s->negative > 2)
        total.flags |= LITERAL_FRAGILE | LITERAL_INEXACT;
    return total;
}

/* ---- fold ---------------------------------------------------------------------------------------------------------- */

/* Where the terms of a fold come from: a tile of values, or the tiles below. */
static literal fold_range(const value *terms, int64_t first, int64_t count, int64_t stride, join *f, literal missing);

/* The i-th term of a level whose terms are folds of `stride` values each. */
static literal term_at(const value *terms, int64_t first, int64_t end, int64_t stride, join *f, literal missing)
{
    if (stride == 1)
        return terms[first].literal;
    int64_t count = end - first < stride ? end - first : stride;
    return fold_range(terms, first, count, stride / TILE, f, missing);
}

/* FOLD-ORDER over terms of `stride` values: down the lanes, then across them. */
static literal fold_range(const value *terms, int64_t first, int64_t count, int64_t stride, join *f, literal missing)
{
    literal lane[LANES];
    for (int l = 0; l < LANES; l++)
        lane[l] = missing;
    for (int64_t i = 0; i * stride < count; i++)
        lane[i % LANES] = f(lane[i % LANES], term_at(terms, first + i * stride, first + count, stride, f, missing));
    for (int s = LANES / 2; s > 0; s /= 2)
        for (int l = 0; l < s; l++)
            lane[l] = f(lane[l], lane[l + s]);
    return lane[0];
}

/* FOLD-TILES: the highest level has at most a tile of terms. */
static literal fold(const value *terms, int64_t n, join *f, literal missing)
{
    int64_t stride = 1;
    while (stride * TILE < n)
        stride *= TILE;
    return fold_range(terms, 0, n, stride, f, missing);
}

value sum_fold(const value *terms, int64_t n, const real_format *compute)
{
    value total = v_given(compute, 0.0);
    signs s = { 0, 0 };
    if (n == 0)
        return total;
    for (int64_t i = 0; i < n; i++) {
        total.exact = i ? real_add(total.exact, terms[i].exact) : terms[i].exact;
        total.condition = real_add(total.condition, v_used(terms[i]).condition);
        count_sign(&s, terms[i].literal.value);
    }
    total.literal = weigh(fold(terms, n, l_add, (literal){ -0.0, compute, 0 }), &s);
    total.given = 0;
    return total;
}

/* A partial product that underflowed may be far off, and so is what is made of it. */
static literal watch(literal product)
{
    if (product.flags & LITERAL_UNDERFLOW)
        product.flags |= LITERAL_RANGE;
    return product;
}

value product_fold(const value *terms, int64_t n, const real_format *compute)
{
    value total = v_given(compute, 1.0);
    for (int64_t i = 0; i < n; i++) {
        total.exact = real_mul(total.exact, terms[i].exact);
        total.condition = real_mul(total.condition, v_used(terms[i]).condition);
    }
    total.literal = watch(fold(terms, n, l_mul, (literal){ 1.0, compute, 0 }));
    total.given = 0;
    return total;
}

/* ---- scan ---------------------------------------------------------------------------------------------------------- */

/* SCAN-ORDER's three running totals. */
typedef struct levels {
    literal tiles, segments, local;
} levels;

static literal scan_step(levels *at, int64_t i, literal term, join *f, literal missing)
{
    if (i > 0 && i % SEGMENT == 0) {
        at->segments = f(at->segments, at->local);
        at->local = missing;
    }
    if (i > 0 && i % TILE == 0) {
        at->tiles = f(at->tiles, at->segments);
        at->segments = missing;
    }
    at->local = f(at->local, term);
    return f(f(at->tiles, at->segments), at->local);
}

void sum_scan(const value *terms, int64_t n, const unsigned char *restart, value *results)
{
    signs s = { 0, 0 };
    levels at;
    for (int64_t i = 0; i < n; i++) {
        literal missing = { -0.0, terms[i].literal.format, 0 };
        int fresh = i == 0 || (restart && restart[i - 1]);
        if (fresh)
            at = (levels){ missing, missing, missing }, s = (signs){ 0, 0 };
        count_sign(&s, terms[i].literal.value);
        results[i].exact = fresh ? terms[i].exact : real_add(results[i - 1].exact, terms[i].exact);
        real size = v_used(terms[i]).condition;
        results[i].condition = fresh ? size : real_add(results[i - 1].condition, size);
        results[i].literal = weigh(scan_step(&at, i, terms[i].literal, l_add, missing), &s);
        results[i].given = 0;
    }
}

void product_scan(const value *terms, int64_t n, value *results)
{
    levels at;
    for (int64_t i = 0; i < n; i++) {
        literal missing = { 1.0, terms[i].literal.format, 0 };
        if (i == 0)
            at = (levels){ missing, missing, missing };
        results[i].exact = i ? real_mul(results[i - 1].exact, terms[i].exact) : terms[i].exact;
        results[i].condition = i ? real_mul(results[i - 1].condition, terms[i].condition) : terms[i].condition;
        results[i].literal = watch(scan_step(&at, i, terms[i].literal, l_mul, missing));
        results[i].given = 0;
    }
}

/* ---- recurrences --------------------------------------------------------------------------------------------------- */

/* SCAN-RECURRENCE's pairs: what a run of terms does to the G before it, G -> b + a * G. */
typedef struct effect {
    literal a, b;
    int exists;
} effect;

static effect then(effect before, effect after)
{
    if (!before.exists)
        return after;
    return (effect){ l_mul(after.a, before.a), l_add(after.b, l_mul(after.a, before.b)), 1 };
}

static literal act(effect on, literal before, int before_exists)
{
    return before_exists ? l_add(on.b, l_mul(on.a, before)) : on.b;
}

void recurrence_literal(const value *d, const value *a, int64_t n, value *results)
{
    effect local = { .exists = 0 }, segments = { .exists = 0 };
    literal tiles = { 0 };
    int tiles_exist = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i > 0 && i % SEGMENT == 0)
            segments = then(segments, local), local.exists = 0;
        if (i > 0 && i % TILE == 0)
            tiles = act(segments, tiles, tiles_exist), tiles_exist = 1, segments.exists = 0;
        local = then(local, (effect){ a[i].literal, d[i].literal, 1 });
        literal before = segments.exists ? act(segments, tiles, tiles_exist) : tiles;
        results[i].literal = act(local, before, segments.exists || tiles_exist);
    }
}

void recurrence(const value *d, const value *a, int64_t n, value *results)
{
    recurrence_literal(d, a, n, results);
    for (int64_t i = 0; i < n; i++) {
        results[i].literal = watch(results[i].literal);
        results[i].exact = i ? real_add(d[i].exact, real_mul(a[i].exact, results[i - 1].exact)) : d[i].exact;
        results[i].condition = i ? real_add(d[i].condition, real_mul(a[i].condition, results[i - 1].condition)) : d[i].condition;
        results[i].given = 0;
    }
}
