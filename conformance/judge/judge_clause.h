/* Which clause a wrong cell breaks, by what the cell and its line look like. */
#ifndef COT_JUDGE_CLAUSE_H
#define COT_JUDGE_CLAUSE_H

#include "judge.h"
#include "trial.h"

/* By the cell alone. The verdict's cell is filled in. */
const char *cell_clause(const verdict *v, level at, const problem *p);

/* By the whole line that the first wrong cell lies in, as it came back: blames the clause whose breaking gives such a
 * line, and picks the sentence of it that matters. A verdict that is not about a number stays as it is. */
void blame_by_line(const trial *t, verdict *v);

#endif
