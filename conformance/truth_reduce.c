/* Reductions: clauses of section 3, and FWD-REDUCE, FWD-LSE, FWD-EMPTY. */
#include "truth_ops.h"

#include <math.h>

static value dy(const work *w) { return given(w, w->line->dy[0]); }
static value y(const work *w) { return given(w, w->line->y[0]); }
static value x(const work *w, int64_t i) { return given(w, w->line->x[i]); }

static void fill(work *w, value v)
{
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v;
}

/* ---- sum, mean ----------------------------------------------------------------------------------------------------- */

static value sum_of_x(work *w)
{
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = x(w, i);
    return sum_fold(w->terms, w->n, w->compute);
}

static value mean_of_x(work *w)
{
    return v_div(sum_of_x(w), given_count(w, w->n));
}

static void sum_dx(work *w) { fill(w, dy(w)); }
static void mean_dx(work *w) { fill(w, v_div(dy(w), given_count(w, w->desc->shape[w->desc->axis]))); }
static void sum_y(work *w) { w->first[0] = sum_of_x(w); }
static void mean_y(work *w) { w->first[0] = mean_of_x(w); }

/* ---- max, min ------------------------------------------------------------------------------------------------------ */

/* Marks the cells that take g, and counts them. */
static int64_t mark_winners(work *w)
{
    double extremum = w->line->y[0];
    int first_nan = isnan(extremum) && w->desc->policies.max_nan == COT_MAX_NAN_FIRST; /* POLICY-MAX-NAN */
    int ties = first_nan ? COT_TIES_FIRST : w->desc->policies.ties;
    int64_t count = 0, last = -1;
    for (int64_t i = 0; i < w->n; i++) {
        int wins = first_nan ? isnan(w->line->x[i]) : w->line->x[i] == extremum;
        w->marks[i] = (unsigned char)(wins && !(ties == COT_TIES_FIRST && count));
        if (wins && ties == COT_TIES_LAST && last >= 0)
            w->marks[last] = 0;
        if (wins)
            count++, last = i;
    }
    return count;
}

static void max_dx(work *w) /* MAX, MAX-TIE, MAX-NAN, POLICY-TIES */
{
    int64_t winners = mark_winners(w);
    value share = dy(w), nothing = given(w, 0.0);
    if (w->desc->policies.ties == COT_TIES_SPLIT && winners && !isnan(w->line->y[0]))
        share = v_div(share, given_count(w, winners));
    if (w->desc->policies.max_nan == COT_MAX_NAN_SPREAD && isnan(w->line->y[0]))
        nothing = given(w, (double)NAN);
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = w->marks[i] ? share : nothing;
}

/* NaN where there is one; +0 lies above -0. */
static double extremum(const work *w, int sign)
{
    double best = w->line->x[0];
    for (int64_t i = 1; i < w->n; i++) {
        double v = w->line->x[i];
        int better = sign > 0 ? v > best : v < best;
        int zero = v == 0 && best == 0 && (sign > 0 ? signbit(best) : signbit(v));
        if (!isnan(best) && (isnan(v) || better || zero))
            best = v;
    }
    return best;
}

static void max_y(work *w) { w->first[0] = given(w, extremum(w, 1)); }
static void min_y(work *w) { w->first[0] = given(w, extremum(w, -1)); }

/* ---- prod, norm2, logsumexp ---------------------------------------------------------------------------------------- */

static void literal_prod_dx(work *w) /* PROD, PROD-ZERO */
{
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v_div(v_mul(dy(w), y(w)), x(w, i));
}

/* POLICY-ZEROS-PROD: the product before j times the product after it. */
static void exact_prod_dx(work *w)
{
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = x(w, i);
    product_scan(w->terms, w->n, w->sums);
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = x(w, w->n - 1 - i);
    product_scan(w->terms, w->n, w->others);
    for (int64_t i = 0; i < w->n; i++) {
        value before = i ? w->sums[i - 1] : given(w, 1);
        value after = i < w->n - 1 ? w->others[w->n - 2 - i] : given(w, 1);
        w->first[i] = v_mul(dy(w), v_mul(before, after));
    }
}

static void prod_dx(work *w)
{
    w->desc->policies.zeros == COT_ZEROS_EXACT ? exact_prod_dx(w) : literal_prod_dx(w);
}

static void prod_y(work *w)
{
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = x(w, i);
    w->first[0] = product_fold(w->terms, w->n, w->compute);
}

/* POLICY-DENOMINATOR */
static int is_zero_denominator(const work *w)
{
    return w->desc->policies.denominator == COT_DENOMINATOR_ZERO && w->line->y[0] == 0;
}

static void norm2_dx(work *w) /* NORM2, NORM2-ZERO */
{
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = is_zero_denominator(w) ? given(w, 0.0) : v_div(v_mul(dy(w), x(w, i)), y(w));
}

static void norm2_y(work *w)
{
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = v_mul(x(w, i), x(w, i));
    w->first[0] = v_sqrt(sum_fold(w->terms, w->n, w->compute));
}

static void logsumexp_dx(work *w) /* LSE, LSE-INF */
{
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v_mul(dy(w), v_exp(v_sub(x(w, i), y(w))));
}

static void logsumexp_y(work *w) /* FWD-LSE; of nothing, -inf */
{
    double most = w->n ? extremum(w, 1) : -(double)INFINITY;
    w->first[0] = given(w, most);
    if (!isfinite(most))
        return;
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = v_exp(v_sub(x(w, i), given(w, most)));
    w->first[0] = v_add(given(w, most), v_log(sum_fold(w->terms, w->n, w->compute)));
}

/* ---- var, std ------------------------------------------------------------------------------------------------------ */

/* VAR-CORRECTION, VAR-CLAMP, POLICY-DIVISOR */
static value divisor(const work *w)
{
    int64_t m = w->n - w->desc->correction;
    return given_count(w, m > 0 || w->desc->policies.divisor != COT_DIVISOR_ONE ? m : 1);
}

static value live_dy(const work *w)
{
    int dead = w->desc->policies.divisor == COT_DIVISOR_DEAD && w->n - w->desc->correction <= 0;
    return dead ? given(w, 0.0) : dy(w);
}

static void var_dx(work *w) /* VAR, VAR-MEAN */
{
    value mean = mean_of_x(w), m = divisor(w), twice = v_mul(live_dy(w), given(w, 2));
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v_div(v_mul(twice, v_sub(x(w, i), mean)), m);
}

static void std_dx(work *w) /* STD, STD-ZERO */
{
    value mean = mean_of_x(w), by = v_mul(divisor(w), y(w)), g = live_dy(w);
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = is_zero_denominator(w) ? given(w, 0.0) : v_div(v_mul(g, v_sub(x(w, i), mean)), by);
}

static value variance(work *w)
{
    if (w->n == 0)
        return given(w, (double)NAN);
    value mean = mean_of_x(w);
    for (int64_t i = 0; i < w->n; i++) {
        value from_mean = v_sub(x(w, i), mean);
        w->terms[i] = v_mul(from_mean, from_mean);
    }
    return v_div(sum_fold(w->terms, w->n, w->compute), divisor(w));
}

static void var_y(work *w) { w->first[0] = variance(w); }
static void std_y(work *w) { w->first[0] = v_sqrt(variance(w)); }

const truth_op truth_reduce[] = {
    [COT_SUM] = { "SUM", sum_dx, sum_y },
    [COT_MEAN] = { "MEAN", mean_dx, mean_y },
    [COT_MAX] = { "MAX", max_dx, max_y },
    [COT_MIN] = { "MAX", max_dx, min_y },
    [COT_PROD] = { "PROD", prod_dx, prod_y },
    [COT_NORM2] = { "NORM2", norm2_dx, norm2_y },
    [COT_LOGSUMEXP] = { "LSE", logsumexp_dx, logsumexp_y },
    [COT_VAR] = { "VAR", var_dx, var_y },
    [COT_STD] = { "STD", std_dx, std_y },
};
