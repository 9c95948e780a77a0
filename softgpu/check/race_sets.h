/* Who accessed a word: one record, or a set of them. Equal sets are stored once, so that words that the same threads
 * read share what is kept of it. */
#ifndef SG_RACE_SETS_H
#define SG_RACE_SETS_H

#include "softgpu/base/base.h"

/* Lanes of one warp that made an access. */
typedef struct record {
    u32 cta, time;
    u32 lanes; /* of is_set: the set */
    u32 pc : 18, size : 2, warp : 5, strength : 3, silent : 1, is_set : 1, whole_block : 1, is_async : 1;
} record; /* size: the power of two */
enum { MOST_PC = (1 << 18) - 1 };

typedef struct set_node {
    record r;
    u32 prev, length; /* the set without this record; 0 for none */
    u32 next;         /* in its bucket */
} set_node;

typedef struct race_sets {
    set_node *nodes; /* from 1 on */
    u32 *buckets;
    u32 count, room;
    bool full; /* records were lost */
} race_sets;

/* The set `prev` and one record more. Finds the record in the newest ones first; 0 where there is no memory. */
u32 set_push(race_sets *s, u32 prev, const record *r);
static inline const set_node *set_at(const race_sets *s, u32 set) { return &s->nodes[set]; }
void sets_free(race_sets *s);

#endif
