/* Floating-point helpers that vectorise: everything here is branch-free or a plain select. */
#ifndef SG_FP_H
#define SG_FP_H

#include "softfloat.h"

static inline u32 canon_f32(float r) { return r == r ? f32_bits(r) : 0x7fffffffu; }
static inline u64 canon_f64(double r) { return r == r ? f64_bits(r) : 0xfff8000000000000u; }

static inline u32 flush_f32(u32 b, u32 keep) { return b & 0x7f800000u ? b : b & keep; }
static inline u32 sat_f32(u32 b)
{
    float f = bits_f32(b);
    return f > 0.0f ? (f < 1.0f ? b : 0x3f800000u) : 0;
}

static inline float h2f(u32 h)
{
    u32 sign = (h & 0x8000u) << 16, mag = h & 0x7fffu;
    u32 v = f32_bits(bits_f32(mag << 13) * 0x1p112f); /* right for normal and subnormal alike */
    return bits_f32(sign | (mag >= 0x7c00u ? 0x7f800000u | mag << 13 : v));
}

static inline u32 f2h(float f)
{
    u32 b = f32_bits(f), sign = b >> 16 & 0x8000u, mag = b & 0x7fffffffu;
    u32 normal = (mag - 0x38000000u + 0xfffu + (mag >> 13 & 1)) >> 13;
    u32 tiny = f32_bits(bits_f32(mag) + 0.5f) - 0x3f000000u; /* the addition rounds to multiples of 2^-24 */
    u32 v = mag >= 0x47800000u ? 0x7c00u : mag < 0x38800000u ? tiny : normal;
    return mag > 0x7f800000u ? 0x7fffu : sign | v;
}

static inline float g2f(u32 g) { return bits_f32(g << 16); }

static inline u32 f2g(float f)
{
    u32 b = f32_bits(f);
    return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : (b + 0x7fffu + (b >> 16 & 1)) >> 16;
}

/* p + c rounded to odd: rounding that to a narrower format is the same as rounding the exact sum. */
static inline double add_to_odd(double p, double c)
{
    double s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
    u64 b = f64_bits(s);
    u64 step = (e > 0.0) == (s > 0.0) ? 1 : ~(u64)0;
    u64 inexact = (e > 0.0 || e < 0.0) && !(b & 1);
    return bits_f64(b + (inexact ? step : 0));
}

/* s to float, rounded to odd. Beyond float's range that is its largest number, which rounds on as infinity does. */
static inline float narrow_to_odd(double s)
{
    float t = (float)s;
    double e = s - (double)t;
    u32 b = f32_bits(t), step = (e > 0.0) == (s > 0.0) ? 1 : ~0u;
    return bits_f32(b + ((e > 0.0 || e < 0.0) && !(b & 1) ? step : 0));
}

static inline float fma_f32(float a, float b, float c) { return (float)add_to_odd((double)a * (double)b, (double)c); }

/* min and max: a NaN loses, -0 < +0. With nan set, a NaN wins. */
static inline u32 min_f32(u32 a, u32 b)
{
    float x = bits_f32(a), y = bits_f32(b);
    u32 r = x < y ? a : y < x ? b : a | b; /* equal: the bits differ only for zeros */
    return x != x ? (y != y ? 0x7fffffffu : b) : y != y ? a : r;
}

static inline u32 max_f32(u32 a, u32 b)
{
    float x = bits_f32(a), y = bits_f32(b);
    u32 r = x > y ? a : y > x ? b : a & b;
    return x != x ? (y != y ? 0x7fffffffu : b) : y != y ? a : r;
}

static inline u64 min_f64(u64 a, u64 b)
{
    double x = bits_f64(a), y = bits_f64(b);
    u64 r = x < y ? a : y < x ? b : a | b;
    return x != x ? (y != y ? 0xfff8000000000000u : b) : y != y ? a : r;
}

static inline u64 max_f64(u64 a, u64 b)
{
    double x = bits_f64(a), y = bits_f64(b);
    u64 r = x > y ? a : y > x ? b : a & b;
    return x != x ? (y != y ? 0xfff8000000000000u : b) : y != y ? a : r;
}

/* approx.c: the approximate functions, computed in double and rounded once */
float approx_ex2(float x);
float approx_lg2(float x);
float approx_sin(float x);
float approx_cos(float x);
float approx_tanh(float x);
u64 approx_rcp_f64(u64 a);
u64 approx_rsqrt_f64(u64 a);

#endif
