/* A block's results, judged. */
#ifndef COT_BLOCK_H
#define COT_BLOCK_H

#include "sweep_pairs.h"

/* The first cell of a block that is wrong, by its bits. */
typedef struct block_miss {
    char out; /* 'a' for da, 'b' for db, also of softmax's two cells; 'x' for dx, whose x and y are `a` and `b` */
    uint32_t dy, a, b, got, want;
    const char *clause;
} block_miss;

typedef struct block_result {
    int64_t block;
    uint64_t digest; /* of the results: every NaN counts as one */
    int64_t cells;   /* all of them are judged; of them: */
    int64_t edges;   /* NaN, infinite or zero by the spec's own evaluation */
    int64_t bounded; /* compared with the exact value as well */
    int64_t close;   /* that truth was asked about: too close to call, or not the spec's own evaluation */
    int64_t failed;
    double worst; /* the largest error over its bound */
    block_miss first;
} block_result;

/* What two machines have found in the same results: their C libraries may differ in the last bits of a ratio, and in
 * what is a close call. */
int same_finding(const block_result *a, const block_result *b);

typedef struct block_claim {
    int bits;         /* the spec's own, in every cell */
    double roundings; /* of clause BOUND: of the cell's formula, */
    double depth;     /* and on the way through its sum */
} block_claim;

block_claim claim_of(const cot_desc *desc, const cot_guarantee *promised);

/* Judges what a backend made of block_operands. COT_INTERNAL: out of memory. */
cot_status judge_block(const sweep *s, const block_claim *claim, int64_t block, const void *const operands[3],
                       const void *const results[2], block_result *r);

#endif
