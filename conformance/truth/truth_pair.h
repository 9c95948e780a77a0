/* Real numbers as pairs of doubles, the smaller one below half an ULP of the greater: 106 bits. The algorithms are
 * Dekker's and those that Joldes, Muller and Popescu proved ("Tight and rigorous error bounds for basic building blocks
 * of double-word arithmetic", 2017): an operation errs by at most 15 * 2^-106 of its result, a function by less than
 * 2^-90. A result whose own error could matter, because it lies outside 2^-900 to 2^900, is told by pair_left_range. */
#ifndef COT_TRUTH_PAIR_H
#define COT_TRUTH_PAIR_H

#include "truth_format.h"

#include <math.h>

typedef struct real {
    double high, low;
} real;

typedef real pair_sum; /* a result and its exact rounding error */
typedef double bulk;   /* of magnitudes that bounds are made of: their last bits do not matter */

#define PAIR_LEAST 0x1p-900
#define PAIR_MOST 0x1p900

extern _Thread_local int pair_left_range; /* something did since it was set to 0 */
extern _Thread_local int pair_is_narrow;  /* 24 bits are judged: functions need no more than 50 */

/* ---- without error --------------------------------------------------------------------------- */

static inline pair_sum two_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (pair_sum){ sum, (a - (sum - part)) + (b - part) };
}

static inline pair_sum quick_two_sum(double a, double b) /* |a| >= |b|, or a is 0 */
{
    double sum = a + b;
    return (pair_sum){ sum, b - (sum - a) };
}

static inline pair_sum split(double a) /* into 26 bits and 26 */
{
    double c = 0x1.000002p27 * a, high = c - (c - a);
    return (pair_sum){ high, a - high };
}

static inline pair_sum two_product(double a, double b)
{
    double product = a * b;
    pair_sum x = split(a), y = split(b);
    double rest = ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
    return (pair_sum){ product, rest };
}

/* ---- with a stated error --------------------------------------------------------------------- */

static inline int pair_is_finite(real a, real b) { return isfinite(a.high) && isfinite(b.high); }

static inline real checked(pair_sum r)
{
    double size = fabs(r.high);
    if (!(size <= PAIR_MOST) || (size < PAIR_LEAST && size != 0))
        pair_left_range = 1;
    return (real){ r.high, r.low };
}

static inline real real_of(double value) { return (real){ value, 0 }; }
static inline real real_neg(real a) { return (real){ -a.high, -a.low }; }
static inline real real_abs(real a) { return signbit(a.high) ? real_neg(a) : a; }
static inline int real_is_nan(real a) { return isnan(a.high); }
static inline int real_is_finite(real a) { return isfinite(a.high); }
static inline int real_is_zero(real a) { return a.high == 0; }
static inline double real_to(real a) { return a.high; }
static inline bulk real_size(real a) { return fabs(a.high); }

static inline void real_split(real a, int exponent, double *high, double *low)
{
    *high = scale_by(a.high, -exponent);
    *low = scale_by(a.low, -exponent);
}

static inline real real_add(real a, real b)
{
    if (!pair_is_finite(a, b))
        return real_of(a.high + b.high);
    if (a.high == 0 || b.high == 0)
        return a.high == 0 && b.high == 0 ? real_of(a.high + b.high) : a.high == 0 ? b : a;
    pair_sum s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
    s = quick_two_sum(s.high, s.low + t.high);
    return checked(quick_two_sum(s.high, s.low + t.low));
}

static inline real real_sub(real a, real b) { return real_add(a, real_neg(b)); }

static inline real real_mul(real a, real b)
{
    if (!pair_is_finite(a, b) || a.high == 0 || b.high == 0)
        return real_of(a.high * b.high);
    double product = a.high * b.high;
    if (!(fabs(product) <= PAIR_MOST && fabs(product) >= PAIR_LEAST)) {
        pair_left_range = 1;
        return real_of(product);
    }
    pair_sum p = two_product(a.high, b.high);
    return checked(quick_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high)));
}

static inline real real_div(real a, real b)
{
    double first = a.high / b.high;
    if (!pair_is_finite(a, b) || a.high == 0 || b.high == 0)
        return real_of(first);
    if (!(fabs(first) <= PAIR_MOST && fabs(first) >= PAIR_LEAST)) {
        pair_left_range = 1;
        return real_of(first);
    }
    real back = real_mul(b, real_of(first));
    double rest = ((a.high - back.high) + (a.low - back.low)) / b.high;
    return checked(quick_two_sum(first, rest));
}

static inline real real_sqrt(real a)
{
    double root = sqrt(a.high);
    if (!(a.high > 0) || isinf(a.high))
        return real_of(root);
    pair_sum square = two_product(root, root);
    return quick_two_sum(root, ((a.high - square.high) - square.low + a.low) / (2 * root));
}

/* ---- functions ------------------------------------------------------------------------------- */

real pair_exp(real a);
real pair_narrow_exp(real a);
real pair_log(real a);

static inline real real_exp(real a)
{
    if (!isfinite(a.high) || a.high == 0)
        return real_of(exp(a.high));
    if (fabs(a.high) > 620) {
        pair_left_range = 1;
        return real_of(exp(a.high));
    }
    return pair_is_narrow ? pair_narrow_exp(a) : pair_exp(a);
}

static inline real real_log(real a)
{
    if (!(a.high > 0) || isinf(a.high) || pair_is_narrow)
        return real_of(log(a.high) + (a.high > 0 && isfinite(a.high) ? a.low / a.high : 0));
    return pair_log(a);
}

static inline int is_whole(real a) { return a.low == rint(a.low) && a.high == rint(a.high); }
static inline int is_odd(real a) { return is_whole(a) && (fmod(fabs(a.high), 2) == 1) != (fmod(fabs(a.low), 2) == 1); }

/* C99 Annex F's special values, with an exponent that need not be a double. */
static inline real special_power(real a, real b)
{
    double whole = is_odd(b) ? 3 : is_whole(b) ? 2 : 2.5; /* stands for every exponent of its kind */
    double exponent = !isfinite(b.high) || b.high == 0 ? b.high : copysign(whole, b.high);
    return real_of(pow(a.high, exponent));
}

static inline real real_pow(real a, real b)
{
    if (!pair_is_finite(a, b) || a.high == 0 || b.high == 0)
        return special_power(a, b);
    if (a.high < 0 && !is_whole(b))
        return real_of((double)NAN);
    real power = real_exp(real_mul(b, real_log(real_abs(a))));
    return a.high < 0 && is_odd(b) ? real_neg(power) : power;
}

static inline real real_hypot(real a, real b)
{
    if (!pair_is_finite(a, b))
        return real_of(hypot(a.high, b.high));
    return real_sqrt(real_add(real_mul(a, a), real_mul(b, b)));
}

static inline real real_atan2(real a, real b) /* of forward operations only: left to MPFR */
{
    pair_left_range = 1;
    return real_of(atan2(a.high, b.high));
}

#endif
