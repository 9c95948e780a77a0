/* Truth for the suite: each op's clause evaluated directly, a line at a time, sharing no source with the backends. */
#ifndef COT_DIRECT_H
#define COT_DIRECT_H

#include "cotangent.h"

typedef struct direct_line {
    const cot_desc *desc;
    int64_t n;
    const double *dy, *x, *y, *a, *b; /* dy and y hold one cell in a reduction */
} direct_line;

/* An exact value (as far as double reaches), and the sum of the magnitudes of its terms. */
typedef struct direct_value {
    double value, condition;
    int literal; /* no sum is involved: a zero has the formula's sign */
} direct_value;

typedef direct_value direct_fn(const direct_line *line, int64_t i);

/* How to judge an op's outputs: dx alone, or da and db. NULL where there is no truth for it yet. */
typedef struct direct_op {
    direct_fn *first, *second;
} direct_op;

const direct_op *direct_find(cot_op op);

#endif
