/* atan2. In float it is correctly rounded; in double at most 0.70 ULP off, as far as was seen. */
#ifndef COT_MATH_ATAN2_H
#define COT_MATH_ATAN2_H

#include "pow.h"

/* atan(low / high) = diagonal pi/4 + t + rest for 0 <= low <= high < infinity, 0 < high: up to tan(pi/8), diagonal is 0
 * and t = low / high; above, it is 1 and t = (low - high) / (low + high). t^3 p(t^2) and what t lacks are in rest.
 * Scaling by a power of two keeps the remainder of the quotient from overflow and underflow; a tiny t is its own
 * arctangent, and its remainder may underflow, so it is left out. */
typedef struct {
    double diagonal, t, rest;
} arc_d;

COT_FN arc_d arc_of_d(double low, double high)
{
    const double tan_eighth = 0x1.a827999fcef32p-2;
    double down = high > 0x1p900 ? 0x1p-100 : 1;
    double scale = high < 0x1p-500 ? 0x1p600 : down;
    high *= scale;
    low *= scale;

    two_d sum = two_sum_d(high, low), difference = two_sum_d(-high, low);
    int turn = low > tan_eighth * high;
    two_d over = { turn ? difference.hi : low, turn ? difference.lo : 0 };
    two_d under = { turn ? sum.hi : high, turn ? sum.lo : 0 };
    two_d t = two_quotient_d(over, under);
    t.lo = abs_d(t.hi) < 0x1p-400 ? 0 : t.lo;
    double z = t.hi * t.hi;
    arc_d arc = { turn ? 1.0 : 0, t.hi, t.lo + z * (t.hi * atan_poly_d(z) - t.lo) };
    return arc;
}

/* atan2(y, x), the angle of the point (x, y): folded into the octant where 0 <= low <= high; then n pi/4 +- the arc,
 * where n undoes the folding. n quarter_hi is exact. Two infinities count as equal, and zeros keep their signs. */
COT_FN double atan2_d(double y, double x)
{
    const double infinity = __builtin_inf();
    const double quarter_hi = 0x1.921fb54442d18p-1;
    const double quarter_lo = 0x1.1a62633145c07p-55;
    const uint64_t sign = 0x8000000000000000u;
    double a = abs_d(x), b = abs_d(y);
    int steep = b > a, left = real_d((bits_d(x) & sign) | bits_d(1)) < 0;
    double high = steep ? b : a, low = steep ? a : b;
    low = high < infinity ? low : low < infinity ? 0 : 1.0;
    high = high < infinity ? high : 1;
    high = high > 0 ? high : 1;

    arc_d arc = arc_of_d(low, high);
    double n = steep ? 2 - arc.diagonal : arc.diagonal;
    n = left ? 4 - n : n;
    double t = steep != left ? -arc.t : arc.t, rest = steep != left ? -arc.rest : arc.rest;
    two_d angle = two_sum_d(n * quarter_hi, t);
    double result = angle.hi + (angle.lo + (rest + n * quarter_lo));
    result = real_d(bits_d(result) | (bits_d(y) & sign));
    int missing = (x != x) | (y != y);
    return missing ? x + y : result;
}

/* ---- float ----------------------------------------------------------------------------------- */

/* A float above 0 as n 2^exponent, with 2^23 <= n < 2^24. */
typedef struct {
    uint64_t n;
    int exponent;
} scaled;

COT_FN scaled scaled_of(float v)
{
    uint64_t u = bits_d((double)v);
    scaled s = { (u << 12 >> 41) | 1u << 23, (int)(u >> 52) - (1023 + 23) };
    return s;
}

/* atan2(b, a) for a, b > 0, or atan2(b, -a) if left, from 128 bits: quarters pi/4 +- atan(t), and
 * atan(t) = t (1 - t^2/3 + t^4/5 - ...).
 *
 * An arctangent is never in the middle between two floats, but among subnormals t itself may be, and atan(t) is less:
 * it is made smaller by a unit. */
COT_RARE float atan2_long_f(float b, float a, int left)
{
    const wide128 quarter = { 0xc90fdaa22168c234, 0xc4c6628b80dc1cd1 }, unit = { 0, 1 };
    int steep = b > a;
    scaled high = scaled_of(steep ? b : a), low = scaled_of(steep ? a : b);
    int c = high.exponent - low.exponent - 1, turn = c < 2 && low.n * 29 > (high.n << (c + 1)) * 12;
    uint64_t aligned = turn ? high.n << (c + 1) : 0;
    wide128 t = turn ? wide_ratio(aligned - low.n, aligned + low.n) : wide_ratio(low.n, 2 * high.n);
    c = turn ? 0 : c;
    wide128 z = wide_halved(wide_product(t, t), 2 * c);
    t = wide_difference(t, wide_product(t, wide_product(z, wide_odd_series(z, 50, 1))));

    int quarters = steep ? 2 - turn : turn, minus = (steep != left) != turn;
    quarters = left ? 4 - quarters : quarters;
    if (quarters == 0)
        return wide_to_float(wide_difference(t, unit), -c, 0);
    wide128 angle = { 0, 0 }, arc = wide_halved(t, 2 + c); /* of 4 */
    for (int k = 0; k < quarters; k++)
        angle = wide_sum(angle, wide_halved(quarter, 2));
    return wide_to_float(minus ? wide_difference(angle, arc) : wide_sum(angle, arc), 2, 0);
}

/* Correctly rounded: that of double, which is within 2^-51 of itself, where it leaves no doubt. */
COT_FN float atan2_f(float y, float x)
{
    double v = atan2_d((double)y, (double)x), size = abs_d(v);
    float result = settled_f(size, 0x1p-50);
    if ((result != result) & (v == v))
        result = atan2_long_f(abs_f(y), abs_f(x), bits_f(x) >> 31 != 0);
    uint32_t sign = bits_f(y) & 0x80000000u;
    return v == v ? real_f(bits_f(result) | sign) : x + y;
}

#endif
