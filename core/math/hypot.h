/* hypot. In float it is correctly rounded; in double at most 1.23 ULP off. */
#ifndef COT_MATH_HYPOT_H
#define COT_MATH_HYPOT_H

#include "pairs.h"

/* sqrt(x^2 + y^2), with both scaled by a power of two where a square could overflow or underflow. Scaling is exact but
 * for what is too small to count, and for a subnormal result. An infinity wins over a NaN. The roundings of the
 * squares, their sum and the root come to 1.23 ULP at most. */
COT_FN double hypot_d(double x, double y)
{
    const double infinity = __builtin_inf();
    double a = abs_d(x), b = abs_d(y), larger = a > b ? a : b;
    int high = larger > 0x1p500, low = larger < 0x1p-500;
    double scale = high ? 0x1p-600 : low ? 0x1p600 : 1;
    double back = high ? 0x1p600 : low ? 0x1p-600 : 1;
    double u = a * scale, v = b * scale;
    double result = real_sqrt_d(u * u + v * v) * back;
    int infinite = (a == infinity) | (b == infinity);
    return infinite ? infinity : result;
}

/* Correctly rounded. x^2 and y^2 are exact, and so is their sum as a pair. The root is cut to 26 bits; the square of
 * that is exact too, and tells on which side of it the true root lies: it is moved there by less than its last bit.
 * Between two neighbours of 26 bits there is neither a float nor the middle between two. */
COT_FN float hypot_f(float x, float y)
{
    const double infinity = __builtin_inf(), little = 0x1p-40;
    double a = abs_d((double)x), b = abs_d((double)y), high = a > b ? a : b, low = a > b ? b : a;
    two_d sum = two_sum_d(high * high, low * low);
    double root = leading_d(real_sqrt_d(sum.hi)), excess = (sum.hi - root * root) + sum.lo;
    double result = root + root * (excess > 0 ? little : excess < 0 ? -little : 0);
    int infinite = (a == infinity) | (b == infinity);
    return (float)(infinite ? infinity : result);
}

#endif
