/* Operations among the lanes of a warp. */
#include "observe.h"
#include "lanes.h"
#include "mem.h"

static u32 lane32(const u8 *R, u32 slot, u32 i) { return ((const L32 *)(const void *)(R + slot))[i]; }
static u64 lane64(const u8 *R, u32 slot, u32 i) { return ((const L64 *)(const void *)(R + slot))[i]; }

/* The member mask as the first active lane has it. */
u32 members(const ins *k, const u8 *R, u32 m)
{
    u32 i = m ? (u32)__builtin_ctz(m) : 0;
    switch (k->kind) {
    case K_SHFL: return lane32(R, k->e, i);
    case K_VOTE: case K_MATCH: case K_REDUX: return lane32(R, k->b, i);
    case K_ELECT: case K_WARPSYNC: return lane32(R, k->a, i);
    default: return m;
    }
}

/* Source lane of shfl; -1 where the lane keeps its own value. c holds the clamp (bits 0-4) and the segment mask (8-12). */
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
        if (!there) poisoned |= 1u << i;
        out[i] = there ? lane32(R, k->a, from < 0 ? i : (u32)from) : ~0u;
        pred |= (u32)(from >= 0) << i;
    }
    merge32(R + k->d, out, m);
    if (k->regs[0]) { L32 *p = (L32 *)(void *)(R + k->regs[0]); *p = (*p & ~m) | pred; }
    return poisoned;
}

static void set_all(const ins *k, u8 *R, u32 m, u32 value)
{
    L32 *d = (L32 *)(void *)(R + k->d);
    if (k->dsize == 1) { *d = (*d & ~m) | (value ? m : 0); return; }
    for (int i = 0; i < WARP; i++)
        if (m >> i & 1) d[i] = value;
}

static void run_vote(const ins *k, u8 *R, u32 m)
{
    u32 yes = lane32(R, k->a, 0) & m;
    u32 result = k->arg == VOTE_ALL ? yes == m : k->arg == VOTE_ANY ? yes != 0 : k->arg == VOTE_UNI ? yes == m || !yes : yes;
    set_all(k, R, m, result);
}

static u64 match_value(const ins *k, const u8 *R, u32 i) { return k->size == 8 ? lane64(R, k->a, i) : lane32(R, k->a, i); }

static void run_match(const ins *k, u8 *R, u32 m)
{
    u32 out[WARP] = { 0 };
    bool all = true;
    for (u32 i = 0; i < WARP; i++) {
        if (!(m >> i & 1)) continue;
        for (u32 j = 0; j < WARP; j++)
            if (m >> j & 1 && match_value(k, R, i) == match_value(k, R, j)) out[i] |= 1u << j;
        all = all && out[i] == m;
    }
    if (!k->arg) { merge32(R + k->d, out, m); return; }
    set_all(k, R, m, all ? m : 0);
    if (k->regs[0]) { L32 *p = (L32 *)(void *)(R + k->regs[0]); *p = (*p & ~m) | (all ? m : 0); }
}

static void run_redux(const ins *k, u8 *R, u32 m)
{
    u32 lanes = m & (m - 1), value = lane32(R, k->a, (u32)__builtin_ctz(m));
    for (; lanes; lanes &= lanes - 1) value = (u32)atomic_apply(k->arg, value, lane32(R, k->a, (u32)__builtin_ctz(lanes)), 0);
    set_all(k, R, m, value);
}

static void run_elect(const ins *k, u8 *R, u32 m)
{
    u32 leader = (u32)__builtin_ctz(m);
    set_all(k, R, m, leader);
    if (k->regs[0]) { L32 *p = (L32 *)(void *)(R + k->regs[0]); *p = (*p & ~m) | 1u << leader; }
}

void exec_collective(worker *W, warp *w, const ins *k, u8 *R, u32 m)
{
    u32 named = members(k, R, m), wanted = named & w->live, poisoned = 0;   /* the result may take the mask's place */
    switch (k->kind) {
    case K_ACTIVEMASK: set_all(k, R, m, m); break;
    case K_SHFL: poisoned = run_shfl(k, R, m, wanted); break;
    case K_VOTE: run_vote(k, R, m); break;
    case K_MATCH: run_match(k, R, m); break;
    case K_REDUX: run_redux(k, R, m); break;
    case K_ELECT: run_elect(k, R, m); break;
    default: break;
    }
    if (W->L->observed) observe_collective(W, w, k, m, named, poisoned);
}
