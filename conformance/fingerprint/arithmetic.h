/* How a backend computes, each found by a few calls: the width of its accumulators, where sums start, products that are
 * not rounded, subnormal numbers, empty tensors, and whether the same line has the same bits everywhere. */
#ifndef COT_ARITHMETIC_H
#define COT_ARITHMETIC_H

#include "core/cotangent.h"

enum { FINDING_SIZE = 160 };

/* What is found, in words; the backend's own where it refuses. `spec`: what a backend finds that keeps to it. */
typedef struct finding {
    const char *name; /* "accumulator" */
    const char *op;
    char found[FINDING_SIZE], spec[FINDING_SIZE];
} finding;

/* The index-th question. 0 past the last. */
int finding_at(int index, cot_backend *backend, cot_element element, finding *f);

#endif
