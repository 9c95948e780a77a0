/* Barriers in shared memory. The 64 bits of one are: pending arrivals (20), expected ones (20), bytes that are still to
 * come (21, signed), two unused, and the phase. A state is a copy of them; only its phase is looked at. */
#include "device.h"
#include "softgpu/lanes/lanes.h"

typedef struct counts {
    u32 pending, expected;
    s32 bytes;
    u32 phase;
} counts;

static counts unpack(u64 v)
{
    return (counts){ (u32)v & 0xfffffu, (u32)(v >> 20) & 0xfffffu, (s32)(u32)(v >> 40 << 11) >> 11, (u32)(v >> 63) };
}

static u64 pack(counts c)
{
    return (c.pending & 0xfffffu) | (u64)(c.expected & 0xfffffu) << 20 | (u64)((u32)c.bytes & 0x1fffffu) << 40
           | (u64)c.phase << 63;
}

/* A phase ends when nobody and nothing is awaited. */
static counts settle(counts c)
{
    if (!c.pending && !c.bytes) {
        c.phase ^= 1;
        c.pending = c.expected;
    }
    return c;
}

static counts arrive(counts c, u32 n)
{
    c.pending -= n < c.pending ? n : c.pending;
    return settle(c);
}

/* The barrier after the operation; given is its count, bytes, state or parity. */
static u64 apply(u32 op, u64 old, u64 given)
{
    counts c = unpack(old);
    u32 n = (u32)given;
    switch (op) {
    case MB_INIT: return pack((counts){ n, n, 0, 0 });
    case MB_INVALIDATE: return 0;
    case MB_COPIES_ARRIVE:
    case MB_ARRIVE: return pack(arrive(c, n));
    case MB_ARRIVE_BYTES: c.bytes += (s32)n; return pack(arrive(c, 1));
    case MB_DROP_BYTES:
        c.bytes += (s32)n;
        n = 1;
        /* fallthrough */
    case MB_DROP: c.expected -= n < c.expected ? n : c.expected; return pack(arrive(c, n));
    case MB_EXPECT: c.bytes += (s32)n; return pack(c);
    case MB_COMPLETE: c.bytes -= (s32)n; return pack(settle(c));
    default: return old;
    }
}

u64 mbarrier_complete(u64 old, u32 bytes) { return apply(MB_COMPLETE, old, bytes); }

static u64 operand_of(const ins *k, const u8 *R, u32 lane)
{
    const u8 *b = R + k->b;
    return k->arg == MB_WAIT_STATE ? ((const L64 *)(const void *)b)[lane] : ((const L32 *)(const void *)b)[lane];
}

u32 exec_mbarrier(const ins *k, u8 *R, u32 m, u8 *const p[WARP])
{
    u32 done = 0;
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        u64 old, given = operand_of(k, R, i);
        memcpy(&old, p[i], 8);
        u64 now = apply(k->arg, old, given), phase = old >> 63;
        if (now != old)
            memcpy(p[i], &now, 8);
        done |= (u32)(phase != (k->arg == MB_WAIT_STATE ? given >> 63 : given & 1)) << i;
        if (k->dsize == 8)
            ((L64 *)(void *)(R + k->d))[i] = old;
    }
    if (k->dsize == 1) {
        L32 *d = (L32 *)(void *)(R + k->d);
        *d = (*d & ~m) | done;
    }
    return k->dsize == 1 ? m & ~done : 0;
}
