/* Operations among the lanes of a warp. */
#include "observer.h"
#include "softgpu/lanes/lanes.h"
#include "softgpu/base/mem.h"

static u32 lane32(const u8 *R, u32 slot, u32 i) { return ((const L32 *)(const void *)(R + slot))[i]; }
static u64 lane64(const u8 *R, u32 slot, u32 i) { return ((const L64 *)(const void *)(R + slot))[i]; }

/* Where the operation's member mask is; SLOT_ZERO where it has none. */
static u32 mask_slot(const ins *k)
{
    switch (k->kind) {
    case K_SHFL: return k->e;
    case K_VOTE:
    case K_MATCH:
    case K_REDUX: return k->b;
    case K_ELECT:
    case K_WARPSYNC: return k->a;
    default: return SLOT_ZERO;
    }
}

/* All lanes that the lanes of m name. */
u32 members(const ins *k, const u8 *R, u32 m)
{
    u32 all = 0, slot = mask_slot(k);
    if (k->kind == K_ACTIVEMASK)
        return m;
    for (u32 lanes = m; lanes; lanes &= lanes - 1)
        all |= lane32(R, slot, (u32)__builtin_ctz(lanes));
    return all;
}

/* Source lane of shfl; -1 where the lane keeps its own value. c holds the clamp (bits 0-4) and the segment mask (8-12).
 */
static int shfl_source(int mode, u32 lane, u32 b, u32 c)
{
    u32 segment = c >> 8 & 31, clamp = c & 31, value = b & 31;
    u32 max = (lane & segment) | (clamp & ~segment), min = lane & segment;
    int j;
    switch (mode) {
    case SHFL_UP: j = (int)lane - (int)value; return j >= (int)max ? j : -1;
    case SHFL_DOWN: j = (int)(lane + value); return j <= (int)max ? j : -1;
    case SHFL_BFLY: j = (int)(lane ^ value); return j <= (int)max ? j : -1;
    default: j = (int)(min | (value & ~segment)); return j <= (int)max ? j : -1;
    }
}

/* A lane that is not there gives a value that shows: all ones. */
static u32 run_shfl(const ins *k, u8 *R, u32 m, u32 wanted)
{
    u32 out[WARP] = { 0 }, pred = 0, poisoned = 0;
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        int from = shfl_source((int)k->arg, i, lane32(R, k->b, i), lane32(R, k->c, i));
        bool there = from < 0 || ((m & wanted) >> from & 1);
        if (!there)
            poisoned |= 1u << i;
        out[i] = there ? lane32(R, k->a, from < 0 ? i : (u32)from) : ~0u;
        pred |= (u32)(from >= 0) << i;
    }
    merge32(R + k->d, out, m);
    if (k->regs[0]) {
        L32 *p = (L32 *)(void *)(R + k->regs[0]);
        *p = (*p & ~m) | pred;
    }
    return poisoned;
}

static void set_all(const ins *k, u8 *R, u32 m, u32 value)
{
    L32 *d = (L32 *)(void *)(R + k->d);
    if (k->dsize == 1) {
        *d = (*d & ~m) | (value ? m : 0);
        return;
    }
    for (int i = 0; i < WARP; i++)
        if (m >> i & 1)
            d[i] = value;
}

static void run_vote(const ins *k, u8 *R, u32 m, u32 voters)
{
    u32 yes = lane32(R, k->a, 0) & voters;
    u32 result = yes;
    switch (k->arg) {
    case VOTE_ALL: result = yes == voters; break;
    case VOTE_ANY: result = yes != 0; break;
    case VOTE_UNI: result = yes == voters || !yes; break;
    }
    set_all(k, R, m, result);
}

static u64 match_value(const ins *k, const u8 *R, u32 i)
{
    return k->size == 8 ? lane64(R, k->a, i) : lane32(R, k->a, i);
}

static void run_match(const ins *k, u8 *R, u32 m, u32 voters)
{
    u32 out[WARP] = { 0 };
    bool all = true;
    for (u32 i = 0; i < WARP; i++) {
        if (!(m >> i & 1))
            continue;
        for (u32 j = 0; j < WARP; j++)
            if (voters >> j & 1 && match_value(k, R, i) == match_value(k, R, j))
                out[i] |= 1u << j;
        all = all && out[i] == voters;
    }
    if (!k->arg) {
        merge32(R + k->d, out, m);
        return;
    }
    set_all(k, R, m, all ? voters : 0);
    if (k->regs[0]) {
        L32 *p = (L32 *)(void *)(R + k->regs[0]);
        *p = (*p & ~m) | (all ? m : 0);
    }
}

/* The smaller or larger of two numbers, -0 below +0; a NaN counts only under .NaN, or where there is nothing else. */
static u32 extreme(const ins *k, u32 a, u32 b)
{
    bool a_nan = a << 1 > 0xff000000u, b_nan = b << 1 > 0xff000000u;
    if (a_nan || b_nan)
        return (a_nan && b_nan) || k->flags & F_NAN ? 0x7fffffffu : a_nan ? b : a;
    s32 x = (s32)(a >> 31 ? ~a ^ 0x80000000u : a), y = (s32)(b >> 31 ? ~b ^ 0x80000000u : b);
    return (x < y) == ((k->arg & 255) == AT_MIN) ? a : b;
}

static void run_redux_f32(const ins *k, u8 *R, u32 m, u32 voters)
{
    u32 keep = k->flags & F_ABSOLUTE ? 0x7fffffffu : ~0u, value = lane32(R, k->a, (u32)__builtin_ctz(voters)) & keep;
    if (value << 1 > 0xff000000u)
        value = 0x7fffffffu;
    for (u32 lanes = voters & (voters - 1); lanes; lanes &= lanes - 1)
        value = extreme(k, value, lane32(R, k->a, (u32)__builtin_ctz(lanes)) & keep);
    set_all(k, R, m, value);
}

static void run_redux(const ins *k, u8 *R, u32 m, u32 voters)
{
    if (k->arg >> 8 == AT_F32) {
        run_redux_f32(k, R, m, voters);
        return;
    }
    u32 lanes = voters & (voters - 1), value = lane32(R, k->a, (u32)__builtin_ctz(voters));
    for (; lanes; lanes &= lanes - 1)
        value = (u32)atomic_apply(k->arg, value, lane32(R, k->a, (u32)__builtin_ctz(lanes)), 0);
    set_all(k, R, m, value);
}

static void run_elect(const ins *k, u8 *R, u32 m, u32 voters)
{
    u32 leader = (u32)__builtin_ctz(voters);
    set_all(k, R, m, leader);
    if (k->regs[0]) {
        L32 *p = (L32 *)(void *)(R + k->regs[0]);
        *p = (*p & ~m) | 1u << leader;
    }
}

void warp_synced(worker *W, warp *w, const ins *k, u32 m, u32 named, u32 poisoned)
{
    if (W->watchers)
        TELL(W, collective, w, k, m, named, poisoned);
}

/* Lanes whose masks are the same work together. */
static void run_group(worker *W, warp *w, const ins *k, u8 *R, u32 m, u32 named)
{
    u32 wanted = named & w->live, poisoned = 0;
    u32 voters = m & named ? m & named : m; /* a lane that nobody names, itself included, is an error */
    switch (k->kind) {
    case K_ACTIVEMASK: set_all(k, R, m, m); break;
    case K_SHFL: poisoned = run_shfl(k, R, m, wanted); break;
    case K_VOTE: run_vote(k, R, m, voters); break;
    case K_MATCH: run_match(k, R, m, voters); break;
    case K_REDUX: run_redux(k, R, m, voters); break;
    case K_ELECT: run_elect(k, R, m, voters); break;
    default: break;
    }
    warp_synced(W, w, k, m, named, poisoned);
}

/* Masks that differ within a warp make groups of it, as the tiles of cooperative groups do. */
void exec_collective(worker *W, warp *w, const ins *k, u8 *R, u32 m)
{
    u32 masks[WARP]; /* a result may take the mask's place */
    if (k->kind == K_ACTIVEMASK) {
        run_group(W, w, k, R, m, m);
        return;
    }
    memcpy(masks, R + mask_slot(k), sizeof masks);
    while (m) {
        u32 named = masks[__builtin_ctz(m)], group = 0;
        for (u32 lanes = m; lanes; lanes &= lanes - 1)
            group |= (u32)(masks[__builtin_ctz(lanes)] == named) << __builtin_ctz(lanes);
        run_group(W, w, k, R, group, named);
        m &= ~group;
    }
}
