/* A walk over the cells of a result: each wrong one fails the verdict, and what those that are wrong for the verdict's
 * reason have in common becomes its pattern. */
#ifndef COT_WALK_H
#define COT_WALK_H

#include "conformance/case/problem.h"
#include "verdict.h"

typedef struct walk {
    const problem *p;
    verdict *v;
    reason why;                  /* that this walk gave the verdict, or REASON_NONE */
    wrong_cells wrong[REASONS];  /* for each reason */
    unsigned char *const *marks; /* as in trial; NULL: none */
} walk;

walk walk_begin(const problem *p, verdict *v);

/* The index-th cell of an output, in row-major order, is wrong. Not 0: as in verdict_fail, and the cell is filled in.
 */
int walk_fail(walk *w, reason why, const char *clause, cot_operand out, int64_t index, double got, double want);
void walk_end(const walk *w);

/* Another walk, over the cells that come next, with a verdict of its own that began empty: both become one. */
void walk_join(walk *w, const walk *next);

#endif
