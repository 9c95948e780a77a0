/* Exact IEEE arithmetic in integers, for every format and rounding. The executor's fast paths use the host's + - * /
 * and sqrt, which round to nearest; whatever they cannot do comes here. NaN results are the device's canonical NaN. */
#ifndef SG_SOFTFLOAT_H
#define SG_SOFTFLOAT_H

#include "base.h"

enum rounding { RND_NEAREST, RND_ZERO, RND_DOWN, RND_UP, RND_AWAY /* nearest, ties away */ };

/* A format: bits of mantissa without the hidden one, of exponent, and its canonical NaN. */
typedef struct fmt {
    u8 mant, exp;
    u64 nan;
} fmt;
extern const fmt FMT_F16, FMT_BF16, FMT_TF32, FMT_F32, FMT_F64;

u64 sf_add(const fmt *f, u64 a, u64 b, int rnd);
u64 sf_mul(const fmt *f, u64 a, u64 b, int rnd);
u64 sf_fma(const fmt *f, u64 a, u64 b, u64 c, int rnd);
u64 sf_div(const fmt *f, u64 a, u64 b, int rnd);
u64 sf_sqrt(const fmt *f, u64 a, int rnd);
u64 sf_convert(const fmt *to, const fmt *from, u64 a, int rnd);
u64 sf_from_int(const fmt *to, u64 magnitude, bool negative, int rnd);
u64 sf_round_integral(const fmt *f, u64 a, int rnd);

/* To an integer of `bits`, clamped to its range. NaN gives nan_result. */
u64 sf_to_int(const fmt *f, u64 a, int bits, bool is_signed, int rnd, u64 nan_result);

bool sf_is_nan(const fmt *f, u64 a);
u64 sf_flush(const fmt *f, u64 a);    /* a subnormal becomes a zero of its sign */
u64 sf_saturate(const fmt *f, u64 a); /* to [0, 1]; NaN becomes +0 */
static inline u64 sf_sign(const fmt *f) { return (u64)1 << (f->mant + f->exp); }

#endif
