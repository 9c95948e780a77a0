/* What the formulas of expect.c and expect_lines.c share. */
#ifndef COT_EXPECT_NEAR_H
#define COT_EXPECT_NEAR_H

#include "expect.h"

#include <math.h>

/* Inside these every rounding is relative, and a reciprocal is as normal as the number. */
static inline int is_normal(double value) { return (fabs(value) >= 0x1p-125) & (fabs(value) <= 0x1p124); }

static inline double bounded(double exact, int normal) { return normal & is_normal(exact) ? fabs(exact) : 0; }

/* A double that is within so much of a function's value, relative to it, may round to another float than that. */
static inline int is_close(double value, double error)
{
    return (float)(value * (1 - error)) != (float)(value * (1 + error)) && value == value;
}

/* A cell that nothing rounds but a division by two. */
static inline void put_exact(expected *e, int out, int i, float value)
{
    e->literal[out][i] = value;
    e->exact[out][i] = (double)value;
    e->condition[out][i] = bounded((double)value, 1);
}

expect_fn *expect_of_lines(cot_op op); /* reductions and softmax; NULL where the op is neither, or has no pairs */

#endif
