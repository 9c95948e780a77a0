/* Which accesses happened before which: what each lane knows, and how barriers, fences and atomics spread it. Time is
 * one counter of a launch, which goes on at every synchronisation; an access has the time at which it was done. */
#ifndef SG_RACE_ORDER_H
#define SG_RACE_ORDER_H

#include "checkers.h"
#include "race_clocks.h"

/* How strong an access is. Volatile ones are visible in the whole system, but no atomics. */
enum strength { WEAK, VOLATILE, CTA_SCOPE, CLUSTER_SCOPE, GPU_SCOPE };
enum { LEVELS = 3 }; /* scopes: block, cluster, and all beyond */

enum { ORDER_ACQUIRE = 1, ORDER_RELEASE = 2, ORDER_FENCE = 4 };
typedef struct ordering {
    u8 strength, order;
} ordering;

/* What an instruction's opcode says of scope and order. */
ordering ordering_of(const char *opcode);

/* All of the block, and of the warp, up to a time; and what came by other ways. */
typedef struct known {
    u32 block, warp;
    clocks *rest;
} known;

/* What a thread knew at its last fence, and when that was; nothing where both time and rest are 0. */
typedef struct released {
    u32 time;
    known k;
} released;

enum { GROUPS = 16 };

typedef struct race_lane {
    known now;
    u32 copied[GROUPS]; /* the time of the last asynchronous access of each recent group */
    released fences[LEVELS];
    clocks *seen[LEVELS]; /* read by strong accesses, of no effect before a fence */
} race_lane;

typedef struct race_warp {
    race_lane lanes[WARP];
    bool mixed; /* lanes have more than times of their block and warp */
} race_warp;

/* Threads that meet: at a barrier of the block, or of a warp. */
typedef struct gate {
    u32 block;
    clocks *known, *fences[LEVELS];
    u32 waiting[WARP]; /* lanes of each warp */
    bool arrivals;     /* some went on without waiting */
} gate;

enum { GATES = BARRIERS };

/* Words through which threads synchronise, and what was released there. */
typedef struct sync_word {
    u64 key;
    clocks *levels[LEVELS];
    u64 owner[LEVELS]; /* whose threads may take it: block, cluster, everybody */
} sync_word;

typedef struct sync_table {
    sync_word *words;
    size_t room, used;
} sync_table;

typedef struct race_clock {
    u32 now;
    bool full; /* time came to its end: later orders are not seen */
} race_clock;

static inline u32 tick(race_clock *c)
{
    if (c->now < 0xfffffff0u)
        return c->now++;
    c->full = true;
    return c->now;
}

void lane_reset(race_lane *l);
void order_fence(race_warp *s, race_clock *clock, u32 m, ordering how);
/* Lanes come to a barrier, and wait there or go on; all that wait go on. */
void gate_enter(gate *g, race_warp *s, race_clock *clock, const cta *c, u32 warp_index, u32 m, bool waits);
void gate_open(gate *g, race_clock *clock, const cta *c, race_warp *warps);
void gate_clear(gate *g);
void order_warp(race_warp *s, race_clock *clock, const cta *c, const warp *w, u32 m);

/* A strong access of one lane to a word. */
typedef struct strong_access {
    race_lane *lane;
    u64 cta, cluster;
    u32 thread, time;
    ordering how;
    bool reads, writes, keeps; /* keeps: what others released there stays, as with every atomic */
} strong_access;
bool order_strong(sync_table *t, u64 key, const strong_access *a); /* did it release something? */
/* An asynchronous access was issued at this time: it is known to those who see that the mbarrier is complete, */
void order_signal(sync_table *t, u64 key, u64 block, u32 thread, u32 time);
/* or to the lane when it has waited for the groups below `complete`. */
void order_copied(race_lane *l, u64 block, u32 thread, u32 complete);
void order_forget(sync_table *t, u64 key); /* a weak store ended what was released there */
void sync_table_free(sync_table *t);

#endif
