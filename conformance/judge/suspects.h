/* Wrong evaluations that people write, computed: a clause is blamed where one of them gives what came out. */
#ifndef COT_SUSPECTS_H
#define COT_SUSPECTS_H

#include "exhibit.h"

/* Whether every number of the line's outputs is what this gives, and that is not what the spec's own steps give. */
int line_is_stepwise(const exhibit *e);       /* every operation rounded to the element type */
int line_is_by_reciprocal(const exhibit *e);  /* mean: times a rounded 1 / n */
int line_counts_in_element(const exhibit *e); /* mean: n is rounded to the element type */
int line_is_unscaled(const exhibit *e);       /* hypot: the root of a * a + b * b, which leaves the range */
int line_is_unshifted(const exhibit *e);      /* logsumexp: exp(x) / exp(y), which leave the range */
int line_is_reassociated(const exhibit *e);   /* another order of products and quotients, or fused multiply-adds */
int line_is_flushed(const exhibit *e);        /* subnormal operands are zeros */
double flush_subnormal(const cot_desc *desc, double number);

/* Whether every result is a number of a narrower type than it need be, and the wrong one is what is wanted in it. */
int line_is_narrowed(const exhibit *e, double got, double want);

/* var and std: as if the divisor were m, and as if the mean had been divided by m. */
int line_has_divisor(const exhibit *e, double m);
int line_has_mean_over(const exhibit *e, double m);

/* Ops with a sum. Whether the line's errors are those of sums that are kept in a narrower type than the compute type:
 * neither smaller than its roundings nor larger than they add up to. */
int line_is_summed_narrowly(const exhibit *e);

/* A softmax of more than two cells: whether every cell is what it would be with another part of the line's sum, and
 * that is not its own. */
sum_taken line_takes_of_sum(const exhibit *e);

/* Whether every result of a sum is the exact one in a narrower type; 1 where the op has no sum. */
int line_is_stored_in(const exhibit *e, cot_element type);

/* Whether the absolute terms add up to more than the compute type holds: then some order of the sum overflows. */
int line_can_overflow(const exhibit *e);

/* Whether all terms of the wrong cell's sum are -0.0, so that only the number it starts at makes its sign. */
int terms_are_negative_zeros(const exhibit *e);

#endif
