/* Right backends that differ from the reference: the counterpart of mutants. Each row of innocents.def evaluates the
 * spec's formulas soundly, in another order, with other roundings or other functions, and the suite must acquit it.
 *
 * An innocent is a choice of independent knobs: the order of its sums and of its scans, how it takes a mean, who sums
 * for cummax and how logcumsumexp is evaluated, what it does to products and quotients, how far its functions are off.
 * One evaluator (evaluate.inc) does all ops with any of them. It shares nothing with the reference: neither loops nor
 * formulas nor functions. */
#ifndef COT_INNOCENT_H
#define COT_INNOCENT_H

#include "core/cotangent.h"

/* The order in which a sum of a line is made. */
typedef enum innocent_sum {
    SUM_FORWARD,
    SUM_BACKWARD,
    SUM_PAIRWISE, /* halves, down to runs of `block` terms */
    SUM_BLOCKS,   /* a tree in each block, and the blocks one after the other */
    SUM_LANES,    /* `block` running sums of every block-th term, then a tree */
    SUM_RANDOM,   /* a tree of neighbours, split at random */
    SUM_SHUFFLED, /* one after the other, in a shuffled order */
    SUM_SORTED,   /* one after the other, the smallest first */
    SUM_KAHAN,    /* with what each addition loses kept apart */
    SUM_WIDE,     /* in the next wider type */
    SUMS
} innocent_sum;

typedef enum innocent_scan {
    SCAN_RUNNING,
    SCAN_EACH, /* every cell a sum of its own, where lines are short */
    SCAN_BLELLOCH,
    SCAN_HILLIS_STEELE,
    SCAN_BLOCKED,   /* running within a block, and a carry from block to block */
    SCAN_LOOK_BACK, /* a block adds up the blocks before it, back to one whose carry is known */
    SCAN_KAHAN,
    SCAN_WIDE,
    SCANS
} innocent_scan;

typedef enum innocent_mean { MEAN_OF_SUM, MEAN_WELFORD, MEAN_TWO_PASS, MEAN_SHIFTED, MEANS } innocent_mean;

/* Who adds up what a winner of cummax takes: a sum over its run, a scan's last cell, or a loop that adds each dy where
 * it belongs. */
typedef enum innocent_winner { WINNER_SUM, WINNER_SCAN, WINNER_SCATTER } innocent_winner;

/* Sound changes to a formula. Those that could leave the range where the spec's own do not are taken only where every
 * intermediate is a normal number. */
#define FUSED 1u       /* a product that feeds a sum is not rounded */
#define FROM_ZERO 2u   /* accumulators start at +0 */
#define RECIPROCAL 4u  /* a / b as a * (1 / b) */
#define HOISTED 8u     /* what is the same in a line comes first: (g / y) * x; div's db from da */
#define QUOTIENTS 16u  /* quotients come first: g * (x / y), -(g * (a / b)) / b */
#define APART 32u      /* softmax as y * g - y * s */
#define WIDE_WORK 64u  /* everything in the next wider type, rounded once */
#define DIRECT 128u    /* logcumsumexp as the sum that it is, where lines are short */
#define UNORDERED 256u /* another random order on every run */
#define HANDY 512u     /* powers as products, roots and quotients; hypot from a quotient and a root */

typedef struct innocent {
    const char *name;
    const char *ops;     /* that it stands for: a scope as in the spec. It does all of them */
    const char *promise; /* the level that it keeps: "D", or "B" where its bits are not the same on every run */
    const char *clauses; /* that its bits break, and no other: those that are named at level X */
    const char *about;
    innocent_sum sum;
    innocent_scan scan;
    innocent_mean mean;
    innocent_winner winner;
    int64_t block;  /* of sums and scans */
    double width;   /* logcumsumexp's anchors are multiples of it; 0: every y is its own */
    unsigned flags; /* FUSED and so on */
    int ulps;       /* that exp, log, pow and hypot may be off by; 0: the C library's */
    int lean;       /* +1, -1: always off to that side */
} innocent;

const innocent *innocent_at(int index); /* the rows in order; NULL past the last */
const innocent *innocent_find(const char *name);

/* By its name; there are no options. */
cot_status innocent_open(const char *name, const char *options, cot_backend **backend, cot_error *error);

#endif
