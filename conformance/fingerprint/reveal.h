/* The order of a backend's sums, found from outside as a tree: a huge number and its opposite at two places swallow the
 * units of every term that is added between the two, and what is left says how large the subtree is where they meet
 * (FPRev: Xie, Gao, Wang, Zhang and Xu, 2025). A random term at a time is asked about all others, so that the number of
 * questions grows as n log n. */
#ifndef COT_REVEAL_H
#define COT_REVEAL_H

#include "core/cotangent.h"
#include "named.h"

typedef enum reveal_status {
    REVEAL_FOUND,
    REVEAL_NO_SUM,   /* the op has none that shows, or not in this type at this extent */
    REVEAL_NO_ORDER, /* no tree of rounded additions gives these results: compensated, wider, or another each time */
    REVEAL_FAILED    /* the backend: see `error` */
} reveal_status;

typedef struct revealed {
    sum_tree tree;
    int64_t probes; /* sums that were asked for */
    cot_error error;
    char why[160]; /* where it is not found */
} revealed;

/* How many terms may be asked about at once; 0: the op shows no sum in this type. */
int reveal_most(const cot_op_info *op, cot_element element);

/* Leaves are terms in the direction of the gradient: in a scan 0 is the first that the running sum takes. sum_tree_free
 * in any case. */
reveal_status reveal_order(cot_backend *backend, const cot_op_info *op, cot_element element, int terms, revealed *r);

#endif
