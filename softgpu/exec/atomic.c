/* Atomics, one lane after the other in the order of lanes. */
#include "device.h"
#include "softgpu/lanes/lanes.h"
#include "softgpu/base/mem.h"

static u64 add(u32 of, u64 a, u64 b)
{
    switch (of) {
    case AT_F32: return canon_f32(bits_f32((u32)a) + bits_f32((u32)b));
    case AT_F64: return canon_f64(bits_f64(a) + bits_f64(b));
    case AT_F16: return f2h(h2f((u32)a & 0xffffu) + h2f((u32)b & 0xffffu));
    case AT_BF16: return f2g(g2f((u32)a & 0xffffu) + g2f((u32)b & 0xffffu));
    case AT_F16X2: return (u32)add(AT_F16, a, b) | (u32)add(AT_F16, a >> 16, b >> 16) << 16;
    case AT_BF16X2: return (u32)add(AT_BF16, a, b) | (u32)add(AT_BF16, a >> 16, b >> 16) << 16;
    default: return a + b;
    }
}

static bool less(u32 of, u64 a, u64 b)
{
    if (of == AT_S32)
        return (s32)a < (s32)b;
    return of == AT_S64 ? (s64)a < (s64)b : a < b;
}

/* The value that the operation leaves in memory. */
u64 atomic_apply(u32 arg, u64 old, u64 b, u64 c)
{
    u32 of = arg >> 8;
    switch (arg & 255) {
    case AT_ADD: return add(of, old, b);
    case AT_MIN: return less(of, b, old) ? b : old;
    case AT_MAX: return less(of, old, b) ? b : old;
    case AT_AND: return old & b;
    case AT_OR: return old | b;
    case AT_XOR: return old ^ b;
    case AT_INC: return (u32)old >= (u32)b ? 0 : old + 1;
    case AT_DEC: return (u32)old == 0 || (u32)old > (u32)b ? b : old - 1;
    case AT_EXCH: return b;
    default: return old == b ? c : old;
    }
}

/* Kernels whose CTAs share the host's threads hold only operations that commute: the host's own atomics do. */
static u64 concurrent(const ins *k, u8 *p, u64 b)
{
    if (k->size == 8) {
        u64 old = __atomic_load_n((u64 *)(void *)p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n((u64 *)(void *)p, &old, atomic_apply(k->arg, old, b, 0), true,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
        return old;
    }
    u32 old = __atomic_load_n((u32 *)(void *)p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((u32 *)(void *)p, &old, (u32)atomic_apply(k->arg, old, b, 0), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}

static u64 alone(const ins *k, u8 *p, u64 b, u64 c)
{
    u64 old = 0;
    memcpy(&old, p, k->size);
    u64 value = atomic_apply(k->arg, old, b, c);
    memcpy(p, &value, k->size);
    return old;
}

static u64 operand_of(const ins *k, const u8 *R, u32 slot, u32 lane)
{
    u64 v =
        k->size == 8 ? ((const L64 *)(const void *)(R + slot))[lane] : ((const L32 *)(const void *)(R + slot))[lane];
    return k->size == 2 ? v & 0xffffu : v;
}

void exec_atomic(const ins *k, u8 *R, u32 m, u8 *const p[WARP], bool shared_with_others)
{
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        u64 b = operand_of(k, R, k->b, i), c = operand_of(k, R, k->c, i);
        u64 old = shared_with_others ? concurrent(k, p[i], b) : alone(k, p[i], b, c);
        if (k->dsize == 8)
            ((L64 *)(void *)(R + k->d))[i] = old;
        else if (k->dsize)
            ((L32 *)(void *)(R + k->d))[i] = (u32)old;
    }
}
