/* The exact sums of logcumsumexp, which truth makes in one walk with a moving anchor, against the definition: every
 * term by itself, in MPFR. Lines of every generator and of numbers at the ends of their range, with the y of the
 * forward operation and with others. */
#include "test_truth.h"
#include "truth_format.h"
#include "truth_real.h"

#include "conformance/case/generate.h"

static sample s;

static real gap(double a, double b) { return real_apply2(mpfr_sub, real_of(a), real_of(b)); }

/* LCSE as it stands: O(n) for each cell. */
static real term_by_term(int64_t k)
{
    real sum = real_of(-0.0);
    for (int64_t i = k; i < s.n; i++)
        sum = real_apply2(mpfr_add, sum,
                          real_apply2(mpfr_mul, real_of(s.dy[i]), real_apply1(mpfr_exp, gap(s.x[k], s.y[i]))));
    return sum;
}

/* The same of |dy_i| * exp(x_k - y_i) * (1 + |x_k - y_i|), which bounds are relative to for a y that only rises. */
static long double sizes_by_term(int64_t k)
{
    long double sum = 0;
    for (int64_t i = k; i < s.n; i++) {
        long double away = isinf(s.y[i]) ? 0 : real_size(gap(s.x[k], s.y[i]));
        real own = real_apply2(mpfr_mul, real_of(s.dy[i]), real_apply1(mpfr_exp, gap(s.x[k], s.y[i])));
        sum += real_is_zero(own) ? 0 : real_size(own) * (1 + away);
    }
    return sum;
}

/* What is added where a product of LCSE-LINEAR underflows: four a cell, each off by no more than the least normal
 * number, from whose size they are scaled by exp(x_k - y_k + 8) at most. */
static long double lost_by_underflow(int64_t k)
{
    long double terms = 0, least = compute_format(s.desc.element)->least_normal;
    for (int64_t i = k; i < s.n; i++)
        terms += 1 + (long double)fabs(s.dy[i]) * 2981;
    return 4 * least * (1 + expl((long double)s.x[k] - s.y[k] + 8)) * terms;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static double drawn(cot_operand operand, int which, uint64_t seed, int64_t i)
{
    double cell;
    draw d = { seed, operand, s.desc.element, i, s.n, i, 0 };
    generate(which, &d, &cell);
    return cot_cell_get(s.desc.element, &cell);
}

/* Steps of y between a unit in the last place and the whole range, up, down, or both ways. */
static double stepped(int way, uint64_t seed, int64_t i, double before)
{
    double step = fabs(drawn(COT_A, generator_find("exponents"), seed, i));
    double next = way < 0 || (way == 0 && i % 3 == 0) ? before - step : before + step;
    return truth_round(s.desc.element, isfinite(next) ? next : before);
}

static int rises(void)
{
    int rise = 1;
    for (int64_t i = 1; i < s.n; i++)
        rise &= s.y[i] >= s.y[i - 1];
    for (int64_t i = 0; i < s.n; i++)
        rise &= s.x[i] <= s.y[i];
    return rise;
}

/* ---- comparing ------------------------------------------------------------------------------- */

typedef struct tally {
    int64_t lines, cells, finite, sized; /* looked at */
    int64_t kinds, values, sizes;        /* of them, that differ */
} tally;

static real scaled(double high, double rest, int exponent)
{
    real sum = real_apply2(mpfr_add, real_of(high), real_of(rest));
    sum.exponent += real_is_zero(sum) ? 0 : exponent;
    return sum;
}

/* What a double cannot tell from zero or from infinity is either here. */
static int is_beyond(real r) { return !real_is_finite(r) || real_size(r) > 0x1p8000L || real_size(r) < 0x1p-8000L; }

static void compare_cell(tally *t, int64_t k, int in_order)
{
    const truth_cell *cell = &s.first[k];
    real want = term_by_term(k), got = scaled(cell->exact, cell->rest, cell->exponent);
    long double size = sizes_by_term(k), condition = ldexpl((long double)cell->condition, cell->exponent);
    t->cells++;
    if (is_beyond(want)) {
        t->kinds += isfinite(cell->exact) && !is_beyond(got);
        return;
    }
    t->finite++;
    real off = real_apply2(mpfr_sub, want, got);
    int value = !(real_size(off) <= 0x1p-100L * condition), sized = in_order && isfinite(size) && size > 0x1p-8000L;
    int wrong_size = condition < (1 - 1e-6L) * size || condition > (1 + 1e-6L) * (size + lost_by_underflow(k));
    t->values += value;
    t->sized += sized;
    t->sizes += sized && wrong_size;
    if ((value || (sized && wrong_size)) && t->values + t->sizes < 4)
        diag("cell %d: x %g, y %g: %Lg, %g; size %Lg, %Lg", (int)k, s.x[k], s.y[k], real_size(want), cell->exact, size,
             condition);
}

static void compare_line(tally *t)
{
    truth_line line = { &s.desc, s.n, s.dy, s.x, s.y, NULL, NULL };
    int sure, in_order = rises();
    if (truth_gradient_by(TRUTH_WIDE, &line, s.first, NULL, &sure))
        BAIL_OUT("out of memory");
    real_begin();
    t->lines++;
    for (int64_t k = 0; k < s.n; k++)
        compare_cell(t, k, in_order);
}

static void report(const tally *t, const char *what, cot_element element)
{
    ok(t->finite > t->cells / 4 && t->sized > 0 && !t->kinds && !t->values && !t->sizes,
       "%s %s: %lld lines of %lld cells, %lld finite; differ: %lld kinds, %lld values, %lld of %lld sizes",
       cot_element_name(element), what, (long long)t->lines, (long long)t->cells, (long long)t->finite,
       (long long)t->kinds, (long long)t->values, (long long)t->sizes, (long long)t->sized);
}

static void check_generators(cot_element element)
{
    tally t = { 0 };
    for (int g = 0; generator_at(g); g++) {
        start_sample(&s, COT_LOGCUMSUMEXP, element, 40);
        for (int64_t i = 0; i < s.n; i++) {
            s.dy[i] = drawn(COT_DY, g, 5, i);
            s.x[i] = drawn(COT_X, g, 5, i);
        }
        save_forward(&s);
        compare_line(&t);
    }
    report(&t, "every generator", element);
}

/* x at its y, or a little below or above it. */
static void check_steps(cot_element element)
{
    tally t = { 0 };
    for (int way = -1; way <= 1; way++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            start_sample(&s, COT_LOGCUMSUMEXP, element, 40);
            for (int64_t i = 0; i < s.n; i++) {
                s.dy[i] = drawn(COT_DY, generator_find("uniform"), seed, i);
                s.y[i] = stepped(way, seed, i, i ? s.y[i - 1] : 0);
                s.x[i] = truth_round(element, s.y[i] - (way > 0 ? fabs(s.dy[i]) : 4 * s.dy[i]));
            }
            compare_line(&t);
        }
    report(&t, "a y that steps", element);
}

int main(void)
{
    plan(NO_PLAN);
    real_begin();
    for (int e = COT_F16; e <= COT_F64; e++) {
        check_generators((cot_element)e);
        check_steps((cot_element)e);
    }
    truth_end();
    return done_testing();
}
