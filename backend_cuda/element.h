/* The element type that a .cu file is compiled for: -DELEMENT=f32, and so on. STORE is what memory holds, REAL what
 * formulas compute in, X(name) a core function for it, KERNEL(op, strategy) the head of op_element_strategy. */
#ifndef COT_CUDA_ELEMENT_H
#define COT_CUDA_ELEMENT_H

#include "device.h"
#include "math/math.h"

#define PASTE3(a, b, c) a##_##b##_##c
#define KERNEL_NAME(op, element, strategy) PASTE3(op, element, strategy)
#define KERNEL(op, strategy) \
    extern "C" GLOBAL void KERNEL_NAME(op, ELEMENT, strategy)(cuda_launch k)

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
#include "formula.inc"

/* One cell between memory and the compute type: widening is exact, narrowing rounds once, to nearest even. A NaN stays a
 * NaN; its payload is nobody's business (ARITH-NAN), so these may be shorter than the core's conversions. */
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
COT_FN REAL widen(STORE v) { return real_f((uint32_t)v << 16); }
COT_FN STORE narrow(REAL v) /* sm_75 has no instruction for it */
{
    uint32_t u = bits_f(v), rounded = u + 0x7fffu + (u >> 16 & 1);
    return (STORE)((v == v ? rounded : 0x7fc00000u) >> 16);
}
#endif

COT_FN REAL load(const STORE *from, int64_t at) { return widen(from[at]); }
COT_FN void store(STORE *to, int64_t at, REAL v) { to[at] = narrow(v); }

/* ---- 16 bytes at once --------------------------------------------------------------------------------------------- */

enum { VECTOR = VECTOR_BYTES / sizeof(STORE) }; /* cells */

typedef struct __attribute__((aligned(VECTOR_BYTES))) packet {
    uint32_t x, y, z, w;
} packet;

/* The cells of a packet, in the compute type. */
typedef struct cells {
    REAL at[VECTOR];
} cells;

#if ELEMENT_CODE(ELEMENT) == ELEMENT_f64
COT_FN cells unpack(packet p)
{
    cells c = { { real_d((uint64_t)p.y << 32 | p.x), real_d((uint64_t)p.w << 32 | p.z) } };
    return c;
}
COT_FN packet pack(cells c)
{
    uint64_t u = bits_d(c.at[0]), v = bits_d(c.at[1]);
    packet p = { (uint32_t)u, (uint32_t)(u >> 32), (uint32_t)v, (uint32_t)(v >> 32) };
    return p;
}
#elif ELEMENT_CODE(ELEMENT) == ELEMENT_f32
COT_FN cells unpack(packet p)
{
    cells c = { { real_f(p.x), real_f(p.y), real_f(p.z), real_f(p.w) } };
    return c;
}
COT_FN packet pack(cells c)
{
    packet p = { bits_f(c.at[0]), bits_f(c.at[1]), bits_f(c.at[2]), bits_f(c.at[3]) };
    return p;
}
#else
COT_FN cells unpack(packet p)
{
    const uint32_t words[4] = { p.x, p.y, p.z, p.w };
    cells c;
    UNROLLED for (int i = 0; i < 4; i++) {
        c.at[2 * i] = widen((STORE)words[i]);
        c.at[2 * i + 1] = widen((STORE)(words[i] >> 16));
    }
    return c;
}
COT_FN packet pack(cells c)
{
    uint32_t words[4];
    UNROLLED for (int i = 0; i < 4; i++)
        words[i] = (uint32_t)narrow(c.at[2 * i + 1]) << 16 | narrow(c.at[2 * i]);
    packet p = { words[0], words[1], words[2], words[3] };
    return p;
}
#endif

COT_FN cells load_vector(const STORE *from, int64_t at) { return unpack(*(const packet *)(from + at)); }
COT_FN void store_vector(STORE *to, int64_t at, cells c) { *(packet *)(to + at) = pack(c); }

/* ---- where things are --------------------------------------------------------------------------------------------- */

COT_FN const STORE *in(const cuda_operand &o) { return (const STORE *)o.data; }
COT_FN STORE *out(const cuda_operand &o) { return (STORE *)o.data; }

#endif
