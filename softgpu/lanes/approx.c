/* The approximate functions of f32, in double and rounded once: well within the ISA's bounds, and the same on every
 * host. Only + - * / are used. */
#include "softgpu/base/fp.h"

static double power_of_two(int n) { return bits_f64((u64)(n + 1023) << 52); }

/* 2^x: x = n + f with |f| <= 1/2, a Taylor polynomial of e^(f ln 2) whose error is below 2^-40. */
float approx_ex2(float x)
{
    if (x != x)
        return x;
    if (x >= 128.0f)
        return bits_f32(0x7f800000u);
    if (x < -150.0f)
        return 0.0f;
    double v = (double)x, n = (v + 0x1.8p52) - 0x1.8p52, t = (v - n) * 0x1.62e42fefa39efp-1;
    double p = 1.0;
    for (int i = 11; i >= 1; i--)
        p = p * t / (double)i + 1.0;
    return (float)(p * power_of_two((int)n));
}

/* log2 of m in [1/sqrt2, sqrt2]: the odd series of artanh((m-1)/(m+1)). */
static double log2_mantissa(double m)
{
    double s = (m - 1.0) / (m + 1.0), s2 = s * s, sum = 0.0;
    for (int i = 25; i >= 1; i -= 2)
        sum = sum * s2 + 1.0 / (double)i;
    return 2.0 * s * sum * 0x1.71547652b82fep0;
}

float approx_lg2(float x)
{
    if (x != x || x < 0.0f)
        return bits_f32(0x7fffffffu);
    if (x == 0.0f)
        return bits_f32(0xff800000u);
    u64 b = f64_bits((double)x);
    if (b >> 52 == 0x7ff)
        return x;
    int e = (int)(b >> 52) - 1023;
    double m = bits_f64((b & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        e++;
    }
    return (float)((double)e + log2_mantissa(m));
}

/* sin and cos of |r| <= pi/4 by Taylor polynomials. */
static double sin_small(double r)
{
    double r2 = r * r, p = 1.0;
    for (int i = 14; i >= 2; i -= 2)
        p = 1.0 - p * r2 / (double)(i * (i + 1));
    return p * r;
}

static double cos_small(double r)
{
    double r2 = r * r, p = 1.0;
    for (int i = 13; i >= 1; i -= 2)
        p = 1.0 - p * r2 / (double)(i * (i + 1));
    return p;
}

/* Reduces by multiples of pi/2 in two pieces; huge arguments lose all meaning here, as they do on the device. */
static double reduce(float x, u32 *quadrant)
{
    double v = (double)x, n = v * 0x1.45f306dc9c883p-1;
    if (n > 0x1p30 || n < -0x1p30) {
        *quadrant = 0;
        return 0.0;
    }
    n = (n + 0x1.8p52) - 0x1.8p52;
    *quadrant = (u32)(s64)n & 3;
    return (v - n * 0x1.921fb54400000p0) - n * 0x1.0b4611a626331p-34;
}

float approx_sin(float x)
{
    u32 q;
    if (x - x != 0.0f)
        return bits_f32(0x7fffffffu);
    if (x == 0.0f)
        return x;
    double r = reduce(x, &q), v = q & 1 ? cos_small(r) : sin_small(r);
    return (float)(q & 2 ? -v : v);
}

float approx_cos(float x)
{
    u32 q;
    if (x - x != 0.0f)
        return bits_f32(0x7fffffffu);
    double r = reduce(x, &q), v = q & 1 ? sin_small(r) : cos_small(r);
    return (float)(q == 1 || q == 2 ? -v : v);
}

/* tanh: (e - 1) / (e + 1) with e = exp(2x); its series where that cancels. */
float approx_tanh(float x)
{
    double v = (double)x, v2 = v * v;
    if (x != x)
        return x;
    if (v2 < 0x1p-10)
        return (float)(v * (1.0 - v2 * (1.0 / 3.0 - v2 * (2.0 / 15.0))));
    if (v2 > 400.0)
        return x > 0.0f ? 1.0f : -1.0f;
    double t = v * 0x1.71547652b82fep1, n = (t + 0x1.8p52) - 0x1.8p52, p = 1.0;
    t = (t - n) * 0x1.62e42fefa39efp-1;
    for (int i = 14; i >= 1; i--)
        p = p * t / (double)i + 1.0;
    p *= power_of_two((int)n);
    return (float)((p - 1.0) / (p + 1.0));
}

/* The f64 forms see and give only the upper 32 bits of a double. */
u64 approx_rcp_f64(u64 a)
{
    a = sf_flush(&FMT_F64, a & 0xffffffff00000000u);
    return sf_flush(&FMT_F64, canon_f64(1.0 / bits_f64(a)) & 0xffffffff00000000u);
}

u64 approx_rsqrt_f64(u64 a)
{
    a = sf_flush(&FMT_F64, a & 0xffffffff00000000u);
    return canon_f64(1.0 / __builtin_sqrt(bits_f64(a))) & 0xffffffff00000000u;
}
