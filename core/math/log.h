/* log. In float it is correctly rounded; in double at most 0.68 ULP off, as far as was seen. */
#ifndef COT_MATH_LOG_H
#define COT_MATH_LOG_H

#include "pairs.h"
#include "poly.h"

/* log(x) = e ln(2) + log(1 + f), and with s = f / (2 + f), z = s^2:
 *
 *     log(1 + f) = f - f^2/2 + s (f^2/2 + z (2/3 + z p(z)))
 *
 * f and e ln2_hi are exact; f^2/2 is cut into an exact leading part and a rest; the rounding errors of the two sums are
 * kept and added last. */
COT_FN double log_d(double x)
{
    const double ln2_hi = 0x1.62e42fefa38p-1;
    const double ln2_lo = 0x1.ef35793c7673p-45;
    const double two_thirds_hi = 0x1.5555555555555p-1;
    const double infinity = __builtin_inf();

    parts_d p = take_apart_d(x);
    double f = p.fraction, lead = leading_d(f);
    double square = 0.5 * lead * lead, square_rest = 0.5 * (f + lead) * (f - lead);
    double s = f / (2 + f), z = s * s;
    double rest = s * ((square + square_rest) + z * (two_thirds_hi + z * log_poly_d(z))) - square_rest;
    two_d fraction = two_sum_d(f, -square);
    two_d sum = two_sum_d(p.exponent * ln2_hi, fraction.hi);
    double result = sum.hi + (sum.lo + (fraction.lo + (rest + p.exponent * ln2_lo)));

    result = x < infinity ? result : x;
    result = x == 0 ? -infinity : result;
    return x < 0 ? infinity - infinity : result;
}

/* log(x) of a float x, 0 < x < infinity, as a pair within 2^-56 of itself. The same sum; here f^2/2 is exact. */
COT_FN two_d log_near_d(double x)
{
    const double ln2_hi = 0x1.62e42fefa38p-1;
    const double ln2_lo = 0x1.ef35793c7673p-45;
    const double two_thirds_hi = 0x1.5555555555555p-1;

    parts_d p = take_float_apart_d(x);
    double f = p.fraction, square = 0.5 * f * f, s = f / (2 + f), z = s * s;
    double rest = s * (square + z * (two_thirds_hi + z * log_near_poly_d(z, z * z)));
    two_d linear = two_sum_d(p.exponent * ln2_hi, f);
    two_d sum = two_sum_d(linear.hi, -square);
    sum.lo = (linear.lo + sum.lo) + (rest + p.exponent * ln2_lo);
    return sum;
}

/* Correctly rounded: core/math/long_math tries all floats. As a double rounded to nearest, five of them would lie in
 * the very middle between two floats. */
COT_FN float log_f(float x)
{
    const float infinity = __builtin_inff();
    two_d sum = log_near_d(abs_d((double)x)); /* as pow has it, so that both share it */
    float result = (float)odd_sum_d(sum.hi, sum.lo);
    result = x < infinity ? result : x;
    result = x == 0 ? -infinity : result;
    return x < 0 ? infinity - infinity : result;
}

#endif
