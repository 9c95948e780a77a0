/* What the tests of truth share: one line of a problem, and what truth says of it. */
#ifndef COT_TEST_TRUTH_H
#define COT_TEST_TRUTH_H

#include "conformance/case/operand.h"
#include "conformance/tap/tap.h"
#include "truth.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 2100 };

typedef struct sample {
    cot_desc desc;
    int64_t n;
    double dy[LONGEST], x[LONGEST], y[LONGEST], a[LONGEST], b[LONGEST];
    truth_cell first[LONGEST], second[LONGEST]; /* dx, or da and db; or y in first */
} sample;

static inline int is_reduction(cot_op op) { return cot_op_get(op)->family == COT_REDUCE; }

static inline void start_sample(sample *s, cot_op op, cot_element element, int64_t n)
{
    s->desc = (cot_desc){ COT_SIZED(cot_desc), .op = op, .element = element, .rank = 1, .shape = { (int32_t)n } };
    s->n = n;
}

static inline cot_status run_gradient(sample *s)
{
    truth_line line = { &s->desc, s->n, s->dy, s->x, s->y, s->a, s->b };
    return truth_gradient(&line, s->first, s->second);
}

static inline cot_status run_forward(sample *s)
{
    truth_line line = { &s->desc, s->n, s->dy, s->x, s->y, s->a, s->b };
    return truth_forward(&line, s->first);
}

/* Saves y as the forward op gives it, nearest in the element type. */
static inline void save_forward(sample *s)
{
    run_forward(s);
    int64_t cells = is_reduction(s->desc.op) ? 1 : s->n;
    for (int64_t i = 0; i < cells; i++)
        s->y[i] = truth_round(s->desc.element, truth_nearest(&s->first[i]));
}

static inline int same_number(double a, double b) /* any NaN is any NaN; zeros have signs */
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && signbit(a) == signbit(b);
}

#endif
