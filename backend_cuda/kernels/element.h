/* The element type that a .cu file is compiled for: -DELEMENT=f32, and so on. STORE is what memory holds, REAL what
 * formulas compute in, X(name) a core function for it, KERNEL(op, strategy) the head of op_element_strategy. */
#ifndef COT_CUDA_ELEMENT_H
#define COT_CUDA_ELEMENT_H

#include "machine.h"
#include "core/math/math.h"

#define PASTE3(a, b, c) a##_##b##_##c
#define KERNEL_NAME(op, element, strategy) PASTE3(op, element, strategy)
#define KERNEL(op, strategy) extern "C" GLOBAL void KERNEL_NAME(op, ELEMENT, strategy)(cuda_launch k)

#define ELEMENT_f16 1
#define ELEMENT_bf16 2
#define ELEMENT_f32 3
#define ELEMENT_f64 4
#define ELEMENT_CODE_(name) ELEMENT_##name
#define ELEMENT_CODE(name) ELEMENT_CODE_(name)

#if ELEMENT_CODE(ELEMENT) == ELEMENT_f64
#define REAL double
#define X(name) name##_d
#else
#define REAL float
#define X(name) name##_f
#endif
#include "core/formula/formula.inc"

/* One cell between memory and the compute type: widening is exact, narrowing rounds once, to nearest even. A NaN stays
 * a NaN; its payload is nobody's business (ARITH-NAN), so these may be shorter than the core's conversions. */
#if ELEMENT_CODE(ELEMENT) == ELEMENT_f64 || ELEMENT_CODE(ELEMENT) == ELEMENT_f32
typedef REAL STORE;
COT_FN REAL widen(STORE v) { return v; }
COT_FN STORE narrow(REAL v) { return v; }
#elif ELEMENT_CODE(ELEMENT) == ELEMENT_f16
typedef uint16_t STORE;
COT_FN REAL widen(STORE v)
{
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(v));
    return wide;
}
COT_FN STORE narrow(REAL v)
{
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(v));
    return half;
}
#else
typedef uint16_t STORE;
COT_FN uint32_t rounded(REAL v) /* in the upper half; sm_75 has no instruction for it */
{
    uint32_t u = bits_f(v);
    return v == v ? u + 0x7fffu + (u >> 16 & 1) : 0x7fc00000u;
}
COT_FN REAL widen(STORE v) { return real_f((uint32_t)v << 16); }
COT_FN STORE narrow(REAL v) { return (STORE)(rounded(v) >> 16); }
#endif

COT_FN REAL load(const STORE *from, int64_t at) { return widen(from[at]); }
COT_FN void store(STORE *to, int64_t at, REAL v) { to[at] = narrow(v); }

/* Two cells in a word, the first in its lower half. */
#if ELEMENT_CODE(ELEMENT) == ELEMENT_bf16
COT_FN REAL lower(uint32_t word) { return real_f(word << 16); }
COT_FN REAL upper(uint32_t word) { return real_f(word & 0xffff0000u); }
COT_FN uint32_t both(REAL a, REAL b)
{
    uint32_t word;
    asm("prmt.b32 %0, %1, %2, 0x7632;" : "=r"(word) : "r"(rounded(a)), "r"(rounded(b)));
    return word;
}
#elif ELEMENT_CODE(ELEMENT) == ELEMENT_f16
COT_FN REAL lower(uint32_t word) { return widen((STORE)word); }
COT_FN REAL upper(uint32_t word) { return widen((STORE)(word >> 16)); }
COT_FN uint32_t both(REAL a, REAL b) { return (uint32_t)narrow(b) << 16 | narrow(a); }
#endif

/* ---- 16 bytes at once ------------------------------------------------------------------------ */

enum { VECTOR = VECTOR_BYTES / sizeof(STORE) }; /* cells */

/* The cells of a packet, in the compute type. */
typedef struct cells {
    REAL at[VECTOR];
} cells;

#define PACKET typedef struct __attribute__((aligned(VECTOR_BYTES)))

#if ELEMENT_CODE(ELEMENT) == ELEMENT_f64
PACKET { double x, y; }
packet;
COT_FN cells unpack(packet p)
{
    cells c = { { p.x, p.y } };
    return c;
}
COT_FN packet pack(const cells &c)
{
    packet p = { c.at[0], c.at[1] };
    return p;
}
#elif ELEMENT_CODE(ELEMENT) == ELEMENT_f32
PACKET { float x, y, z, w; }
packet;
COT_FN cells unpack(packet p)
{
    cells c = { { p.x, p.y, p.z, p.w } };
    return c;
}
COT_FN packet pack(const cells &c)
{
    packet p = { c.at[0], c.at[1], c.at[2], c.at[3] };
    return p;
}
#else
PACKET { uint32_t x, y, z, w; }
packet;
COT_FN cells unpack(packet p)
{
    const uint32_t words[4] = { p.x, p.y, p.z, p.w };
    cells c;
    UNROLLED for (int i = 0; i < 4; i++)
    {
        c.at[2 * i] = lower(words[i]);
        c.at[2 * i + 1] = upper(words[i]);
    }
    return c;
}
COT_FN packet pack(const cells &c)
{
    uint32_t words[4];
    UNROLLED for (int i = 0; i < 4; i++) words[i] = both(c.at[2 * i], c.at[2 * i + 1]);
    packet p = { words[0], words[1], words[2], words[3] };
    return p;
}
#endif

COT_FN cells load_vector(const STORE *from, int64_t at) { return unpack(*(const packet *)(from + at)); }
COT_FN void store_vector(STORE *to, int64_t at, const cells &c) { *(packet *)(to + at) = pack(c); }

/* ---- where things are ------------------------------------------------------------------------ */

COT_FN const STORE *in(const cuda_operand &o) { return (const STORE *)o.data; }
COT_FN STORE *out(const cuda_operand &o) { return (STORE *)o.data; }

#endif
