/* The judgement of one cell: an edge exactly, promised bits exactly, everything else within its bound. */
#ifndef COT_JUDGE_CELL_H
#define COT_JUDGE_CELL_H

#include "truth.h"

typedef enum ruling {
    NOT_RULED,    /* nothing can be said: an intermediate leaves the normal range, and no bits were promised */
    BY_EDGE,      /* NaN, an infinity or a zero that every evaluation gives */
    BY_BITS,      /* the spec's own evaluation, bit for bit */
    BY_BOUND
} ruling;

typedef struct cell_verdict {
    ruling ruling;
    int wrong;
    double ratio; /* of the error to its bound, where there is one */
    double ulps;
} cell_verdict;

/* What a backend has promised: k roundings, and the spec's own bits. */
typedef struct promise {
    double roundings;
    int bits;
} promise;

cell_verdict judge_cell(const truth_cell *want, cot_element element, double got, promise promised);

/* "got 1.5 (0x1.8p+0, bits 3fc00000), want 1.25 (...)", with the clause. */
int describe_cell(char *text, size_t size, const cot_desc *desc, const truth_cell *want, double got, cell_verdict v);

#endif
