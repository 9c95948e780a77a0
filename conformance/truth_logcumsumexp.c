/* logcumsumexp: dx_k = sum of dy_i * exp(x_k - y_i), i from k on (LCSE).
 *
 * The exact sum is exp(x_k) times a running total of dy_i * exp(-y_i): in 256 bits, with an exponent range of 2^62, that is
 * the direct sum. Infinite x_k are kept apart in totals of their own, so that inf - inf stays the NaN that it is (LCSE-INF);
 * numbers whose exp would leave even that range are summed term by term. The literal evaluation is LCSE-LINEAR's. */
#include "truth_scan.h"

#include <math.h>

/* ---- the direct sum ------------------------------------------------------------------------------------------------ */

/* Totals over the cells from k on. */
typedef struct totals {
    real at_finite;                /* of dy_i * exp(-y_i) */
    real at_plus_inf, at_minus_inf; /* of dy_i * exp(x_k - y_i) for such an x_k */
    real weights;                  /* of |dy_i| * exp(-y_i) */
    real wandering;                /* of |dy_i| * exp(-y_i) * (how far y has moved from y_k to y_i) */
    real sizes;                    /* of 1 + |dy_i| * e^8, which no t_i of LCSE-LINEAR exceeds */
} totals;

static real exp_of(real a)
{
    return real_apply1(mpfr_exp, a);
}

static real term(double dy, double x, double y)
{
    return real_mul(real_of(dy), exp_of(real_sub(real_of(x), real_of(y))));
}

static void take(totals *t, double dy, double y, double y_moved)
{
    real own = term(dy, 0, y);
    t->wandering = real_add(t->wandering, real_mul(real_of(y_moved), t->weights));
    t->at_finite = real_add(t->at_finite, own);
    t->weights = real_add(t->weights, real_abs(own));
    t->sizes = real_add(t->sizes, real_of(1 + fabs(dy) * 2981));
    t->at_plus_inf = real_add(t->at_plus_inf, term(dy, (double)INFINITY, y));
    t->at_minus_inf = real_add(t->at_minus_inf, term(dy, -(double)INFINITY, y));
}

static real direct_sum(const totals *t, double x)
{
    if (isinf(x))
        return x > 0 ? t->at_plus_inf : t->at_minus_inf;
    return real_mul(exp_of(real_of(x)), t->at_finite);
}

/* Each term times 1 + |x_k - y_k| + (how far y has moved since): for the y of a forward scan that is 1 + |x_k - y_i|. An
 * infinite difference is exact. */
static real condition_at(const totals *t, double x, double y)
{
    if (isinf(x))
        return real_abs(direct_sum(t, x));
    real own = isinf(y) ? real_of(1) : real_add(real_of(1), real_abs(real_sub(real_of(x), real_of(y))));
    return real_mul(exp_of(real_of(x)), real_add(real_mul(own, t->weights), t->wandering));
}

static int is_huge(double v)
{
    return isfinite(v) && fabs(v) > 0x1p40;
}

typedef struct direct {
    real sum, condition;
} direct;

/* The p + 1 terms of the cell at p against the scan, one by one. */
static direct term_by_term(const work *w, int64_t p)
{
    direct d = { real_of(-0.0), real_of(0) };
    double x = w->line->x[cell_against(w, p)];
    for (int64_t q = 0; q <= p; q++) {
        int64_t i = cell_against(w, q);
        real own = term(w->line->dy[i], x, w->line->y[i]);
        real away = isinf(w->line->y[i]) ? real_of(0) : real_abs(real_sub(real_of(x), real_of(w->line->y[i])));
        d.sum = real_add(d.sum, own);
        if (!real_is_zero(own))
            d.condition = real_add(d.condition, real_mul(real_abs(own), real_add(real_of(1), away)));
    }
    return d;
}

static direct factored(const totals *t, double x, double y)
{
    return (direct){ direct_sum(t, x), condition_at(t, x, y) };
}

/* What underflows in LCSE-LINEAR may add: each of its products (four a cell, none more than `sizes` before it is scaled by
 * exp(x_k - r(y_k))) errs as if it were the least normal number. */
static real underflow_condition(const work *w, const totals *t, double x, double y)
{
    real scale = real_add(real_of(1), exp_of(real_of(x - y + 8)));
    return real_mul(real_of(4 * least_normal(w->compute)), real_mul(scale, t->sizes));
}

/* ---- LCSE-LINEAR --------------------------------------------------------------------------------------------------- */

static double to_sixteens(const work *w, double v)
{
    double huge = w->compute == &compute_double ? 0x1p51 : 0x1p22;
    return !isfinite(v) || fabs(v) >= huge ? v : 16 * rint(v / 16);
}

static literal as_literal(const work *w, double v)
{
    return (literal){ v, w->compute, 0 };
}

static literal exp_between(const work *w, double from, double to)
{
    return l_exp(l_sub(as_literal(w, to), as_literal(w, from)));
}

/* Leaves t and w of the clause in `sums` and `terms`, in the order against the scan, and H in `others`. */
static void linear_recurrence(work *w)
{
    double previous = 0;
    for (int64_t p = 0; p < w->n; p++) {
        int64_t i = cell_against(w, p);
        double y = w->line->y[i], near = to_sixteens(w, y);
        literal dy = as_literal(w, w->line->dy[i]);
        w->sums[p].literal = isinf(y) ? dy : l_mul(dy, exp_between(w, y, near));
        w->terms[p].literal = p == 0 || near == previous ? as_literal(w, 1) : exp_between(w, previous, near);
        previous = near;
    }
    recurrence_literal(w->sums, w->terms, w->n, w->others);
}

/* ---- together ------------------------------------------------------------------------------------------------------ */

/* The direct sum decides what is NaN or infinite; the sign of a zero it does not (exp(-inf) * H and the sum of dy_i * 0 may
 * differ in it), nor what an infinite dy_i makes of an exp that has vanished. Where y is foreign, nothing but a NaN on which both
 * agree is certain, and there is no bound. */
static literal settle(literal linear, real exact, int foreign, int vanished)
{
    int both_nan = real_is_nan(exact) && isnan(linear.value);
    if (vanished && !real_is_finite(exact) && isnan(linear.value)) {
        linear.flags = 0;
    } else if (both_nan || (!real_is_finite(exact) && !foreign && !(linear.flags & LITERAL_RANGE))) {
        linear.value = real_to(exact);
        linear.flags = 0;
    } else {
        linear.flags |= LITERAL_FUNCTION | LITERAL_FRAGILE | (foreign ? LITERAL_RANGE : 0);
    }
    return linear;
}

/* What is true of some cell from this one on. */
typedef struct signs {
    int has_huge;
    int turned_back; /* y, as no forward scan's does */
    int vanished;    /* a weight of LCSE-LINEAR that underflowed to 0 */
} signs;

/* A foreign y turns back, or lies below an infinite x. */
static value evaluate(work *w, int64_t p, const totals *t, signs s)
{
    int64_t k = cell_against(w, p);
    double x = w->line->x[k], y = w->line->y[k];
    int foreign = s.turned_back || (isinf(x) && x > y);
    direct d = isfinite(x) && (s.has_huge || is_huge(x)) ? term_by_term(w, p) : factored(t, x, y);
    literal scale = exp_between(w, to_sixteens(w, y), x), linear = l_mul(scale, w->others[p].literal);
    s.vanished |= isfinite(x) && isfinite(y) && scale.value == 0;
    if (linear.flags & (LITERAL_TINY | LITERAL_UNDERFLOW))
        d.condition = real_add(d.condition, underflow_condition(w, t, x, y));
    return (value){ d.sum, d.condition, settle(linear, d.sum, foreign, s.vanished), 0 };
}

void logcumsumexp_dx(work *w)
{
    real zero = real_of(-0.0);
    totals t = { zero, zero, zero, zero, zero, zero };
    double y_after = 0;
    signs s = { 0 };
    linear_recurrence(w);
    for (int64_t p = 0; p < w->n; p++) {
        int64_t k = cell_against(w, p);
        double y = w->line->y[k];
        int moved = p > 0 && isfinite(y) && isfinite(y_after);
        s.turned_back |= p > 0 && to_sixteens(w, y) > to_sixteens(w, y_after);
        s.has_huge |= is_huge(y);
        s.vanished |= moved && w->terms[p].literal.value == 0;
        take(&t, w->line->dy[k], y, moved ? fabs(y - y_after) : 0);
        w->first[k] = evaluate(w, p, &t, s);
        y_after = y;
    }
}

/* ---- forward: FWD-SCAN --------------------------------------------------------------------------------------------- */

static int rises(double next, double most)
{
    return !isnan(most) && (isnan(next) || next > most);
}

/* The sum relative to its largest term, which never overflows. */
void logcumsumexp_y(work *w)
{
    double most = -(double)INFINITY;
    real sum = real_of(0);
    for (int64_t p = 0; p < w->n; p++) {
        int64_t i = cell_along(w, p);
        double next = w->line->x[i];
        if (rises(next, most)) {
            sum = real_is_zero(sum) ? sum : real_mul(sum, term(1, most, next));
            most = next;
        }
        w->first[i] = given(w, most);
        if (!isfinite(most))
            continue;
        sum = real_add(sum, term(1, next, most));
        real log = real_apply1(mpfr_log, sum), y = real_add(real_of(most), log);
        real condition = real_add(real_of(1 + fabs(most)), real_abs(log));
        literal nearest = { rounded(w->compute, real_to(y)), w->compute, LITERAL_FUNCTION | LITERAL_FRAGILE };
        w->first[i] = (value){ y, condition, nearest, 0 };
    }
}
