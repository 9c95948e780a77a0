/* Barriers of a CTA, and operations of a warp that wait for lanes of other paths. */
#include "observer.h"
#include "softgpu/lanes/lanes.h"

static const ins *waiting_at(const worker *W, const node *n) { return &W->L->k->code[n->pc]; }
static u8 *frame_of(const worker *W, warp *w, const node *n) { return w->regs + W->L->k->funcs[n->func].frame; }
static u32 first_lane(const node *n) { return (u32)__builtin_ctz(n->mask); }
static u32 value_of(const u8 *R, u32 slot, u32 lane) { return ((const L32 *)(const void *)(R + slot))[lane]; }

/* Most often all of them. */
static u32 lanes_in(u32 m) { return m == ~0u ? WARP : (u32)__builtin_popcount(m); }

/* Does the barrier give a result? */
static bool reduces(const ins *k) { return k->arg != BAR_SYNC && k->arg != BAR_CLUSTER; }

typedef struct tally {
    u32 lanes, warps, expected, ones;
} tally;

static u32 node_barrier(const worker *W, warp *w, const node *n)
{
    const ins *k = waiting_at(W, n);
    return k->arg == BAR_CLUSTER ? BARRIERS - 1 : value_of(frame_of(W, w, n), k->a, first_lane(n)) & 15;
}

/* A walk over the nodes of a warp that are in use. It ends after the last of them, long before the array does. */
typedef struct walk {
    warp *w;
    int at;
    u32 left;
} walk;

static walk walk_nodes(warp *w) { return (walk){ w, 0, w->nnodes }; }

static node *next_node(walk *i)
{
    while (i->left) {
        node *n = &i->w->nodes[i->at++];
        if (n->state == NODE_FREE)
            continue;
        i->left--;
        return n;
    }
    return NULL;
}

/* How many wait at each barrier, and what a reduction over them gives. */
static u32 count_waiting(worker *W, tally t[BARRIERS])
{
    u32 used = 0;
    node *n;
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        u32 here = 0;
        walk all = walk_nodes(w);
        while ((n = next_node(&all))) {
            if (n->state != NODE_BARRIER)
                continue;
            const ins *k = waiting_at(W, n);
            const u8 *R = frame_of(W, w, n);
            u32 id = node_barrier(W, w, n);
            t[id].lanes += lanes_in(n->mask);
            t[id].expected = value_of(R, k->b, first_lane(n));
            t[id].ones += reduces(k) ? lanes_in(value_of(R, k->c, 0) & n->mask) : 0;
            t[id].warps += !(here >> id & 1);
            here |= 1u << id;
        }
        used |= here;
    }
    return used;
}

static void give_result(const ins *k, u8 *R, u32 m, const tally *t)
{
    u32 value = t->ones;
    if (k->arg == BAR_AND)
        value = t->ones == t->lanes;
    else if (k->arg == BAR_OR)
        value = t->ones != 0;
    L32 *d = (L32 *)(void *)(R + k->d);
    if (k->dsize == 1)
        *d = (*d & ~m) | (value ? m : 0);
    for (int i = 0; k->dsize == 4 && i < WARP; i++)
        if (m >> i & 1)
            d[i] = value;
}

static void release(worker *W, u32 ids, const tally t[BARRIERS])
{
    node *n;
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        walk all = walk_nodes(w);
        while ((n = next_node(&all))) {
            u32 id = n->state == NODE_BARRIER ? node_barrier(W, w, n) : 0;
            if (n->state != NODE_BARRIER || !(ids >> id & 1))
                continue;
            const ins *k = waiting_at(W, n);
            if (reduces(k))
                give_result(k, frame_of(W, w, n), n->mask, &t[id]);
            n->state = NODE_RUN;
            n->pc++;
        }
    }
    for (u32 id = 0; id < BARRIERS; id++)
        if (ids >> id & 1)
            W->c.bars[id].arrived = 0;
    if (W->watchers)
        TELL(W, barrier_release, &W->c, ids);
}

/* A barrier without a count waits for all lanes that have not exited. */
static u32 live_lanes(const worker *W)
{
    u32 n = 0;
    for (u32 i = 0; i < W->c.nwarps; i++)
        n += lanes_in(W->c.warps[i].live);
    return n;
}

/* A released node whose next statement is its reconvergence point has arrived there. */
static void settle(warp *w)
{
    node *n;
    bool again = true;
    while (again) {
        again = false;
        walk all = walk_nodes(w);
        while ((n = next_node(&all))) {
            if (n->state != NODE_RUN || n->pending || n->pc != n->rpc)
                continue;
            w->current = (int)(n - w->nodes);
            warp_arrive(w);
            again = true;
            break;
        }
    }
}

/* Paths meet at the same statement; those that wait at a bar.warp.sync also meet others that wait at another one. */
static bool meets(const worker *W, const node *a, const node *b)
{
    return b->state == NODE_COLLECTIVE
           && (a->pc == b->pc || (waiting_at(W, a)->kind == K_WARPSYNC && waiting_at(W, b)->kind == K_WARPSYNC));
}

/* The lanes that are there of those that wait with the node; *named gets those that they wait for. */
static u32 gathered(const worker *W, warp *w, const node *with, u32 *named)
{
    node *n;
    u32 m = 0;
    walk all = walk_nodes(w);
    *named = 0;
    while ((n = next_node(&all))) {
        if (!meets(W, with, n))
            continue;
        m |= n->mask;
        *named |= members(waiting_at(W, n), frame_of(W, w, n), n->mask);
    }
    return m;
}

/* A node whose lanes are all there; else the first that waits, which goes on without them: that is an error. */
static node *choose_collective(const worker *W, warp *w)
{
    node *n, *first = NULL;
    u32 named;
    walk all = walk_nodes(w);
    while ((n = next_node(&all))) {
        if (n->state != NODE_COLLECTIVE)
            continue;
        u32 m = gathered(W, w, n, &named);
        if (!(named & w->live & ~m))
            return n;
        if (!first)
            first = n;
    }
    return first;
}

static bool release_collective(worker *W, warp *w)
{
    node *n, *with = choose_collective(W, w);
    u32 named;
    if (!with)
        return false;
    u32 m = gathered(W, w, with, &named);
    if (waiting_at(W, with)->kind == K_WARPSYNC)
        warp_synced(W, w, waiting_at(W, with), m, named, 0);
    else
        exec_collective(W, w, waiting_at(W, with), frame_of(W, w, with), m);
    const node like = *with;
    walk all = walk_nodes(w);
    while ((n = next_node(&all))) {
        if (!meets(W, &like, n))
            continue;
        n->state = NODE_RUN;
        n->pc++;
    }
    settle(w);
    return true;
}

/* Called when no warp of the CTA can run, or those that can wait for others. True where somebody can again. */
bool release_barriers(worker *W)
{
    bool any = false;
    tally t[BARRIERS] = { { 0 } };
    u32 ids = 0, live = live_lanes(W);
    for (u32 i = 0; i < W->c.nwarps; i++)
        any |= !W->c.warps[i].yielded && release_collective(W, &W->c.warps[i]);
    if (any)
        return true;
    u32 used = count_waiting(W, t);
    for (u32 id = 0; used >> id; id++) {
        bool counted = t[id].expected != 0;
        bool full = counted ? t[id].warps * WARP + W->c.bars[id].arrived >= t[id].expected : t[id].lanes >= live;
        if (used >> id & 1 && full)
            ids |= 1u << id;
    }
    if (!ids)
        return false;
    release(W, ids, t);
    for (u32 i = 0; i < W->c.nwarps; i++)
        settle(&W->c.warps[i]);
    return true;
}

/* Every place where threads wait is reported; the first is the fault's. */
void barrier_deadlock(worker *W)
{
    char where[200];
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        for (u32 j = 0; j < w->capacity; j++) {
            const node *n = &w->nodes[j];
            if (n->state != NODE_BARRIER)
                continue;
            const ins *k = waiting_at(W, n);
            u32 id = node_barrier(W, w, n);
            describe(W, w, k, first_lane(n), where, sizeof where);
            raise_fault(W, FAULT_DEADLOCK, "barrier %u waits for threads that never come %s", id, where);
            if (W->watchers)
                TELL(W, deadlock, w, k, first_lane(n), id);
        }
    }
    raise_fault(W, FAULT_DEADLOCK, "no warp of the block can go on");
}
