/* Barriers of a CTA, and operations of a warp that wait for lanes of other paths. */
#include "observe.h"
#include "lanes.h"
#include "mem.h"
#include "report.h"

static const ins *waiting_at(const worker *W, const node *n) { return &W->L->k->code[n->pc]; }
static u8 *frame_of(const worker *W, warp *w, const node *n) { return w->regs + W->L->k->funcs[n->func].frame; }
static u32 first_lane(const node *n) { return (u32)__builtin_ctz(n->mask); }
static u32 value_of(const u8 *R, u32 slot, u32 lane) { return ((const L32 *)(const void *)(R + slot))[lane]; }

typedef struct tally { u32 lanes, warps, expected, ones; } tally;

static u32 node_barrier(const worker *W, warp *w, const node *n)
{
    return value_of(frame_of(W, w, n), waiting_at(W, n)->a, first_lane(n)) & 15;
}

/* The next node of a warp that is in use, from i on; *left counts those not yet seen. */
static node *next_node(warp *w, int *i, u32 *left)
{
    while (*left) {
        node *n = &w->nodes[(*i)++];
        if (n->state == NODE_FREE) continue;
        --*left;
        return n;
    }
    return NULL;
}
#define FOR_NODES(w, n) for (struct { int i; u32 left; node *at; } it_ = { 0, (w)->nnodes, NULL }; (it_.at = n = next_node(w, &it_.i, &it_.left)); )

/* How many wait at each barrier, and what a reduction over them gives. */
static u32 count_waiting(worker *W, tally t[16])
{
    u32 used = 0;
    node *n;
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        u32 here = 0;
        FOR_NODES(w, n) {
            if (n->state != NODE_BARRIER) continue;
            const ins *k = waiting_at(W, n);
            const u8 *R = frame_of(W, w, n);
            u32 id = node_barrier(W, w, n);
            t[id].lanes += (u32)__builtin_popcount(n->mask);
            t[id].expected = value_of(R, k->b, first_lane(n));
            t[id].ones += (u32)__builtin_popcount(value_of(R, k->c, 0) & n->mask);
            t[id].warps += !(here >> id & 1);
            here |= 1u << id;
        }
        used |= here;
    }
    return used;
}

static void give_result(const ins *k, u8 *R, u32 m, const tally *t)
{
    u32 value = k->arg == BAR_POPC ? t->ones : k->arg == BAR_AND ? t->ones == t->lanes : t->ones != 0;
    L32 *d = (L32 *)(void *)(R + k->d);
    if (k->dsize == 1) *d = (*d & ~m) | (value ? m : 0);
    for (int i = 0; k->dsize == 4 && i < WARP; i++)
        if (m >> i & 1) d[i] = value;
}

static void release(worker *W, u32 ids, const tally t[16])
{
    node *n;
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        FOR_NODES(w, n) {
            u32 id = n->state == NODE_BARRIER ? node_barrier(W, w, n) : 0;
            if (n->state != NODE_BARRIER || !(ids >> id & 1)) continue;
            const ins *k = waiting_at(W, n);
            if (k->arg != BAR_SYNC) give_result(k, frame_of(W, w, n), n->mask, &t[id]);
            n->state = NODE_RUN;
            n->pc++;
        }
    }
    for (u32 id = 0; id < 16; id++)
        if (ids >> id & 1) W->c.bars[id].arrived = 0;
    W->c.epoch++;
}

/* Lanes that a barrier without a count waits for: all that have not exited. */
static u32 live_lanes(const worker *W)
{
    u32 n = 0;
    for (u32 i = 0; i < W->c.nwarps; i++) n += (u32)__builtin_popcount(W->c.warps[i].live);
    return n;
}

/* A released node whose next statement is its meeting point has arrived there. */
static void settle(warp *w)
{
    node *n;
    bool again = true;
    while (again) {
        again = false;
        FOR_NODES(w, n) {
            if (n->state != NODE_RUN || n->pending || n->pc != n->rpc) continue;
            w->current = (int)(n - w->nodes);
            warp_arrive(w);
            again = true;
            break;
        }
    }
}

/* Paths of a warp that wait for each other at the same statement: they go on together; else alone, which is an error. */
static bool release_collective(worker *W, warp *w)
{
    u32 m = 0, pc = PC_NONE;
    node *n, *first = NULL;
    FOR_NODES(w, n) {
        if (n->state != NODE_COLLECTIVE) continue;
        if (!first) { first = n; pc = n->pc; }
        if (n->pc == pc) m |= n->mask;
    }
    if (!first) return false;
    exec_collective(W, w, waiting_at(W, first), frame_of(W, w, first), m);
    FOR_NODES(w, n) {
        if (n->state != NODE_COLLECTIVE || n->pc != pc) continue;
        n->state = NODE_RUN;
        n->pc++;
    }
    settle(w);
    return true;
}

/* Called when no warp of the CTA can run. True where somebody can again. */
bool release_barriers(worker *W)
{
    bool any = false;
    tally t[16] = { { 0 } };
    u32 ids = 0, live = live_lanes(W);
    for (u32 i = 0; i < W->c.nwarps; i++) any |= release_collective(W, &W->c.warps[i]);
    if (any) return true;
    u32 used = count_waiting(W, t);
    for (u32 id = 0; used >> id; id++) {
        bool counted = t[id].expected != 0;
        bool full = counted ? t[id].warps * WARP + W->c.bars[id].arrived >= t[id].expected : t[id].lanes >= live;
        if (used >> id & 1 && full) ids |= 1u << id;
    }
    if (!ids) return false;
    release(W, ids, t);
    for (u32 i = 0; i < W->c.nwarps; i++) settle(&W->c.warps[i]);
    return true;
}

/* Every place where threads wait is reported; the first is the fault's. */
void barrier_deadlock(worker *W)
{
    char where[200];
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        for (int j = 0; j < MAX_NODES; j++) {
            const node *n = &w->nodes[j];
            if (n->state != NODE_BARRIER) continue;
            const ins *k = waiting_at(W, n);
            u32 id = node_barrier(W, w, n);
            describe(W, w, k, first_lane(n), where, sizeof where);
            raise_fault(W, FAULT_DEADLOCK, "barrier %u waits for threads that never come %s", id, where);
            if (W->L->checks & SOFTGPU_SYNCCHECK)
                report_at(W, w, k, first_lane(n), SOFTGPU_SYNCCHECK, 0, NULL, "barrier %u waits for threads that never come", id);
        }
    }
    raise_fault(W, FAULT_DEADLOCK, "no warp of the block can go on");
}
