/* Helpers of the integer lanes. */
#ifndef SG_LANES_INT_H
#define SG_LANES_INT_H

#include "softgpu/base/base.h"

static inline u32 clamp_s32(s64 v) { return (u32)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v); }
static inline s32 sext24(u32 v) { return (s32)(v << 8) >> 8; }
static inline u32 relu_s32(u32 v) { return (s32)v < 0 ? 0 : v; }
static inline u32 mulhi_u32(u32 a, u32 b) { return (u32)(((u64)a * b) >> 32); }
static inline u32 mulhi_s32(u32 a, u32 b) { return (u32)(((s64)(s32)a * (s32)b) >> 32); }
static inline u64 mulhi_u64(u64 a, u64 b) { return (u64)(((u128)a * b) >> 64); }
static inline u64 mulhi_s64(u64 a, u64 b) { return (u64)(((s128)(s64)a * (s64)b) >> 64); }

static inline u32 popcount32(u32 v)
{
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

static inline u32 reverse32(u32 v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}

/* Position of the highest set bit; all ones without one. F_ABS marks .shiftamt: distance from the top. */
static inline u32 bfind(u64 v, u32 top, u32 flags)
{
    if (!v)
        return ~0u;
    u32 at = 63 - (u32)__builtin_clzll(v);
    return flags & F_ABS ? top - at : at;
}

/* len bits from pos on; bits beyond the top are the sign (signed) or zero. */
static inline u64 bfe(u64 a, u32 pos, u32 len, u32 width, int is_signed)
{
    u32 last = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
    u64 sign = is_signed && len && (a >> last & 1) ? ~(u64)0 : 0;
    u32 n = pos >= width ? 0 : len < width - pos ? len : width - pos;
    u64 mask = n == 0 ? 0 : ~(u64)0 >> (64 - n);
    return ((a >> (pos & 63)) & mask) | (sign & ~mask);
}

/* The low len bits of a, put into b from pos on. */
static inline u64 bfi(u64 a, u64 b, u32 pos, u32 len, u32 width)
{
    u32 n = pos >= width ? 0 : len < width - pos ? len : width - pos;
    u64 mask = n == 0 ? 0 : ~(u64)0 >> (64 - n) << pos;
    return (b & ~mask) | ((a << (pos & 63)) & mask);
}

/* Four bytes of the eight in v, each by a selector of four bits whose top bit replicates the byte's sign. */
static inline u32 prmt(u64 v, u32 selector)
{
    u32 r = 0;
    for (u32 j = 0; j < 4; j++) {
        u32 s = selector >> 4 * j & 15, byte = (u32)(v >> 8 * (s & 7)) & 255;
        r |= (s & 8 ? (byte & 128 ? 255u : 0) : byte) << 8 * j;
    }
    return r;
}

static inline u32 b4e_selector(u32 c)
{
    static const u16 s[4] = { 0x5670, 0x6701, 0x7012, 0x0123 };
    return s[c];
}
static inline u32 ecl_selector(u32 c)
{
    static const u16 s[4] = { 0x3210, 0x3211, 0x3222, 0x3333 };
    return s[c];
}
static inline u32 ecr_selector(u32 c)
{
    static const u16 s[4] = { 0x0000, 0x1110, 0x2210, 0x3210 };
    return s[c];
}

static inline u32 dp4a(u32 a, u32 b, u32 c, int sa, int sb)
{
    for (u32 j = 0; j < 32; j += 8) {
        s32 x = sa ? (s8)(a >> j) : (s32)(a >> j & 255), y = sb ? (s8)(b >> j) : (s32)(b >> j & 255);
        c += (u32)(x * y);
    }
    return c;
}

/* slct with a float selector: c >= 0, which NaN is not and -0 is. */
static inline bool slct_takes_a(u32 c, u32 flags)
{
    float f = bits_f32(flags & F_FTZ ? flush_f32(c, 0x80000000u) : c);
    return f >= 0.0f;
}

#endif
