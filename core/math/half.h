/* f16 and bf16 to and from float, by integer operations alone: no rounding mode or flush setting of the caller can
 * change a bit. To nearest even, subnormals kept, a NaN stays a NaN (quiet, with the top of its payload, as F16C does
 * it).
 *
 * The shifts whose count depends on the value are made of steps of fixed counts, so that gcc and clang vectorise the
 * loops over these functions for SSE2, which has no shift by lane. */
#ifndef COT_HALF_H
#define COT_HALF_H

#include "real.h"

/* v >> count, keeping in the lowest bit whether anything was lost, where `doit`. */
COT_FN uint32_t shift_jam(uint32_t v, uint32_t count, uint32_t doit)
{
    uint32_t lost = v & ((1u << count) - 1);
    uint32_t shifted = (v >> count) | (lost != 0);
    return doit ? shifted : v;
}

/* v / 2^count to nearest even, for constant counts. */
COT_FN uint32_t round_off(uint32_t v, uint32_t count)
{
    return (v + (1u << (count - 1)) - 1 + ((v >> count) & 1)) >> count;
}

/* A float below 2^-14 in units of 2^-24, the spacing of f16's subnormals. `u` is its pattern without the sign. */
COT_FN uint32_t f16_subnormal(uint32_t u)
{
    uint32_t exponent = u >> 23;
    uint32_t v = ((u & 0x7fffffu) | 0x800000u) >> 1 | (u & 1); /* a 24-bit significand, jammed into 23 bits */
    uint32_t down = 113 - exponent;                            /* 1 at 2^-14 / 2, and so on */
    down = exponent < 98 ? 15 : down;                          /* anything below 2^-29 rounds to 0 all the same */
    v = shift_jam(v, 1, down & 1);
    v = shift_jam(v, 2, down & 2);
    v = shift_jam(v, 4, down & 4);
    v = shift_jam(v, 8, down & 8);
    return round_off(v, 12);
}

COT_FN uint16_t f16_from_float(float value)
{
    uint32_t u = bits_f(value);
    uint32_t sign = u >> 16 & 0x8000u;
    u &= 0x7fffffffu;
    uint32_t normal = round_off(u - 0x38000000u, 13); /* rebias 127 to 15; a carry may reach infinity, rightly */
    uint32_t big = u > 0x7f800000u ? 0x7e00u | (u >> 13 & 0x3ffu) : 0x7c00u;
    uint32_t magnitude = u < 0x38800000u ? f16_subnormal(u) : normal;
    magnitude = u >= 0x47800000u ? big : magnitude;
    return (uint16_t)(sign | magnitude);
}

COT_FN float f16_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t magnitude = half & 0x7fffu;
    uint32_t fraction = magnitude & 0x3ffu;
    uint32_t normal = (magnitude << 13) + 0x38000000u;
    uint32_t special = 0x7f800000u | fraction << 13 | (fraction != 0) << 22;

    /* Subnormal: shift the leading bit up to 2^10, lowering the exponent from 2^-14 as it goes. */
    uint32_t f = fraction, exponent = 113;
    uint32_t far = f < 0x4u;
    f = far ? f << 8 : f, exponent -= far ? 8 : 0;
    far = f < 0x40u;
    f = far ? f << 4 : f, exponent -= far ? 4 : 0;
    far = f < 0x100u;
    f = far ? f << 2 : f, exponent -= far ? 2 : 0;
    far = f < 0x200u;
    f = far ? f << 1 : f, exponent -= far ? 1 : 0;
    uint32_t subnormal = ((exponent - 1) << 23) + ((f << 1 & 0x3ffu) << 13);
    subnormal = fraction ? subnormal : 0;

    uint32_t u = magnitude < 0x400u ? subnormal : normal;
    return real_f(sign | (magnitude >= 0x7c00u ? special : u));
}

COT_FN uint16_t bf16_from_float(float value)
{
    uint32_t u = bits_f(value);
    uint32_t rounded = round_off(u, 16); /* the sign bit rides along: a carry cannot reach it below infinity */
    uint32_t quiet = u >> 16 | 0x40u;
    return (uint16_t)((u & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
}

COT_FN float bf16_to_float(uint16_t value)
{
    uint32_t u = (uint32_t)value << 16;
    uint32_t nan = (u & 0x7fffffffu) > 0x7f800000u;
    return real_f(nan ? u | 0x400000u : u);
}

#endif
