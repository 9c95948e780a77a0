/* The judgement of one cell: an edge exactly, the spec's bits exactly, everything else within its bound. */
#ifndef COT_JUDGE_CELL_H
#define COT_JUDGE_CELL_H

#include "judge.h"
#include "truth.h"

typedef enum ruling {
    NOT_RULED, /* nothing can be said: an intermediate leaves the normal range, and bits are not compared */
    BY_EDGE,   /* NaN, an infinity or a zero that every evaluation gives */
    BY_BITS,   /* the spec's own evaluation, bit for bit */
    BY_BOUND
} ruling;

typedef struct cell_verdict {
    ruling ruling;
    int wrong;
    level at;     /* where it is wrong */
    double ratio; /* of the error to its bound, where there is one */
    double ulps;
} cell_verdict;

int same_number(double a, double b); /* any NaN is any NaN; zeros have signs */

/* With k roundings, up to a level; `exact` where the bits are level B's already. */
cell_verdict judge_cell(const truth_cell *want, cot_element element, double got, double k, level upto, int exact);

/* "got 1.5 (0x1.8p+0, bits 3fc00000), want 1.25 (...)" */
int describe_pair(char *text, size_t size, cot_element element, double got, double want);

#endif
