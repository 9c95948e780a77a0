/* Where NaN, infinities and subnormals began, and what they reached. */
#ifndef SG_FP_ORIGINS_H
#define SG_FP_ORIGINS_H

#include "checkers.h"

/* Kinds of values; the worst is the largest. */
enum fp_class { FP_ORDINARY, FP_SUBNORMAL, FP_INFINITE, FP_NOT_A_NUMBER, FP_CLASSES };

/* Where a value comes from: a load, of which nobody knows yet whether it matters, or a class at an instruction. */
typedef u32 fp_tag; /* 0 for none */
#define FP_LOADED 0x80000000u
static inline fp_tag fp_tag_of(u32 pc, enum fp_class c) { return pc * FP_CLASSES + (u32)c; }

/* The first lane in which it occurred, how often it did, and the first instructions that it reached: 0 for none, else
 * their index plus one. */
typedef struct fp_origin {
    u64 count;
    u32 block[3], thread[3];
    u32 store, branch;
    bool loaded;
} fp_origin;

/* Tags of values in memory, by address; only what is special is kept. */
typedef struct fp_entry {
    u64 key;
    fp_tag tag;
} fp_entry;
typedef struct fp_memory {
    fp_entry *entries;
    size_t room, used;
} fp_memory;

fp_tag fp_recall(const fp_memory *m, u64 key);
void fp_store(fp_memory *m, u64 key, fp_tag tag); /* tag 0 forgets */

void fp_report(const launch *L, const fp_origin *origins); /* all that occurred, in the order of instructions */

#endif
