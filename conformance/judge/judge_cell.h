/* The judgement of one cell: an edge exactly, the spec's bits exactly, everything else within its bound. */
#ifndef COT_JUDGE_CELL_H
#define COT_JUDGE_CELL_H

#include "judge.h"
#include "conformance/truth/truth.h"

typedef enum ruling {
    NOT_RULED, /* nothing can be said: y is none of the forward op's */
    BY_EDGE,   /* NaN, an infinity or a zero that every evaluation gives */
    BY_BITS,   /* the spec's own evaluation, bit for bit */
    BY_BOUND,  /* near the exact value */
    BY_OPEN /* an intermediate leaves the range: near the exact value or the literal one, or lost as a sound one may be
             */
} ruling;

typedef struct cell_verdict {
    ruling ruling;
    reason wrong; /* REASON_NONE: it is right */
    double ratio; /* of the error to its bound, where there is one */
    double ulps;
} cell_verdict;

/* What a cell may be off by: as its backend claims, and under each grade. */
typedef struct cell_bounds {
    truth_bound claimed, grade[GRADES];
} cell_bounds;

/* Under a claim, and up to a level; `exact` where numbers are such that bits are level B's already. */
cell_verdict judge_cell(const truth_cell *want, cot_element element, double got, const truth_bound *claimed, level upto,
                        int exact);

#endif
