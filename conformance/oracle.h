/* Oracles without a tolerance: what must hold exactly, whatever the order of evaluation, and without asking truth. All are part of
 * level B. */
#ifndef COT_ORACLE_H
#define COT_ORACLE_H

#include "trial.h"
#include "verdict.h"

/* Small integers: every sum and product of the op is exact in every order, and so is the result but for its one rounding. */
int integers_are_exact(const test_case *c);

/* Further runs on inputs that were changed, and sums over the results. */
void judge_oracles(cot_backend *backend, const trial *t, verdict *v);

#endif
