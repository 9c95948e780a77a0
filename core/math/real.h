/* One source for gcc, clang, nvcc and emcc, in float and in double.
 *
 * A file that ends in .inc is compiled once per compute type: before including it, define REAL as float or double and
 * X(name) as name##_f or name##_d. COT_FN marks a function that runs on the host and on a CUDA device alike; such
 * functions use + - * / sqrt, comparisons and integer operations on bits, and nothing else. COT_RARE marks one that is
 * seldom called: it stays out of its callers' loops. */
#ifndef COT_REAL_H
#define COT_REAL_H

#include <stdint.h>

#if defined __CUDACC__ || defined __CUDA__
#define COT_FN static __attribute__((device)) __attribute__((always_inline)) inline
#define COT_RARE static __attribute__((device)) __attribute__((noinline)) __attribute__((unused))
#else
#define COT_FN \
    static inline __attribute__((always_inline)) /* a call in a loop would keep it from becoming vector code */
#define COT_RARE static __attribute__((noinline, cold, unused))
#endif

COT_FN uint32_t bits_f(float v)
{
    union {
        float v;
        uint32_t u;
    } pun = { v };
    return pun.u;
}

COT_FN float real_f(uint32_t u)
{
    union {
        uint32_t u;
        float v;
    } pun = { u };
    return pun.v;
}

COT_FN uint64_t bits_d(double v)
{
    union {
        double v;
        uint64_t u;
    } pun = { v };
    return pun.u;
}

COT_FN double real_d(uint64_t u)
{
    union {
        uint64_t u;
        double v;
    } pun = { u };
    return pun.v;
}

COT_FN float abs_f(float v) { return real_f(bits_f(v) & 0x7fffffffu); }

COT_FN double abs_d(double v) { return real_d(bits_d(v) & 0x7fffffffffffffffu); }

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

#endif
