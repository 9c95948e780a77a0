/* Doubles taken apart, and pairs of them: hi + lo has twice the precision. */
#ifndef COT_MATH_PAIRS_H
#define COT_MATH_PAIRS_H

#include "real.h"

/* The leading 26 bits: the product of two such is exact. */
COT_FN double leading_d(double v) { return real_d(bits_d(v) & 0xfffffffff8000000u); }

typedef struct {
    double hi, lo;
} two_d;

/* a + b exactly, where a is 0 or |a| >= |b|. */
COT_FN two_d two_sum_d(double a, double b)
{
    two_d s = { a + b, 0 };
    s.lo = (a - s.hi) + b;
    return s;
}

/* a * b up to the last bit of lo, by cutting each factor in two. */
COT_FN two_d two_product_d(double a, double b)
{
    double a_hi = leading_d(a), a_lo = a - a_hi;
    double b_hi = leading_d(b), b_lo = b - b_hi;
    two_d p = { a * b, 0 };
    p.lo = ((a_hi * b_hi - p.hi) + (a_hi * b_lo + a_lo * b_hi)) + a_lo * b_lo;
    return p;
}

COT_FN two_d two_times_d(two_d a, two_d b)
{
    two_d p = two_product_d(a.hi, b.hi);
    p.lo += a.hi * b.lo + a.lo * b.hi;
    return p;
}

/* a / b; hi is the rounded quotient of the high parts. */
COT_FN two_d two_quotient_d(two_d a, two_d b)
{
    two_d q = { a.hi / b.hi, 0 };
    two_d p = two_product_d(q.hi, b.hi);
    q.lo = (((a.hi - p.hi) - p.lo) + (a.lo - q.hi * b.lo)) / b.hi;
    return q;
}

/* x = 2^exponent (1 + fraction) with sqrt(1/2) <= 1 + fraction < sqrt(2), for 0 < x < infinity. */
typedef struct {
    double exponent, fraction;
} parts_d;

COT_FN parts_d take_apart_d(double x)
{
    const uint64_t one = 0x3ff0000000000000u;
    const uint64_t root_half = 0x3fe6a09e667f3bcdu;
    const uint64_t mantissa = 0x000fffffffffffffu;
    const uint64_t counter = 0x4330000000000000u; /* 2^52: the lowest bits count units */
    const double zero = 0x1p52 + 1023;            /* what it shows for exponent 0 */
    int subnormal = x < 0x1p-1022;
    uint64_t u = bits_d(subnormal ? x * 0x1p54 : x) + (one - root_half);
    parts_d p = { real_d((u >> 52) | counter) - zero - (subnormal ? 54.0 : 0), real_d((u & mantissa) + root_half) - 1 };
    return p;
}

/* The same for a float above 0, which is normal as a double. */
COT_FN parts_d take_float_apart_d(double x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdu;
    uint64_t u = bits_d(x) + (0x3ff0000000000000u - root_half);
    parts_d p = { real_d((u >> 52) | 0x4330000000000000u) - (0x1p52 + 1023),
                  real_d((u & 0x000fffffffffffffu) + root_half) - 1 };
    return p;
}

/* hi + lo, where |hi| >= |lo|, cut to 53 bits, the last of which is set where anything was cut off: "rounded to odd".
 * Such a number lies on the same side of every middle between two floats as hi + lo does, so that rounding it to float
 * is rounding hi + lo. */
COT_FN double odd_sum_d(double hi, double lo)
{
    two_d sum = two_sum_d(hi, lo);
    double cut = sum.hi * sum.lo < 0 ? real_d(bits_d(sum.hi) - 1) : sum.hi;
    return sum.lo != 0 ? real_d(bits_d(cut) | 1) : cut;
}

#endif
