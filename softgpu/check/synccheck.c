/* Synccheck: barriers and warp operations that not all of their threads come to. */
#include "checkers.h"
#include "findings.h"
#include "softgpu/lanes/lanes.h"

static void sync_barrier(watch *o, warp *w, const ins *k, const u8 *R, u32 m)
{
    u32 lane = (u32)__builtin_ctz(m), expected = ((const L32 *)(const void *)(R + k->b))[lane];
    const char *opcode = opcode_of(o->W->L->k, k);
    bool aligned = k->flags & F_ALIGNED || !strncmp(opcode, "bar.", 4);
    if (aligned && m != w->live)
        report_at(o->W, w, k, lane, SOFTGPU_SYNCCHECK, 0, NULL, "divergent barrier: lanes 0x%08x of 0x%08x are there",
                  m, w->live);
    if (expected % WARP)
        report_at(o->W, w, k, lane, SOFTGPU_SYNCCHECK, 0, NULL, "barrier for %u threads, which is no multiple of 32",
                  expected);
}

static void sync_deadlock(watch *o, warp *w, const ins *k, u32 lane, u32 barrier_id)
{
    report_at(o->W, w, k, lane, SOFTGPU_SYNCCHECK, 0, NULL, "barrier %u waits for threads that never come", barrier_id);
}

static void sync_spin(watch *o, warp *w, const ins *k)
{
    u32 m = w->current >= 0 ? w->nodes[w->current].mask : w->live;
    if (m)
        report_at(o->W, w, k, (u32)__builtin_ctz(m), SOFTGPU_SYNCCHECK, 0, NULL,
                  "a loop waits for lanes of its own warp; other paths were let go on");
}

static void sync_collective(watch *o, warp *w, const ins *k, u32 m, u32 named, u32 poisoned)
{
    u32 missing = named & w->live & ~m, strangers = m & ~named;
    if (poisoned)
        report_at(o->W, w, k, (u32)__builtin_ctz(poisoned), SOFTGPU_SYNCCHECK, 0, NULL,
                  "shuffle from a lane that is not there: lanes 0x%08x get no value", poisoned);
    else if (missing)
        report_at(o->W, w, k, (u32)__builtin_ctz(m), SOFTGPU_SYNCCHECK, 0, NULL,
                  "lanes 0x%08x are named but never come", missing);
    if (strangers)
        report_at(o->W, w, k, (u32)__builtin_ctz(strangers), SOFTGPU_SYNCCHECK, 0, NULL,
                  "lanes 0x%08x run a warp operation that does not name them", strangers);
}

const observer synccheck = {
    .barrier = sync_barrier,
    .deadlock = sync_deadlock,
    .spin = sync_spin,
    .collective = sync_collective,
};
