/* exp, log, pow, hypot and atan2 in float and in double: the same bits from every compiler, on CPU, GPU and in a
 * browser.
 *
 * Each .inc file is compiled once per width. REAL is the width, BITS the integer of its size, X(name) is name_f or
 * name_d, and PICK(f, d) is the constant for this width. There is no branch, table, loop or fused multiply-add, and no
 * conversion between reals and integers: a real is rounded to an integer by adding a large constant, and the integer is
 * read from the bits of the sum. So loops over these functions become vector code. Errors are listed in doc/math.md. */
#ifndef COT_MATH_H
#define COT_MATH_H

#include "real.h"
#include "poly.h"

COT_FN float real_sqrt_f(float v)
{
#ifdef __CUDA_ARCH__
    float root;
    asm("sqrt.rn.f32 %0, %1;" : "=f"(root) : "f"(v));
    return root;
#else
    return __builtin_sqrtf(v);
#endif
}

COT_FN double real_sqrt_d(double v)
{
#ifdef __CUDA_ARCH__
    double root;
    asm("sqrt.rn.f64 %0, %1;" : "=d"(root) : "d"(v));
    return root;
#else
    return __builtin_sqrt(v);
#endif
}

#define REAL float
#define BITS uint32_t
#define X(name) name##_f
#define PICK(f, d) f
#include "parts.inc"
#include "exp.inc"
#include "log.inc"
#include "pow.inc"
#include "hypot.inc"
#include "atan2.inc"
#undef REAL
#undef BITS
#undef X
#undef PICK

#define REAL double
#define BITS uint64_t
#define X(name) name##_d
#define PICK(f, d) d
#include "parts.inc"
#include "exp.inc"
#include "log.inc"
#include "pow.inc"
#include "hypot.inc"
#include "atan2.inc"
#undef REAL
#undef BITS
#undef X
#undef PICK

#endif
