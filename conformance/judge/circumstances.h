/* What a failed case could do without: options that its op does not heed, and the lines beside the wrong cell's. Where
 * it passes without them, they are what fails. */
#ifndef COT_CIRCUMSTANCES_H
#define COT_CIRCUMSTANCES_H

#include "conformance/case/problem.h"
#include "verdict.h"

/* The same case with the spec's own value of every policy and option that the op does not heed. 0: it has no other. */
int leave_out_foreign(const test_case *c, test_case *plain);

/* The line of the wrong cell, or in an elementwise operation the cell, as a contiguous tensor of one dimension with the
 * same numbers. 0: it is one already. problem_free in any case; -1: out of memory. */
int take_line_alone(const problem *p, const verdict *v, problem *q);

#endif
