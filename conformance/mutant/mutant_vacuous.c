/* Mutants of long lines, in every op that sums: their results are nothing, or leave out what lies beyond 65,536 terms.
 * A judge that does not look at every cell of a long line lets them pass. Everything but the fault is right to far more
 * than the element type's precision, and takes time linear in the line. */
#include "mutant_call.h"

#include <math.h>
#include <stdlib.h>

enum { REACH = 65536 };                            /* terms that are summed, or whose sum is forgotten then */
enum { ALL_ZERO, ALL_42, STOPS, LOSES_THE_CARRY }; /* a row's `with` */

static const double *operand_line(const mutant_call *c, cot_operand operand, int64_t line)
{
    return call_at(c, operand, line, 0);
}

/* The p-th cell of a gradient's scan, which runs against the forward direction. */
static int64_t place(const mutant_call *c, int64_t p) { return (c->desc.reverse ? p : c->n - 1 - p) * c->inner; }

/* A running sum of terms, whose fault comes after REACH of them. */
static double add(const mutant_call *c, double sum, int64_t p, double term)
{
    if (p >= REACH && c->m->with == STOPS)
        return sum;
    return p == REACH && c->m->with == LOSES_THE_CARRY ? term : sum + term;
}

/* ---- folds: what a line sums, and what becomes of it ------------------------------------------ */

static double fold(const mutant_call *c, int64_t line)
{
    double sum = 0;
    for (int64_t i = 0; i < c->n; i++) {
        double g = call_get(c, COT_DY, line, i), y = call_get(c, COT_Y, line, i), x = call_get(c, COT_X, line, i);
        double term = c->desc.op == COT_SOFTMAX ? y * g : c->desc.op == COT_LOG_SOFTMAX ? g : x;
        sum = add(c, sum, i, term);
    }
    return sum;
}

static void refold_long(const mutant_call *c, int64_t line)
{
    double sum = fold(c, line), mean = sum / (double)c->n, m = call_divisor(c);
    for (int64_t i = 0; i < c->n; i++) {
        double g = call_get(c, COT_DY, line, i), y = call_get(c, COT_Y, line, i), x = call_get(c, COT_X, line, i);
        double *out = call_at(c, COT_DX, line, i);
        switch ((int)c->desc.op) {
        case COT_SOFTMAX: *out = y * (g - sum); break;
        case COT_LOG_SOFTMAX: *out = g - exp(y) * sum; break;
        case COT_VAR: *out = 2 * g * (x - mean) / m; break;
        case COT_STD: *out = g * (x - mean) / (m * y); break;
        default: abort(); /* SUMS names no other fold */
        }
    }
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* Of cummax and cummin: where a gradient's sum ends, because the cell has won. */
static void find_winners(const mutant_call *c, const double *x, unsigned char *wins)
{
    double best = 0;
    for (int64_t p = c->n - 1; p >= 0; p--) {
        double value = x[place(c, p)];
        wins[p] = p == c->n - 1 || (c->desc.op == COT_CUMMAX ? value > best : value < best);
        best = wins[p] ? value : best;
    }
}

static void winners(const mutant_call *c, int64_t line)
{
    unsigned char *wins = malloc((size_t)c->n + 1);
    const double *g = operand_line(c, COT_DY, line);
    double *out = call_at(c, COT_DX, line, 0), sum = 0;
    int64_t since = 0;
    if (!wins)
        return;
    find_winners(c, operand_line(c, COT_X, line), wins);
    for (int64_t p = 0; p < c->n; p++) {
        sum = add(c, sum, since++, g[place(c, p)]);
        out[place(c, p)] = wins[p] ? sum : 0;
        if (wins[p])
            sum = 0, since = 0;
    }
    free(wins);
}

static void sums(const mutant_call *c, int64_t line)
{
    const double *g = operand_line(c, COT_DY, line);
    int products = c->desc.op == COT_CUMPROD;
    double *out = call_at(c, COT_DX, line, 0), sum = 0;
    for (int64_t p = 0; p < c->n; p++) {
        int64_t at = place(c, p);
        double y = products ? operand_line(c, COT_Y, line)[at] : 1, x = products ? operand_line(c, COT_X, line)[at] : 1;
        sum = add(c, sum, p, g[at] * y);
        out[at] = sum / x;
    }
}

/* dx_j = exp(x_j - y_j) * R_j with R_j = dy_j + exp(y_j - y_next) * R_next. */
static void recurrence(const mutant_call *c, int64_t line)
{
    const double *g = operand_line(c, COT_DY, line), *x = operand_line(c, COT_X, line),
                 *y = operand_line(c, COT_Y, line);
    double *out = call_at(c, COT_DX, line, 0), sum = 0;
    for (int64_t p = 0; p < c->n; p++) {
        int64_t at = place(c, p);
        sum = add(c, p ? sum * exp(y[at] - y[place(c, p - 1)]) : 0, p, g[at]);
        out[at] = exp(x[at] - y[at]) * sum;
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static void spoil(const mutant_call *c, int64_t line)
{
    cot_kind kind = cot_op_get(c->desc.op)->kind;
    for (int64_t i = 0; i < c->n && c->m->with <= ALL_42; i++)
        *call_at(c, COT_DX, line, i) = c->m->with == ALL_42 ? 42 : 0;
    if (c->m->with <= ALL_42)
        return;
    if (c->desc.op == COT_CUMMAX || c->desc.op == COT_CUMMIN)
        winners(c, line);
    else if (kind == COT_KIND_RECURRENCE)
        recurrence(c, line);
    else
        cot_op_get(c->desc.op)->family == COT_SCAN ? sums(c, line) : refold_long(c, line);
}

#define SUMS "var, std, softmax, log_softmax, cumsum, cumprod, cummax, cummin, logcumsumexp"
static const mutant vacuous[] = {
    { "long_zeros", "BOUND", SUMS, "", "gives zeros", .with = ALL_ZERO, .line = spoil },
    { "long_constant", "BOUND", SUMS, "", "gives 42", .with = ALL_42, .line = spoil },
    { "long_stops", "BOUND", SUMS, "", "sums 65,536 terms and no more", .with = STOPS, .line = spoil },
    { "long_carry_lost", "BOUND", SUMS, "", "starts anew after 65,536 terms", .with = LOSES_THE_CARRY, .line = spoil },
};

const mutant *vacuous_at(int index)
{
    return index >= 0 && index < (int)(sizeof vacuous / sizeof *vacuous) ? &vacuous[index] : NULL;
}
