/* Which clause a wrong cell breaks, by what the cell looks like. */
#ifndef COT_JUDGE_CLAUSE_H
#define COT_JUDGE_CLAUSE_H

#include "judge.h"
#include "problem.h"

/* The verdict's cell is filled in. */
const char *cell_clause(const verdict *v, level at, const problem *p);

#endif
