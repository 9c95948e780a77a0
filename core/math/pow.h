/* pow. In float it is correctly rounded; in double at most 0.96 ULP off, as far as was seen. */
#ifndef COT_MATH_POW_H
#define COT_MATH_POW_H

#include "exp.h"
#include "log.h"
#include "wide.h"

#define REAL float
#define BITS uint32_t
#define X(name) name##_f
#define PICK(f, d) f
#include "edges.inc"
#undef REAL
#undef BITS
#undef X
#undef PICK

#define REAL double
#define BITS uint64_t
#define X(name) name##_d
#define PICK(f, d) d
#include "edges.inc"
#undef REAL
#undef BITS
#undef X
#undef PICK

/* log(x) as a pair, for 0 < x < infinity: e ln(2) + s (2 + z (2/3 + z p(z))) with s = f / (2 + f), z = s^2. All but
 * z p(z) is computed in pairs. */
COT_FN two_d log_two_d(double x)
{
    const double ln2_hi = 0x1.62e42fefa38p-1;
    const double ln2_lo = 0x1.ef35793c7673p-45;
    const double two_thirds_hi = 0x1.5555555555555p-1;
    const double two_thirds_lo = 0x1.5555555555555p-55;

    parts_d p = take_apart_d(x);
    two_d f = { p.fraction, 0 };
    two_d s = two_quotient_d(f, two_sum_d(2, p.fraction));
    two_d z = two_times_d(s, s);
    two_d cubic = two_sum_d(two_thirds_hi, z.hi * log_poly_d(z.hi));
    cubic.lo += two_thirds_lo;
    cubic = two_times_d(s, two_times_d(z, cubic));
    two_d fraction = two_sum_d(2 * s.hi, cubic.hi);
    two_d sum = two_sum_d(p.exponent * ln2_hi, fraction.hi);
    sum.lo += fraction.lo + (2 * s.lo + cubic.lo) + p.exponent * ln2_lo;
    return sum;
}

/* |x|^y = exp(y log|x|), the logarithm and the product as pairs. Where |y| is so large that only 0, 1 and infinity are
 * left, a smaller y gives the same. */
COT_FN double pow_d(double x, double y)
{
    const double large = 0x1p64;
    double bounded = y > large ? large : y < -large ? -large : y;
    two_d log_a = log_two_d(abs_d(x));
    two_d product = two_product_d(bounded, log_a.hi);
    double tail = product.lo + bounded * log_a.lo;
    double result = exp_tail_d(product.hi, abs_d(product.hi) < 1000 ? tail : 0);
    return pow_edges_d(result, x, y);
}

/* ---- float ----------------------------------------------------------------------------------- */

/* The float nearest to v, or NaN if v, which is up to `error` of itself off, leaves two to choose from. The middles
 * between floats are where the conversion has them, among subnormals too. */
COT_FN float settled_f(double v, double error)
{
    float low = (float)(v * (1 - error)), high = (float)(v * (1 + error));
    return low < high ? __builtin_nanf("") : low;
}

/* |log2(a)| 2^-exponent, its exponent, and its sign, for 0 < a < infinity: e + log2(1 + f), and with s = |f| / (2 + f)
 * log2(1 + f) = +-2 s / ln(2) (1 + s^2/3 + s^4/5 + ...). */
typedef struct {
    wide128 part;
    int exponent, negative;
} wide_log;

COT_FN wide_log wide_log2(float a)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdu, mantissa = 0x000fffffffffffffu;
    const wide128 half_log2_e = { 0xb8aa3b295c17f0bb, 0xbe87fed0691d3e89 }; /* 1 / (2 ln 2) */
    uint64_t u = bits_d((double)a) + (0x3ff0000000000000u - root_half), fraction = (u & mantissa) + root_half;
    int e = (int)(u >> 52) - 1023, c = 0;
    uint64_t n = ((fraction & mantissa) | (mantissa + 1)) >> (fraction >> 52 == 1023 ? 28 : 29), one = 1 << 24;
    int below = n < one;
    uint64_t f = below ? one - n : n - one;
    for (; f && f < one / 2; c++) /* for its precision, f is scaled by 2^c */
        f *= 2;
    wide128 s = wide_ratio(f, n + one), z = wide_halved(wide_product(s, s), 2 * c);
    s = wide_sum(s, wide_product(s, wide_product(z, wide_odd_series(z, 25, 0))));
    wide_log log = { wide_product(s, half_log2_e), 2 - c, below };
    if (e) {
        wide128 whole = { (uint64_t)(e < 0 ? -e : e) << 56, 0 }, rest = wide_halved(log.part, 6 + c);
        log.part = below == (e < 0) ? wide_sum(whole, rest) : wide_difference(whole, rest);
        log.exponent = 8;
        log.negative = e < 0;
    }
    return log;
}

/* a^y for 0 < a, a != 1, y != 0 and a result that a float can hold, or is about to: 2^(y log2(a)), from 128 bits.
 *
 * log2(a) is within 2^-119 of itself, y log2(a) within 2^-111, and so is the result, of itself. That is 2^-87 of a ULP;
 * so close to a middle is only what is in the middle, as 4097^2 is. */
COT_RARE float pow_long_f(float a, float y)
{
    const wide128 ln2 = { 0xb17217f7d1cf79ab, 0xc9e3b39803f2f6af }, one = { (uint64_t)1 << 62, 0 };
    wide_log log = wide_log2(a);
    uint64_t u = bits_d((double)y);
    wide128 times = { u << 11 | (uint64_t)1 << 63, 0 }, none = { 0, 0 };
    int exponent = log.exponent + (int)(u >> 52 & 0x7ff) - 1022, negative = log.negative != (u >> 63 != 0);
    wide128 power = wide_product(wide_normal(log.part, &exponent), times);
    power = wide_normal(power, &exponent);

    power = wide_halved(power, 8 - exponent); /* of 2^8 */
    power = negative ? wide_difference(none, power) : power;
    int whole = (int)(power.hi >> 56) - (negative ? 256 : 0);
    wide128 r = wide_product(wide_doubled(power, 8), ln2), e = one; /* e: of 4 */
    for (int k = 34; k; k--)
        e = wide_sum(one, wide_quotient(0, wide_product(r, e), (uint64_t)k));
    return wide_to_float(e, whole + 2, 1);
}

/* x^y, or NaN where exp(y log|x|) in double leaves two floats to choose from: about one of 2^20.
 *
 * log|x| is within 2^-52.9 of itself, the product within 2^-51.9, so within 2^-45.2 while it is above -104, and
 * exp_near_d adds 2^-51. */
COT_FN float pow_quick_f(float x, float y)
{
    const float large = 0x1p32f; /* a larger y gives the same */
    float bounded = y > large ? large : y < -large ? -large : y;
    two_d log_a = log_near_d(abs_d((double)x));
    double power = (double)bounded * (log_a.hi + log_a.lo);
    power = power > 89.0 ? 89.0 : power;
    power = power < -104.0 ? -104.0 : power;
    float result = settled_f(exp_near_d(power), 0x1p-45);
    return pow_edges_f(result, x, y);
}

COT_FN double pow_quick_d(double x, double y) { return pow_d(x, y); }

/* Correctly rounded. */
COT_FN float pow_f(float x, float y)
{
    float result = pow_quick_f(x, y);
    int doubtful = (result != result) & (x == x) & (y == y) & ((x > 0) | is_integer_f(y));
    if (doubtful)
        result = pow_edges_f(pow_long_f(abs_f(x), y), x, y);
    return result;
}

#endif
