/* Defects in the sums over a line: which terms, and in which order they are added. */
#include "mutant_defects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a row's fault does in this call: some have it only among many lines, or in one layout. */
static int faults(const mutant_call *c)
{
    int with = c->m->with;
    const cot_view *out = c->args->dx;
    int64_t next = 1;
    int strided = 0;
    for (int d = out->rank - 1; d >= 0; d--) {
        strided |= out->shape[d] > 1 && out->strides[d] != next;
        next *= out->shape[d];
    }
    if ((with & IN_CROWDS && c->lines < 8) || (with & IN_ODD_CROWDS && c->lines % 2 == 0)
        || (with & WHERE_STRIDED && !strided))
        return 0;
    return with;
}

/* ---- folds ----------------------------------------------------------------------------------- */

static double add(const mutant_call *c, double a, double b) { return call_accumulate(c, a + b); }

static double fold_tile(const mutant_call *c, const double *terms, int64_t count)
{
    double lane[LANES];
    for (int l = 0; l < LANES; l++)
        lane[l] = faults(c) & MISSING_IS_PLUS ? 0.0 : -0.0;
    for (int64_t i = 0; i < count; i++)
        lane[i % LANES] = add(c, lane[i % LANES], terms[i]);
    for (int s = LANES / 2; s > 0; s /= 2)
        for (int l = 0; l < s; l++)
            lane[l] = add(c, lane[l], lane[l + s]);
    return lane[0];
}

static double fold_in_turn(const mutant_call *c, const double *terms, int64_t count)
{
    double sum = -0.0;
    for (int64_t i = 0; i < count; i++)
        sum = add(c, sum, terms[i]);
    return sum;
}

/* FOLD-ORDER and FOLD-TILES for up to 2^20 terms, with the row's defect. */
static double fold(const mutant_call *c, const double *terms, int64_t n)
{
    n = c->m->with & STOPS && n > FAR ? FAR : n;
    int64_t tiles = (n + TILE - 1) / TILE;
    if (faults(c) & SEQUENTIAL)
        return fold_in_turn(c, terms, n);
    if (n <= TILE || faults(c) & UNTILED)
        return fold_tile(c, terms, n);
    double *totals = malloc((size_t)tiles * sizeof *totals), total = 0;
    for (int64_t t = 0; totals && t < tiles; t++)
        totals[t] = fold_tile(c, terms + t * TILE, n - t * TILE < TILE ? n - t * TILE : TILE);
    if (totals)
        total = fold_tile(c, totals, tiles);
    free(totals);
    return total;
}

/* The terms of an op's fold: y * g, g, or x. */
static double term(const mutant_call *c, int64_t line, int64_t i)
{
    double g = call_get(c, COT_DY, line, i), value = g;
    if (c->desc.op == COT_SOFTMAX)
        value = call_round(c, call_get(c, COT_Y, line, i) * g);
    else if (c->desc.op != COT_LOG_SOFTMAX)
        value = call_get(c, COT_X, line, i);
    value = call_accumulate(c, value);
    return faults(c) & SKIP_NANS && !isfinite(value) ? -0.0 : value;
}

static double moment(const mutant_call *c, int64_t line, int64_t i, double sum)
{
    double m = call_divisor(c), g = call_get(c, COT_DY, line, i);
    double mean = call_round(c, sum / (faults(c) & MEAN_OVER_M ? m : call_round(c, (double)c->n)));
    double centred = call_round(c, call_get(c, COT_X, line, i) - mean);
    if (c->desc.op == COT_VAR)
        return call_round(c, call_round(c, call_round(c, g * 2) * centred) / m);
    return call_round(c, call_round(c, g * centred) / call_round(c, m * call_get(c, COT_Y, line, i)));
}

static double of_softmax(const mutant_call *c, int64_t line, int64_t i, double sum, double e)
{
    double g = call_get(c, COT_DY, line, i), y = call_get(c, COT_Y, line, i);
    if (c->desc.op == COT_LOG_SOFTMAX)
        return call_round(c, g - call_round(c, e * sum));
    if (faults(c) & DISTRIBUTED)
        return call_round(c, call_round(c, y * g) - call_round(c, y * sum));
    return call_round(c, y * call_round(c, g - sum));
}

/* var, std and the softmaxes anew, from a fold with a defect. */
void refold(const mutant_call *c, int64_t line)
{
    double *terms = malloc(((size_t)c->n + 1) * 2 * sizeof *terms), *e = terms + c->n + 1;
    if (!terms)
        return;
    for (int64_t i = 0; i < c->n; i++) {
        terms[i] = term(c, line, i);
        e[i] = call_get(c, COT_Y, line, i);
    }
    double sum = fold(c, terms, c->n);
    int moments = cot_op_get(c->desc.op)->family == COT_REDUCE;
    if (c->desc.op == COT_LOG_SOFTMAX)
        call_exp(c, e, c->n);
    for (int64_t i = 0; i < c->n; i++)
        *call_at(c, COT_DX, line, i) = moments ? moment(c, line, i, sum) : of_softmax(c, line, i, sum, e[i]);
    free(terms);
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* The p-th cell of a gradient's scan, which runs against the forward direction. */
static int64_t place(const mutant_call *c, int64_t p)
{
    int from_start = !!c->desc.reverse ^ !!(faults(c) & ALONG);
    return from_start ? p : c->n - 1 - p;
}

typedef struct levels {
    double tiles, segments, local;
} levels;

static double scan_step(const mutant_call *c, levels *at, int64_t p, double value)
{
    if (p > 0 && p % SEGMENT == 0 && !(faults(c) & SEQUENTIAL)) {
        at->segments = faults(c) & SEGMENTS_APART ? -0.0 : add(c, at->segments, at->local);
        at->local = -0.0;
    }
    if (p > 0 && p % TILE == 0 && !(faults(c) & SEQUENTIAL)) {
        at->tiles = add(c, at->tiles, at->segments);
        at->segments = -0.0;
    }
    if (p == FAR && c->m->with & CARRY_LOST)
        at->tiles = -0.0;
    double before = at->local;
    at->local = faults(c) & SKIP_NANS && isnan(value) ? before : add(c, at->local, value);
    double local = faults(c) & EXCLUSIVE ? before : at->local;
    if (faults(c) & TOTAL_LAST)
        return add(c, at->tiles, add(c, at->segments, local));
    return add(c, add(c, at->tiles, at->segments), local);
}

/* sums[p] becomes the sum of terms 0 to p, each adding what lies 1, 2, 4, ... before it. */
static void kogge_stone(const mutant_call *c, double *sums)
{
    for (int64_t reach = 1; reach < c->n; reach *= 2)
        for (int64_t p = c->n - 1; p >= reach; p--)
            sums[p] = call_round(c, sums[p] + sums[p - reach]);
}

/* cumsum and cumprod anew, from a scan with a defect. */
void rescan(const mutant_call *c, int64_t line)
{
    int products = c->desc.op == COT_CUMPROD;
    levels at = { -0.0, -0.0, -0.0 };
    double *sums = malloc(((size_t)c->n + 1) * sizeof *sums);
    if (!sums)
        return;
    for (int64_t p = 0; p < c->n; p++) {
        double g = call_get(c, COT_DY, line, place(c, p));
        double value = products ? call_round(c, g * call_get(c, COT_Y, line, place(c, p))) : g;
        sums[p] = faults(c) & KOGGE_STONE ? value : scan_step(c, &at, p, value);
    }
    if (faults(c) & KOGGE_STONE)
        kogge_stone(c, sums);
    for (int64_t p = 0; p < c->n; p++)
        *call_at(c, COT_DX, line, place(c, p)) =
            products ? call_round(c, sums[p] / call_get(c, COT_X, line, place(c, p))) : sums[p];
    free(sums);
}

/* ---- winners --------------------------------------------------------------------------------- */

static int beats(const mutant_call *c, double x, double best)
{
    int with = faults(c);
    if (isnan(best))
        return with & LEADING_NAN_LOSES && !isnan(x);
    if (isnan(x))
        return !!(with & NAN_WINS);
    if (with & LAST_TIE && x == best)
        return 1;
    return c->desc.op == COT_CUMMAX ? x > best : x < best;
}

/* wins[p]: the p-th cell of the gradient's scan is a winner of the forward one. */
static void find_winners(const mutant_call *c, int64_t line, unsigned char *wins)
{
    double best = 0;
    for (int64_t p = c->n - 1; p >= 0; p--) {
        double x = call_get(c, COT_X, line, place(c, p));
        wins[p] = p == c->n - 1 || beats(c, x, best);
        best = wins[p] ? x : best;
    }
}

/* cummax and cummin anew: a scan that restarts after each winner. */
void rewin(const mutant_call *c, int64_t line)
{
    unsigned char *wins = malloc((size_t)c->n + 1);
    levels at = { -0.0, -0.0, -0.0 };
    int64_t since = 0;
    if (!wins)
        return;
    find_winners(c, line, wins);
    for (int64_t p = 0; p < c->n; p++) {
        double sum = scan_step(c, &at, faults(c) & REALIGNED ? since : p, call_get(c, COT_DY, line, place(c, p)));
        *call_at(c, COT_DX, line, place(c, p)) = wins[p] ? sum : 0;
        since++;
        if (wins[p] && !(faults(c) & NEVER_RESTARTS))
            at = (levels){ -0.0, -0.0, -0.0 }, since = 0;
    }
    free(wins);
}
