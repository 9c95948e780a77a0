/* The lines of a result against truth. */
#ifndef COT_JUDGE_LINES_H
#define COT_JUDGE_LINES_H

#include "trial.h"
#include "verdict.h"

/* Judges every cell up to a level; a cell that is wrong fails the verdict. COT_INTERNAL: out of memory. */
cot_status judge_lines(const trial *t, level upto, verdict *v);

/* The same by so many threads, 0 for as many as are worth it. Each takes a share of the lines, where all of them are
 * judged: the verdict is the same. */
cot_status judge_lines_by(const trial *t, level upto, int threads, verdict *v);

#endif
