/* What the families of truth share: a line at work. */
#ifndef COT_TRUTH_OPS_H
#define COT_TRUTH_OPS_H

#include "truth.h"
#include "truth_value.h"

typedef struct work {
    const truth_line *line;
    const cot_desc *desc;
    int64_t n;
    const real_format *compute;
    value *first, *second;        /* the results: dx or y; da and db */
    value *terms, *sums, *others; /* scratch, n cells each */
    unsigned char *marks;         /* n bytes */
} work;

typedef void work_fn(work *w);

typedef struct truth_op {
    const char *clause;
    work_fn *gradient, *forward;
} truth_op;

extern const truth_op truth_reduce[], truth_scan[], truth_binary[], truth_softmax[]; /* by op */

static inline value given(const work *w, double operand)
{
    return v_given(w->compute, operand);
}

/* ARITH-COUNT: a count enters as an operand of the compute type. */
value given_count(const work *w, int64_t count);

#endif
