/* The functions under test beside their truth, and how far a result is from it, in units in the last place (ULP). */
#ifndef COT_MATH_MEASURE_H
#define COT_MATH_MEASURE_H

#include <mpfr.h>

#include "math.h"

/* A binary format: bits of precision, the exponents of its smallest subnormal and of the first power past its range. */
typedef struct {
    int bits, least, past;
} format;

static const format format_f = { 24, -149, 128 };
static const format format_d = { 53, -1074, 1024 };

/* The exponent of one ULP at v, which is finite and not 0. */
static inline long ulp_exponent(const mpfr_t v, const format *f)
{
    long e = mpfr_get_exp(v) - f->bits;
    return e > f->least ? e : f->least;
}

/* |got - truth| in ULP of the truth. An overflow counts as the first power past the range. What has no distance (NaN,
 * infinity, the sign of a zero) is right, 0, or wrong, infinity. */
static inline double ulps(double got, const mpfr_t truth, const format *f)
{
    if (mpfr_nan_p(truth) || got != got)
        return mpfr_nan_p(truth) && got != got ? 0 : __builtin_inf();
    if (!!mpfr_signbit(truth) != !!__builtin_signbit(got))
        return __builtin_inf();
    if (mpfr_inf_p(truth) || mpfr_zero_p(truth))
        return mpfr_cmp_d(truth, got) == 0 ? 0 : __builtin_inf();

    mpfr_t distance;
    mpfr_init2(distance, 200);
    mpfr_set_d(distance, got, MPFR_RNDN);
    if (mpfr_inf_p(distance))
        mpfr_set_si_2exp(distance, got < 0 ? -1 : 1, f->past, MPFR_RNDN);
    if (__builtin_isinf(got) && mpfr_cmpabs(truth, distance) > 0)
        mpfr_set(distance, truth, MPFR_RNDN);
    mpfr_sub(distance, distance, truth, MPFR_RNDN);
    mpfr_mul_2si(distance, distance, -ulp_exponent(truth, f), MPFR_RNDN);
    double units = mpfr_get_d(distance, MPFR_RNDN);
    mpfr_clear(distance);
    return units < 0 ? -units : units;
}

/* v to the nearest number of the format, ties to even. */
static inline double nearest(const mpfr_t v, const format *f)
{
    if (mpfr_regular_p(v) == 0)
        return mpfr_get_d(v, MPFR_RNDN);
    mpfr_t r;
    long e = ulp_exponent(v, f);
    mpfr_init2(r, mpfr_get_prec(v));
    mpfr_mul_2si(r, v, -e, MPFR_RNDN);
    mpfr_rint(r, r, MPFR_RNDN);
    mpfr_mul_2si(r, r, e, MPFR_RNDN);
    double d = mpfr_get_exp(r) > f->past && !mpfr_zero_p(r) ? mpfr_sgn(r) * __builtin_inf() : mpfr_get_d(r, MPFR_RNDN);
    mpfr_clear(r);
    return d;
}

typedef struct {
    const char *name;
    double (*run[2])(double x, double y); /* in float, in double */
    int (*truth)(mpfr_t r, const mpfr_t x, const mpfr_t y);
} function;

// clang-format off
#define RUN_1(name) \
    static double run_##name##_f(double x, double y) { (void)y; return (double)name##_f((float)x); } \
    static double run_##name##_d(double x, double y) { (void)y; return name##_d(x); }
// clang-format on
#define RUN_2(name) \
    static double run_##name##_f(double x, double y) { return (double)name##_f((float)x, (float)y); } \
    static double run_##name##_d(double x, double y) { return name##_d(x, y); }
RUN_1(exp)
RUN_1(log)
RUN_2(pow)
RUN_2(hypot)
RUN_2(atan2)

static int truth_exp(mpfr_t r, const mpfr_t x, const mpfr_t y)
{
    (void)y;
    return mpfr_exp(r, x, MPFR_RNDN);
}
static int truth_log(mpfr_t r, const mpfr_t x, const mpfr_t y)
{
    (void)y;
    return mpfr_log(r, x, MPFR_RNDN);
}
static int truth_pow(mpfr_t r, const mpfr_t x, const mpfr_t y) { return mpfr_pow(r, x, y, MPFR_RNDN); }
static int truth_hypot(mpfr_t r, const mpfr_t x, const mpfr_t y) { return mpfr_hypot(r, x, y, MPFR_RNDN); }
static int truth_atan2(mpfr_t r, const mpfr_t x, const mpfr_t y) { return mpfr_atan2(r, x, y, MPFR_RNDN); }

enum { EXP, LOG, POW, HYPOT, ATAN2, FUNCTIONS };

// clang-format off
static const function functions[FUNCTIONS] = {
    { "exp", { run_exp_f, run_exp_d }, truth_exp },
    { "log", { run_log_f, run_log_d }, truth_log },
    { "pow", { run_pow_f, run_pow_d }, truth_pow },
    { "hypot", { run_hypot_f, run_hypot_d }, truth_hypot },
    { "atan2", { run_atan2_f, run_atan2_d }, truth_atan2 },
};
// clang-format on

/* The true value, from arguments that a double holds; whether it was rounded up (> 0), down (< 0) or not at all. */
static inline int truth_at(mpfr_t r, const function *fn, double x, double y)
{
    mpfr_t exact_x, exact_y;
    mpfr_inits2(53, exact_x, exact_y, (mpfr_ptr)0);
    mpfr_set_d(exact_x, x, MPFR_RNDN);
    mpfr_set_d(exact_y, y, MPFR_RNDN);
    int rounded = fn->truth(r, exact_x, exact_y);
    mpfr_clears(exact_x, exact_y, (mpfr_ptr)0);
    return rounded;
}

/* Whether `got` is the float nearest to the true value; of two, the even one. Any NaN is. */
static inline int is_rounded(double got, const function *fn, double x, double y)
{
    mpfr_t r;
    mpfr_init2(r, 150);
    int rounded = truth_at(r, fn, x, y);
    if (rounded > 0)
        mpfr_nextbelow(r); /* what was rounded is not in the middle between two floats, though r may be */
    if (rounded < 0)
        mpfr_nextabove(r);
    double want = nearest(r, &format_f);
    mpfr_clear(r);
    return want != want ? got != got : bits_d(got) == bits_d(want);
}

/* The error in float (wide 0) or double (wide 1), in ULP. */
static inline double error_at(const function *fn, int wide, double x, double y)
{
    mpfr_t r;
    mpfr_init2(r, wide ? 130 : 80);
    truth_at(r, fn, x, y);
    double e = ulps(fn->run[wide](x, y), r, wide ? &format_d : &format_f);
    mpfr_clear(r);
    return e;
}

#endif
