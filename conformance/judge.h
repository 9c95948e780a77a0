/* Runs a case on a backend and judges every cell of its results against truth. */
#ifndef COT_JUDGE_H
#define COT_JUDGE_H

#include "problem.h"

typedef struct verdict {
    int failed;
    int64_t cells, edge_cells; /* compared; of them NaN, infinite or zero */
    double worst;              /* the largest error over its bound */
    int64_t guard_bytes;       /* that were looked at */
    char why[512];             /* where it failed: the first cell and its numbers, or the refusal */
} verdict;

/* COT_UNSUPPORTED from the backend is returned, and no failure. */
cot_status judge_case(cot_backend *backend, const test_case *c, verdict *v);

#endif
