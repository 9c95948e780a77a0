/* Small floating-point formats, by their definition: sign, exponent, mantissa, subnormals. */
#include "minifloat.h"

const mini MINI_E4M3 = { 3, 4, 7, 0x7e, 0x7f, false }, MINI_E5M2 = { 2, 5, 15, 0x7b, 0x7f, true };
const mini MINI_E3M2 = { 2, 3, 3, 0x1f, 0, false }, MINI_E2M3 = { 3, 2, 1, 0x1f, 0, false },
           MINI_E2M1 = { 1, 2, 1, 0x07, 0, false };

static float power(int e) { return e < -126 ? 0.0f : bits_f32((u32)(e + 127) << 23); }

float mini_to_f32(const mini *f, u32 bits)
{
    u32 sign = bits >> (f->mant + f->exp) & 1, mag = bits & ((1u << (f->mant + f->exp)) - 1);
    u32 e = mag >> f->mant, m = mag & ((1u << f->mant) - 1);
    float v = (float)(e ? m | 1u << f->mant : m) * power((int)(e ? e : 1) - f->bias - f->mant);
    if (f->has_infinity && mag == (u32)f->largest + 1)
        v = bits_f32(0x7f800000u);
    else if (f->nan && (mag == f->nan || (f->has_infinity && mag > f->largest)))
        return bits_f32(0x7fffffffu);
    return sign ? -v : v;
}

/* The mantissa is rounded where the format's last bit is, subnormal or not. */
u32 f32_to_mini(const mini *f, u32 bits, bool saturate)
{
    u32 sign = bits >> 31 << (f->mant + f->exp), mag = bits & 0x7fffffffu;
    int e = (int)(mag >> 23) - 127, least = 1 - f->bias;
    if (mag > 0x7f800000u)
        return f->nan ? f->nan : f->largest;
    if (mag < 0x00800000u)
        return sign; /* a subnormal of f32 is far below */
    u32 m = (mag & 0x7fffffu) | 0x800000u;
    int drop = 23 - f->mant + (e < least ? least - e : 0);
    u32 kept = drop > 25 ? 0 : m >> drop, rest = drop > 25 ? 0 : m & ((1u << drop) - 1), half = 1u << ((drop - 1) & 31);
    if (drop <= 25 && (rest > half || (rest == half && kept & 1)))
        kept++;
    u32 r = e < least ? kept : kept + ((u32)(e - least) << f->mant);
    if (mag == 0x7f800000u || e > 16 || r > f->largest)
        r = saturate || !f->nan ? f->largest : f->has_infinity ? f->largest + 1u : f->nan;
    return sign | r;
}
