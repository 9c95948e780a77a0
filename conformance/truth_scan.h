/* What the scans of truth share. */
#ifndef COT_TRUTH_SCAN_H
#define COT_TRUTH_SCAN_H

#include "truth_ops.h"

/* SCAN-REVERSE: the p-th cell in the direction of the forward scan, and against it. */
static inline int64_t cell_along(const work *w, int64_t p)
{
    return w->desc->reverse ? w->n - 1 - p : p;
}

static inline int64_t cell_against(const work *w, int64_t p)
{
    return cell_along(w, w->n - 1 - p);
}

work_fn logcumsumexp_dx, logcumsumexp_y;

#endif
