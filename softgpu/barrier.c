/* Barriers of a CTA, and operations of a warp that wait for lanes of other paths. */
#include "observe.h"
#include "lanes.h"
#include "mem.h"
#include "report.h"

static const ins *waiting_at(const worker *W, const node *n) { return &W->L->k->code[n->pc]; }
static u8 *frame_of(const worker *W, warp *w, const node *n) { return w->regs + W->L->k->funcs[n->func].frame; }
static u32 first_lane(const node *n) { return (u32)__builtin_ctz(n->mask); }
static u32 value_of(const u8 *R, u32 slot, u32 lane) { return ((const L32 *)(const void *)(R + slot))[lane]; }

typedef struct tally { u32 lanes, warps, expected; u32 ones, threads; } tally;

static u32 node_barrier(const worker *W, warp *w, const node *n)
{
    return value_of(frame_of(W, w, n), waiting_at(W, n)->a, first_lane(n)) & 15;
}

/* How many wait at barrier id, and what a reduction over them gives. */
static tally count_waiting(worker *W, u32 id)
{
    tally t = { 0 };
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        u32 lanes = 0;
        for (int j = 0; j < MAX_NODES; j++) {
            const node *n = &w->nodes[j];
            if (n->state != NODE_BARRIER || node_barrier(W, w, n) != id) continue;
            const ins *k = waiting_at(W, n);
            u8 *R = frame_of(W, w, n);
            lanes |= n->mask;
            t.expected = value_of(R, k->b, first_lane(n));
            t.ones += (u32)__builtin_popcount(value_of(R, k->c, 0) & n->mask);
        }
        t.lanes += (u32)__builtin_popcount(lanes);
        t.warps += lanes != 0;
    }
    return t;
}

static void give_result(const ins *k, u8 *R, u32 m, const tally *t)
{
    u32 value = k->arg == BAR_POPC ? t->ones : k->arg == BAR_AND ? t->ones == t->lanes : t->ones != 0;
    L32 *d = (L32 *)(void *)(R + k->d);
    if (k->dsize == 1) *d = (*d & ~m) | (value ? m : 0);
    for (int i = 0; k->dsize == 4 && i < WARP; i++)
        if (m >> i & 1) d[i] = value;
}

static void release(worker *W, u32 id, const tally *t)
{
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        for (int j = 0; j < MAX_NODES; j++) {
            node *n = &w->nodes[j];
            if (n->state != NODE_BARRIER || node_barrier(W, w, n) != id) continue;
            const ins *k = waiting_at(W, n);
            if (k->arg != BAR_SYNC) give_result(k, frame_of(W, w, n), n->mask, t);
            n->state = NODE_RUN;
            n->pc++;
        }
    }
    W->c.bars[id].arrived = 0;
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
    for (int j = 0; j < MAX_NODES; j++) {
        if (w->nodes[j].state != NODE_RUN || w->nodes[j].pending || w->nodes[j].pc != w->nodes[j].rpc) continue;
        w->current = j;
        warp_arrive(w);
        j = -1;
    }
}

/* Paths of a warp that wait for each other at the same statement: they go on together; else alone, which is an error. */
static bool release_collective(worker *W, warp *w)
{
    u32 m = 0;
    int first = -1;
    for (int j = 0; j < MAX_NODES; j++) {
        if (w->nodes[j].state != NODE_COLLECTIVE) continue;
        if (first < 0) first = j;
        if (w->nodes[j].pc == w->nodes[first].pc) m |= w->nodes[j].mask;
    }
    if (first < 0) return false;
    const ins *k = waiting_at(W, &w->nodes[first]);
    u8 *R = frame_of(W, w, &w->nodes[first]);
    u32 pc = w->nodes[first].pc;
    exec_collective(W, w, k, R, m);
    for (int j = 0; j < MAX_NODES; j++) {
        if (w->nodes[j].state != NODE_COLLECTIVE || w->nodes[j].pc != pc) continue;
        w->nodes[j].state = NODE_RUN;
        w->nodes[j].pc++;
    }
    settle(w);
    return true;
}

/* Called when no warp of the CTA can run. True where somebody can again. */
bool release_barriers(worker *W)
{
    bool any = false;
    for (u32 i = 0; i < W->c.nwarps; i++) any |= release_collective(W, &W->c.warps[i]);
    if (any) return true;
    for (u32 id = 0; id < 16; id++) {
        tally t = count_waiting(W, id);
        bool counted = t.expected != 0;
        if (!t.lanes || (counted ? t.warps * WARP + W->c.bars[id].arrived < t.expected : t.lanes < live_lanes(W))) continue;
        release(W, id, &t);
        any = true;
    }
    for (u32 i = 0; any && i < W->c.nwarps; i++) settle(&W->c.warps[i]);
    return any;
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
