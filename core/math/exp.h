/* exp. In float it is correctly rounded; in double at most 0.80 ULP off, as far as was seen. */
#ifndef COT_MATH_EXP_H
#define COT_MATH_EXP_H

#include "pairs.h"
#include "poly.h"

/* exp(x + tail) for a tail below a unit in the last place of x.
 *
 * x = k ln(2) + r; exp(x) = 2^k (1 + r + r^2 p(r)). k ln2_hi is exact, the rounding errors of r and of 1 + r are kept
 * and added last. The power of two is applied as two factors, since 2^k itself may lie outside the range; with a
 * subnormal result the second product rounds once more. Bounds on x keep k in range; beyond them lie 0 and infinity. */
COT_FN double exp_tail_d(double x, double tail)
{
    const double log2_e = 0x1.71547652b82fep0;
    const double ln2_hi = 0x1.62e42fefa38p-1;
    const double ln2_lo = 0x1.ef35793c7673p-45;
    const double counter = 0x1.8p52 + 2 * 1023; /* its lowest bits count units from 2 * bias */
    x = x > 710.0 ? 710.0 : x;
    x = x < -746.0 ? -746.0 : x;

    double counted = x * log2_e + counter;
    double k = counted - counter;
    two_d r = two_sum_d(x - k * ln2_hi, -(k * ln2_lo - tail));
    two_d linear = two_sum_d(1, r.hi);
    double rest = r.lo + r.hi * (r.lo + r.hi * exp_poly_d(r.hi));
    uint64_t both = bits_d(counted), first = both >> 1;
    return (linear.hi + (linear.lo + rest)) * real_d(first << 52) * real_d((both - first) << 52);
}

COT_FN double exp_d(double x) { return exp_tail_d(x, 0); }

/* exp(x) within 2^-51 of itself while a float can hold it: 2^k (1 + r + r^2 p(r)), as above but without what is kept
 * of rounding errors. x is bounded, which keeps the result within [2^-151, 2^129]; beyond lie 0 and infinity. */
COT_FN double exp_near_d(double x)
{
    const double log2_e = 0x1.71547652b82fep0;
    const double ln2_hi = 0x1.62e42fefa38p-1;
    const double ln2_lo = 0x1.ef35793c7673p-45;
    const double counter = 0x1.8p52 + 1023;
    double counted = x * log2_e + counter, k = counted - counter;
    double r = (x - k * ln2_hi) - k * ln2_lo, square = r * r;
    return (1 + (r + square * exp_near_poly_d(r, square))) * real_d(bits_d(counted) << 52);
}

/* Correctly rounded: no float's exponential is so close to the middle between two floats that the errors of
 * exp_near_d tell. core/math/long_math tries them all. */
COT_FN float exp_f(float x)
{
    x = x > 89.0f ? 89.0f : x;
    x = x < -104.0f ? -104.0f : x;
    return (float)exp_near_d((double)x);
}

#endif
