/* Sets of records as lists that share their ends, each stored once. */
#include "race_sets.h"

enum { MOST_NODES = 1 << 22, LOOK_BACK = 8, LONG = 64 };

static bool same_place(const record *a, const record *b)
{
    return a->cta == b->cta && a->warp == b->warp && a->pc == b->pc && a->strength == b->strength
           && a->silent == b->silent && a->whole_block == b->whole_block && a->is_async == b->is_async;
}

static u32 bucket_of(const race_sets *s, u32 prev, const record *r)
{
    u64 h = ((u64)r->cta << 32 | r->time) * 0x9e3779b97f4a7c15u;
    h = (h ^ ((u64)prev << 32 | r->lanes)) * 0xc2b2ae3d27d4eb4fu;
    h = (h ^ ((u64)r->pc << 16 | (u64)r->warp << 8 | (u64)r->strength << 2)) * 0x9e3779b97f4a7c15u;
    return (u32)(h >> 32) & (s->room - 1);
}

static bool grow(race_sets *s)
{
    u32 room = s->room ? 2 * s->room : 1024;
    set_node *nodes = room <= MOST_NODES ? realloc(s->nodes, room * sizeof *nodes) : NULL;
    if (nodes)
        s->nodes = nodes;
    u32 *buckets = nodes ? calloc(room, sizeof *buckets) : NULL;
    if (!buckets)
        return false;
    free(s->buckets);
    s->buckets = buckets;
    s->room = room;
    s->count += !s->count;
    for (u32 i = 1; i < s->count; i++) {
        u32 b = bucket_of(s, nodes[i].prev, &nodes[i].r);
        nodes[i].next = buckets[b];
        buckets[b] = i;
    }
    return true;
}

static u32 intern(race_sets *s, u32 prev, const record *r)
{
    if (s->count + 1 >= s->room && !grow(s)) {
        s->full = true;
        return 0;
    }
    u32 b = bucket_of(s, prev, r);
    for (u32 i = s->buckets[b]; i; i = s->nodes[i].next)
        if (s->nodes[i].prev == prev && s->nodes[i].r.time == r->time && s->nodes[i].r.lanes == r->lanes
            && same_place(&s->nodes[i].r, r))
            return i;
    s->nodes[s->count] = (set_node){ *r, prev, prev ? s->nodes[prev].length + 1 : 1, s->buckets[b] };
    s->buckets[b] = s->count;
    return s->count++;
}

/* A long set: the records of a block become one of all its threads, at the latest of their times. */
static u32 compact(race_sets *s, u32 set, const record *r)
{
    u32 shorter = 0;
    for (u32 i = set; i; i = s->nodes[i].prev) {
        record one = s->nodes[i].r;
        bool known = false;
        for (u32 j = shorter; j && !known; j = s->nodes[j].prev)
            known = s->nodes[j].r.cta == one.cta && s->nodes[j].r.strength <= one.strength;
        if (known)
            continue;
        one.whole_block |= one.cta != r->cta || s->nodes[set].length > LONG;
        shorter = intern(s, shorter, &one);
    }
    return shorter;
}

u32 set_push(race_sets *s, u32 prev, const record *r)
{
    u32 at = prev;
    for (u32 i = 0; at && i < LOOK_BACK; i++, at = s->nodes[at].prev)
        if (s->nodes[at].r.time == r->time && same_place(&s->nodes[at].r, r)
            && (s->nodes[at].r.lanes & r->lanes) == r->lanes)
            return prev;
    if (prev && s->nodes[prev].r.time == r->time && same_place(&s->nodes[prev].r, r)) {
        record both = s->nodes[prev].r;
        both.lanes |= r->lanes;
        return intern(s, s->nodes[prev].prev, &both);
    }
    u32 length = prev ? s->nodes[prev].length : 0;
    if (length >= LONG && !(length & (length - 1)))
        prev = compact(s, prev, r);
    return intern(s, prev, r);
}

void sets_free(race_sets *s)
{
    free(s->nodes);
    free(s->buckets);
    *s = (race_sets){ 0 };
}
