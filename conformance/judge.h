/* Runs a case on a backend and judges every cell of its results against truth. */
#ifndef COT_JUDGE_H
#define COT_JUDGE_H

#include "problem.h"

/* Cumulative (edges, bounds, determinism, the reference's bits). */
typedef enum level { LEVEL_E, LEVEL_B, LEVEL_D, LEVEL_X, LEVELS } level;

/* Who judges: the backend on trial, how far, and for level X whom it must equal. */
typedef struct court {
    cot_backend *backend;
    cot_backend *against; /* NULL: truth alone */
    level level;
} court;

typedef struct verdict {
    int failed;
    int64_t cells;          /* looked at; of them: */
    int64_t edge_cells;     /* NaN, infinite or zero for certain, and compared exactly */
    int64_t nan_cells;
    int64_t bit_cells;      /* compared bit for bit beside the bound */
    int64_t unjudged_cells; /* an intermediate leaves the normal range, and no bits were promised */
    double worst;           /* the largest error over its bound */
    double worst_ulps;      /* the largest error in units in the last place */
    double worst_roundings; /* the largest error in roundings: of u * condition + s (clause BOUND) */
    double roundings;       /* k, the spec's own */
    int64_t guard_bytes;    /* that were looked at */
    char why[768];          /* where it failed: the first cell and its numbers, or the refusal */
} verdict;

/* NULL, or why this build cannot judge at all. */
const char *judge_unusable(void);

/* COT_UNSUPPORTED from the backend is returned, and no failure. */
cot_status judge_case(const court *seat, const test_case *c, verdict *v);

void judge_end(void); /* after the last case */

#endif
