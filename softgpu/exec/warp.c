/* Divergence. A warp is a tree of nodes, each a set of lanes with a program counter. Where lanes diverge, their node
 * waits at the immediate post-dominator of the branch and its children run there; a call is a child that runs until it
 * returns. One leaf runs at a time, the youngest first, which is the order of the usual reconvergence stack; but any
 * leaf may run, so a path that spins or waits does not stop the others. */
#include "device.h"

bool warp_reserve(warp *w, u32 n)
{
    if (w->nnodes + n <= w->capacity)
        return true;
    u32 more = w->capacity + n < 2 * w->capacity ? 2 * w->capacity : w->capacity + n + 12;
    node *grown = more <= MAX_NODES ? realloc(w->nodes, more * sizeof *grown) : NULL;
    if (!grown)
        return false;
    memset(grown + w->capacity, 0, (more - w->capacity) * sizeof *grown);
    w->nodes = grown;
    w->capacity = more;
    return true;
}

/* There is one: warp_reserve saw to it. */
static int new_node(warp *w)
{
    while (w->nodes[w->first_free].state != NODE_FREE)
        w->first_free++;
    return (int)w->first_free++;
}

static void free_node(warp *w, int i)
{
    w->nodes[i].state = NODE_FREE;
    w->nnodes--;
    if ((u32)i < w->first_free)
        w->first_free = (u32)i;
}

static int add_child(warp *w, int parent, u32 mask, u32 pc, u32 rpc, u32 fi)
{
    int i = new_node(w);
    w->nodes[i] = (node){
        .pc = pc, .mask = mask, .rpc = rpc, .state = NODE_RUN, .parent = parent, .func = fi, .born = w->births++
    };
    if (parent >= 0)
        w->nodes[parent].pending++;
    w->nnodes++;
    return i;
}

void warp_reset(warp *w, u32 lanes, u32 entry, u32 fi)
{
    for (u32 i = 0, seen = 0; seen < w->nnodes; i++) {
        seen += w->nodes[i].state != NODE_FREE;
        w->nodes[i].state = NODE_FREE;
    }
    w->live = w->lanes = lanes;
    w->births = w->nnodes = w->first_free = 0;
    w->executed = 0;
    w->current = add_child(w, -1, lanes, entry, PC_NONE, fi);
    w->nodes[w->current].is_frame = 1;
}

bool warp_pick(warp *w)
{
    int best = -1;
    u32 seen = 0;
    for (int i = 0; seen < w->nnodes; i++) {
        const node *n = &w->nodes[i];
        seen += n->state != NODE_FREE;
        if (n->state == NODE_RUN && !n->pending && (best < 0 || n->born > w->nodes[best].born))
            best = i;
    }
    w->current = best;
    return best >= 0;
}

/* A node is done: its lanes wait in its parent, which goes on when it was the last. */
static void finish(warp *w, int i)
{
    while (i >= 0) {
        node *n = &w->nodes[i];
        int up = n->parent;
        free_node(w, i);
        if (up < 0 || --w->nodes[up].pending)
            break;
        if (w->nodes[up].mask)
            break;
        i = up;
    }
    warp_pick(w);
}

void warp_arrive(warp *w) { finish(w, w->current); }

/* Lanes that would start at the reconvergence point have already reached it. */
static void start_path(warp *w, int parent, u32 mask, u32 pc, u32 rpc, u32 fi)
{
    if (pc != rpc)
        add_child(w, parent, mask, pc, rpc, fi);
}

void warp_diverge(warp *w, u32 taken, u32 target, u32 fallthrough, u32 rpc)
{
    int at = w->current;
    node *n = &w->nodes[at];
    u32 rest = n->mask & ~taken, fi = n->func;
    if (n->rpc == rpc && !n->is_frame) { /* both paths reconverge where this node ends: siblings, no deeper level */
        int parent = n->parent;
        u32 spins = n->spins;
        start_path(w, parent, taken, target, rpc, fi);
        start_path(w, parent, rest, fallthrough, rpc, fi);
        finish(w, at);
        if (w->current >= 0)
            w->nodes[w->current].spins = spins;
        return;
    }
    n->pc = rpc;
    start_path(w, at, taken, target, rpc, fi);
    start_path(w, at, rest, fallthrough, rpc, fi);
    warp_pick(w);
}

void warp_call(warp *w, int from, u32 lanes, u32 entry, const call *c, u32 saved)
{
    w->current = add_child(w, from, lanes, entry, PC_EXIT, c->callee);
    w->nodes[w->current].is_frame = 1;
    w->nodes[w->current].call = c;
    w->nodes[w->current].saved = saved;
}

/* Takes lanes out of the current node and of those above it: up to its frame for a return, all for an exit. */
void warp_remove(warp *w, u32 lanes, bool whole)
{
    int at = w->current;
    for (int i = at; i >= 0; i = w->nodes[i].parent) {
        w->nodes[i].mask &= ~lanes;
        if (w->nodes[i].is_frame && !whole)
            break;
    }
    if (whole)
        w->live &= ~lanes;
    if (!w->nodes[at].mask)
        finish(w, at);
}

static u32 busy_lanes(const warp *w, int parent)
{
    u32 busy = 0;
    for (u32 j = 0; j < w->capacity; j++)
        if (w->nodes[j].state != NODE_FREE && w->nodes[j].parent == parent)
            busy |= w->nodes[j].mask;
    return busy;
}

/* Node i waits for `busy` lanes: they get a reconvergence point of their own below it, and i ends with
 * the function. */
static void push_down(warp *w, int i, u32 busy)
{
    node *n = &w->nodes[i];
    int below = add_child(w, -1, busy, n->pc, PC_EXIT, n->func);
    for (int j = 0; j < (int)w->capacity; j++)
        if (j != below && w->nodes[j].state != NODE_FREE && w->nodes[j].parent == i)
            w->nodes[j].parent = below;
    w->nodes[below].parent = i;
    w->nodes[below].pending = n->pending;
    n->pending = 1;
    n->pc = PC_EXIT;
}

/* Lanes that wait for reconvergence while others spin stop waiting and go on alone. */
static bool split_waiting(warp *w)
{
    if (!warp_reserve(w, 4))
        return false;
    for (int i = w->nodes[w->current].parent; i >= 0; i = w->nodes[i].parent) {
        node *n = &w->nodes[i];
        u32 busy = busy_lanes(w, i), waiting = n->mask & ~busy, pc = n->pc;
        if (!waiting || pc == PC_EXIT)
            continue;
        if (n->parent < 0 || n->is_frame) {
            push_down(w, i, busy);
            w->current = add_child(w, i, waiting, pc, PC_EXIT, n->func);
        } else {
            n->mask = busy;
            w->current = add_child(w, n->parent, waiting, pc, n->rpc, n->func);
        }
        return true;
    }
    return false;
}

bool warp_yield(warp *w)
{
    node *n = &w->nodes[w->current];
    int me = w->current;
    n->born = 0;
    for (int i = 0; i < (int)w->capacity; i++)
        w->nodes[i].born += i != me && w->nodes[i].state != NODE_FREE;
    w->births++;
    warp_pick(w);
    if (w->current != me)
        return true;
    return split_waiting(w);
}
