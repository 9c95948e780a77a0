/* What one thread knows of others: for a thread, a warp or a block the time up to which all it did happened before.
 * Maps are immutable and share their parts, so that handing one on costs a pointer, and joining two costs what differs.
 */
#ifndef SG_RACE_CLOCKS_H
#define SG_RACE_CLOCKS_H

#include "softgpu/base/base.h"

typedef struct clocks clocks; /* NULL knows nothing */

enum clock_of { CLOCK_THREAD, CLOCK_WARP, CLOCK_BLOCK, CLOCK_ASYNC };

/* The key of a thread (or its asynchronous copies), of a warp or a block, by their index in the block. */
static inline u64 clock_key(u64 block, enum clock_of of, u32 index) { return block << 12 | (u64)of << 10 | index; }

/* The key of a word of memory: up to which time its strong stores were observed, as the device sees it or as the block
 * does. Words of shared memory differ from all addresses by a bit. */
#define CLOCK_WORD ((u64)1 << 62)
#define CLOCK_WORD_OF_BLOCK ((u64)1 << 61)
#define CLOCK_SHARED ((u64)1 << 60)

clocks *clocks_keep(clocks *c);          /* one more owner */
void clocks_drop(clocks *c);             /* one less */
u32 clocks_at(const clocks *c, u64 key); /* 0 where nothing is known */

/* *to knows also what `from` does, or the one time; *to is replaced. */
void clocks_add(clocks **to, clocks *from);
void clocks_set(clocks **to, u64 key, u32 time);
void clocks_clear(clocks **c);

#endif
