/* How lane functions are written. A function computes all 32 lanes; the executor merges where some are inactive.
 * Registers are lanes of bits: L32 (also for 8 and 16 bits, whose upper bits mean nothing) or L64. In an expression a,
 * b and c are the sources, k is the instruction. */
#ifndef SG_LANES_H
#define SG_LANES_H

#include "softgpu/decode/form.h"
#include "softgpu/base/fp.h"

typedef u32 L32 __attribute__((may_alias));
typedef u64 L64 __attribute__((may_alias));

#define FOR_LANES _Pragma("omp simd") for (int i = 0; i < WARP; i++)
#define SRC(T, p, field) const T *p = (const void *)(R + k->field)

// clang-format off
#define LANES1(name, D, A, expr) static void name(void *dp, const u8 *R, const ins *k) \
    { D *d = dp; SRC(A, pa, a); (void)k; FOR_LANES { A a = pa[i]; d[i] = (D)(expr); } }
// clang-format on

// clang-format off
#define LANES2(name, D, A, B, expr) static void name(void *dp, const u8 *R, const ins *k) \
    { D *d = dp; SRC(A, pa, a); SRC(B, pb, b); FOR_LANES { A a = pa[i]; B b = pb[i]; d[i] = (D)(expr); } }
// clang-format on

// clang-format off
#define LANES3(name, D, A, B, C, expr) static void name(void *dp, const u8 *R, const ins *k) \
    { D *d = dp; SRC(A, pa, a); SRC(B, pb, b); SRC(C, pc, c); \
      FOR_LANES { A a = pa[i]; B b = pb[i]; C c = pc[i]; (void)b; d[i] = (D)(expr); } }
// clang-format on

/* A predicate source, negated where the instruction says so. */
static inline u32 predicate_c(const u8 *R, const ins *k)
{
    u32 p = *(const L32 *)(const void *)(R + k->c);
    return k->flags & F_NEG_C ? ~p : p;
}

/* With a predicate source p, its bit for the lane. */
// clang-format off
#define LANES2P(name, D, A, B, expr) static void name(void *dp, const u8 *R, const ins *k) \
    { D *d = dp; SRC(A, pa, a); SRC(B, pb, b); u32 p32 = predicate_c(R, k); \
      FOR_LANES { A a = pa[i]; B b = pb[i]; u32 p = p32 >> i & 1; d[i] = (D)(expr); } }
// clang-format on

/* Takes the active lanes of a result. */
static inline void merge32(void *d, const void *t, u32 m)
{
    L32 *to = d;
    const L32 *from = t;
    FOR_LANES to[i] = m >> i & 1 ? from[i] : to[i];
}

static inline void merge64(void *d, const void *t, u32 m)
{
    L64 *to = d;
    const L64 *from = t;
    FOR_LANES to[i] = m >> i & 1 ? from[i] : to[i];
}

/* 32 flags to a predicate's bits. */
__attribute__((always_inline)) static inline u32 pack_bits(const u32 *t)
{
    u32 m = 0;
    _Pragma("omp simd reduction(|:m)") for (int i = 0; i < WARP; i++) m |= t[i] << i;
    return m;
}

// clang-format off
#define COMPARE(name, T, A, expr) static void name(void *dp, const u8 *R, const ins *k) \
    { u32 t[WARP]; SRC(T, pa, a); SRC(T, pb, b); \
      FOR_LANES { A a = CAST_##A(pa[i]), b = CAST_##A(pb[i]); t[i] = (expr); } \
      *(L32 *)dp = pack_bits(t); }
// clang-format on

/* Carry chains: the carry out goes behind the widest result, where the executor takes it; the carry in comes from k->e.
 */
enum { CARRY_AT = 2 * WARP };
// clang-format off
#define CARRY3(name, T, expr, carry) static void name(void *dp, const u8 *R, const ins *k) \
    { T *d = dp; SRC(T, pa, a); SRC(T, pb, b); SRC(T, pc, c); SRC(L32, pin, e); u32 t[WARP]; \
      FOR_LANES { T a = pa[i], b = pb[i], c = pc[i], in = *pin >> i & 1, r = (T)(expr); \
                  (void)b; (void)c; (void)in; d[i] = r; t[i] = (carry); } \
      ((L32 *)dp)[CARRY_AT] = pack_bits(t); }
// clang-format on

#endif
