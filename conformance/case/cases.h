/* Which cases the suite runs: enumerated, never stored. */
#ifndef COT_CASES_H
#define COT_CASES_H

#include "case.h"

typedef struct case_range {
    const char *op_glob;  /* globs with commas between; NULL: every op */
    const char *families; /* likewise; NULL: every family */
    unsigned elements;    /* bits 1 << cot_element; 0: every type */
    int full;             /* all of them; else those of the quick run */
    uint64_t seed;        /* added to every case's own */
} case_range;

int range_has_op(const case_range *range, const cot_op_info *op);
int range_has_element(const case_range *range, cot_element element);

/* Calls `visit` for every case, in an order that never changes, until it returns something other than 0. Returns that.
 */
int cases_visit(const case_range *range, int (*visit)(void *self, const test_case *c), void *self);

#endif
