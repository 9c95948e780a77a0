/* A line's sum in several orders, and how far each is from the exact one, in roundings of the sum of absolute terms. */
#include "own_sums.h"

#include <math.h>
#include <stdlib.h>

/* The terms, rounded to the compute type, which is binary64 where it is wide. */
typedef struct terms {
    double *at;
    int64_t n;
    int wide;
} terms;

static double add(const terms *t, double a, double b) { return t->wide ? a + b : (double)(float)(a + b); }

/* ---- sums ------------------------------------------------------------------------------------ */

/* The exact sum so far, with what its additions lost, and that of the absolute terms. */
typedef struct exactly {
    long double sum, lost, size;
} exactly;

static void count_in(exactly *e, double value)
{
    long double term = (long double)value, next = e->sum + term, part = next - e->sum;
    e->lost += (e->sum - (next - part)) + (term - part);
    e->sum = next;
    e->size += fabsl(term);
}

static double astray(const exactly *e, double sum)
{
    long double error = ((long double)sum - e->sum) - e->lost;
    return e->size > 0 ? (double)(fabsl(error) / e->size) : 0;
}

/* One term after the other, from either end: the worst of all partial sums, which are what a scan gives. */
static double in_turn(const terms *t, int backward)
{
    exactly e = { 0 };
    double sum = 0, worst = 0;
    for (int64_t i = 0; i < t->n; i++) {
        double term = t->at[backward ? t->n - 1 - i : i];
        sum = add(t, sum, term);
        count_in(&e, term);
        worst = fmax(worst, astray(&e, sum));
    }
    return worst;
}

/* x_1, then what each further one adds to the mean: times n, the sum. */
static double running_mean(const terms *t)
{
    exactly e = { 0 };
    double mean = 0;
    for (int64_t i = 0; i < t->n; i++) {
        double step = add(t, t->at[i], -mean) / (double)(i + 1);
        mean = add(t, mean, t->wide ? step : (double)(float)step);
        count_in(&e, t->at[i]);
    }
    return astray(&e, mean * (double)t->n);
}

static double halves(const terms *t, int64_t from, int64_t n)
{
    return n == 1 ? t->at[from] : add(t, halves(t, from, n / 2), halves(t, from + n / 2, n - n / 2));
}

static double pairwise(const terms *t) { return halves(t, 0, t->n); }

static double blocked(const terms *t)
{
    double sum = 0, block = 0;
    for (int64_t i = 0; i < t->n; i++) {
        block = add(t, block, t->at[i]);
        if (i % 1024 == 1023 || i == t->n - 1)
            sum = add(t, sum, block), block = 0;
    }
    return sum;
}

static double in_lanes(const terms *t)
{
    double lane[32] = { 0 }, sum = 0;
    for (int64_t i = 0; i < t->n; i++)
        lane[i % 32] = add(t, lane[i % 32], t->at[i]);
    for (int l = 0; l < 32; l++)
        sum = add(t, sum, lane[l]);
    return sum;
}

/* The largest partial sums that any order has: the positive terms, and the negative ones. */
static double signs_apart(const terms *t)
{
    double sum[2] = { 0, 0 };
    for (int64_t i = 0; i < t->n; i++)
        sum[t->at[i] < 0] = add(t, sum[t->at[i] < 0], t->at[i]);
    return add(t, sum[0], sum[1]);
}

static double worst_sum(const terms *t, int with_means)
{
    static double (*const totals[])(const terms *t) = { pairwise, blocked, in_lanes, signs_apart };
    double worst = fmax(in_turn(t, 0), in_turn(t, 1));
    exactly e = { 0 };
    for (int64_t i = 0; i < t->n; i++)
        count_in(&e, t->at[i]);
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        worst = fmax(worst, astray(&e, totals[i](t)));
    return with_means ? fmax(worst, running_mean(t)) : worst;
}

/* ---- what is summed -------------------------------------------------------------------------- */

typedef double term_fn(const own_line *l, int64_t i);

static double dy(const own_line *l, int64_t i) { return l->dy[i]; }
static double x(const own_line *l, int64_t i) { return l->x[i]; }
static double dy_y(const own_line *l, int64_t i) { return l->dy[i] * l->y[i]; }

static term_fn *terms_of(const cot_desc *desc)
{
    static term_fn *const of[] = {
        [COT_VAR] = x,          [COT_STD] = x,     [COT_SOFTMAX] = dy_y,
        [COT_LOG_SOFTMAX] = dy, [COT_CUMSUM] = dy, [COT_CUMPROD] = dy_y,
    };
    return (size_t)desc->op < sizeof of / sizeof *of && cot_uses_spec_policies(desc->op, &desc->policies) ? of[desc->op]
                                                                                                          : NULL;
}

static int take_terms(terms *t, const own_line *l, term_fn *term)
{
    double size = 0;
    for (int64_t i = 0; i < t->n; i++) {
        double number = term(l, i);
        t->at[i] = t->wide ? number : (double)(float)number;
        size += fabs(t->at[i]);
    }
    return size <= (t->wide ? 0x1p1023 : 0x1p127) ? 0 : -1;
}

double own_depth(const own_line *line)
{
    const double chance = 8, worse = 4; /* doc/bounds.md derives both */
    int wide = line->desc->element == COT_F64;
    term_fn *term = terms_of(line->desc);
    terms t = { NULL, line->n, wide };
    double depth = (double)INFINITY, unit = wide ? 0x1p-53 : 0x1p-24, most = chance * sqrt((double)line->n);
    if (term && most < (double)line->n)
        t.at = malloc((size_t)line->n * sizeof *t.at);
    if (t.at && !take_terms(&t, line, term))
        depth = fmax(most, worse * worst_sum(&t, line->desc->op == COT_VAR || line->desc->op == COT_STD) / unit);
    free(t.at);
    return depth;
}
