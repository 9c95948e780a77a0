/* The formulas of truth in MPFR: slow, and nothing leaves its range. */
#include "truth_engine.h"
#include "truth_real.h"

typedef long double bulk; /* of magnitudes that bounds are made of: their last bits do not matter, their range does */

static real real_add(real a, real b) { return real_apply2(mpfr_add, a, b); }
static real real_sub(real a, real b) { return real_apply2(mpfr_sub, a, b); }
static real real_mul(real a, real b) { return real_apply2(mpfr_mul, a, b); }
static real real_div(real a, real b) { return real_apply2(mpfr_div, a, b); }
static real real_sqrt(real a) { return real_apply1(mpfr_sqrt, a); }
static real real_exp(real a) { return real_apply1(mpfr_exp, a); }
static real real_log(real a) { return real_apply1(mpfr_log, a); }
static real real_pow(real a, real b) { return real_apply2(mpfr_pow, a, b); }
static real real_hypot(real a, real b) { return real_apply2(mpfr_hypot, a, b); }
static real real_atan2(real a, real b) { return real_apply2(mpfr_atan2, a, b); }

#define ROUNDED1(name) \
    static double round_##name(const real_format *to, double a, int *inexact) \
    { \
        return rounded_apply1(to, mpfr_##name, a, inexact); \
    }
#define ROUNDED2(name) \
    static double round_##name(const real_format *to, double a, double b, int *inexact) \
    { \
        return rounded_apply2(to, mpfr_##name, a, b, inexact); \
    }
ROUNDED1(sqrt)
ROUNDED1(exp)
ROUNDED1(log)
ROUNDED2(add)
ROUNDED2(mul)
ROUNDED2(div)
ROUNDED2(pow)
ROUNDED2(hypot)
ROUNDED2(atan2)

static void numbers_begin(cot_element element)
{
    (void)element;
    real_begin();
}

static int numbers_are_sure(void) { return 1; }
static void numbers_doubt(void) {}

#include "truth_formulas.inc"

const truth_engine truth_wide_engine = { gradient, forward, clause_of };
