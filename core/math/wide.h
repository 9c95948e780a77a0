/* The long way: fractions of 128 bits in integers, for the few results that a double leaves in doubt. */
#ifndef COT_MATH_WIDE_H
#define COT_MATH_WIDE_H

#include "real.h"

/* (hi 2^64 + lo) / 2^128, unless it says otherwise. A unit is 2^-128. */
typedef struct {
    uint64_t hi, lo;
} wide128;

COT_FN wide128 wide_sum(wide128 a, wide128 b)
{
    wide128 s = { a.hi + b.hi, a.lo + b.lo };
    s.hi += s.lo < a.lo ? 1 : 0;
    return s;
}

COT_FN wide128 wide_difference(wide128 a, wide128 b)
{
    wide128 d = { a.hi - b.hi, a.lo - b.lo };
    d.hi -= a.lo < b.lo ? 1 : 0;
    return d;
}

/* a / 2^count, cut off. */
COT_FN wide128 wide_halved(wide128 a, int count)
{
    wide128 none = { 0, 0 }, far = { 0, count < 128 ? a.hi >> (count & 63) : 0 };
    wide128 near = { a.hi >> (count & 63), a.lo >> (count & 63) | a.hi << 1 << (63 - (count & 63)) };
    return count >= 128 ? none : count >= 64 ? far : near;
}

/* a 2^count for a count below 64, without what leaves at the top. */
COT_FN wide128 wide_doubled(wide128 a, int count)
{
    wide128 d = { a.hi << count | a.lo >> 1 >> (63 - count), a.lo << count };
    return d;
}

/* The upper half of a product of 64 by 64 bits, from products of 32 by 32. */
COT_FN uint64_t product_top(uint64_t a, uint64_t b)
{
    const uint64_t low = 0xffffffffu;
    uint64_t middle = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
    uint64_t other = (a & low) * (b >> 32) + (middle & low);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

/* a b, cut off; less than three units too small. */
COT_FN wide128 wide_product(wide128 a, wide128 b)
{
    wide128 p = { product_top(a.hi, b.hi), a.hi * b.hi };
    wide128 left = { 0, product_top(a.hi, b.lo) }, right = { 0, product_top(a.lo, b.hi) };
    return wide_sum(p, wide_sum(left, right));
}

/* (over + a) / under, cut off, for over < under < 2^32. */
COT_FN wide128 wide_quotient(uint64_t over, wide128 a, uint64_t under)
{
    wide128 q = { 0, 0 };
    for (int digit = 0; digit < 4; digit++) {
        over = over << 32 | a.hi >> 32;
        q = wide_doubled(q, 32);
        q.lo |= over / under;
        over %= under;
        a = wide_doubled(a, 32);
    }
    return q;
}

/* over / under, cut off. */
COT_FN wide128 wide_ratio(uint64_t over, uint64_t under)
{
    wide128 none = { 0, 0 };
    return wide_quotient(over, none, under);
}

/* 1/3 -+ z/5 + z^2/7 -+ ... -+ z^terms / (2 terms + 3), with signs in turn, or all of them plus. */
COT_FN wide128 wide_odd_series(wide128 z, int terms, int in_turn)
{
    wide128 sum = { 0, 0 };
    for (int k = terms; k >= 0; k--) {
        wide128 product = wide_product(z, sum), inverse = wide_ratio(1, (uint64_t)(2 * k + 3));
        sum = in_turn ? wide_difference(inverse, product) : wide_sum(inverse, product);
    }
    return sum;
}

/* a 2^exponent with the highest bit of a set, unless it is 0. */
COT_FN wide128 wide_normal(wide128 a, int *exponent)
{
    for (; (a.hi | a.lo) && (a.hi >> 63) == 0; --*exponent)
        a = wide_doubled(a, 1);
    return a;
}

/* m 2^exponent to the nearest float. What lies within 2^-85 of a ULP of the middle between two floats is taken for it,
 * and goes to the even one, if there are ties; else it goes down. */
COT_FN float wide_to_float(wide128 m, int exponent, int ties)
{
    const uint64_t top = (uint64_t)1 << 63;
    m = wide_normal(m, &exponent);
    int subnormal = exponent <= -126, bits = subnormal ? 149 + exponent : 24;
    if (bits < 0)
        return 0;
    uint32_t kept = bits ? (uint32_t)(m.hi >> (64 - bits)) : 0;
    wide128 middle = { top, 0 }, rest = wide_doubled(m, bits);
    int above = rest.hi >= top;
    wide128 distance = above ? wide_difference(rest, middle) : wide_difference(middle, rest);
    int tie = ties && distance.hi == 0 && distance.lo < (uint64_t)1 << 43;
    int exact = !ties && (distance.hi | distance.lo) == 0;
    kept += tie ? kept & 1 : above && !exact ? 1 : 0;
    return real_f(subnormal ? kept : kept + ((uint32_t)(exponent + 125) << 23));
}

#endif
