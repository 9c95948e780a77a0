/* Floating point of 8, 6 and 4 bits: what tensor cores and conversions know beside f16 and bf16. */
#ifndef SG_MINIFLOAT_H
#define SG_MINIFLOAT_H

#include "base.h"

/* Mantissa bits, exponent bits, bias; the largest number; the NaN, 0 where there is none; e5m2 alone has an infinity.
 */
typedef struct mini {
    u8 mant, exp, bias, largest, nan;
    bool has_infinity;
} mini;
extern const mini MINI_E4M3, MINI_E5M2, MINI_E3M2, MINI_E2M3, MINI_E2M1;

float mini_to_f32(const mini *f, u32 bits);
/* To nearest even. Beyond the largest number: that (saturate), or else an infinity or NaN. A NaN where there is none is
 * the largest number. */
u32 f32_to_mini(const mini *f, u32 bits, bool saturate);

#endif
