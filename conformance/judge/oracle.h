/* Oracles without a tolerance: what must hold exactly, whatever the order of evaluation, and without asking truth. On
 * integers they are part of level B; scaling, which compares the bits of two runs, of level D. */
#ifndef COT_ORACLE_H
#define COT_ORACLE_H

#include "trial.h"
#include "judge.h"

/* Small integers: every sum and product of the op is exact in every order, and so is the result but for its one
 * rounding. */
int integers_are_exact(const test_case *c);

/* Sums that every order gives exactly, on the numbers of conformance/case/generate_exact.h: known at any length. */
int has_exact_sum(const test_case *c);
void judge_exact_sum(const court *seat, const trial *t, verdict *v);

/* Further runs on inputs that were changed, and sums over the results. */
void judge_oracles(const court *seat, const trial *t, verdict *v);

/* A case on the numbers of `p`, every line in reverse. problem_free in any case. COT_INTERNAL: out of memory. */
cot_status mirror_problem(const problem *p, const test_case *c, problem *q);

#endif
