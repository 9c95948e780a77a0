/* The line that is looked at, as a problem of its own: what the judge can be asked about it. */
#ifndef COT_WEB_OWN_LINE_H
#define COT_WEB_OWN_LINE_H

#include "scene.h"
#include "conformance/case/problem.h"
#include "conformance/judge/trial.h"
#include "conformance/judge/verdict.h"

typedef struct own_line {
    problem p;
    trial t;
} own_line;

/* With outputs that somebody gives; NULL where there are none. 0, or -1: out of memory. own_line_free in any case, and
 * the line may not be moved between. */
int own_line_make(own_line *l, const scene *s, double *const given[OPERANDS]);
void own_line_free(own_line *l);

/* The clause that a cell is about, whatever came out there. */
const char *own_line_clause(const own_line *l, cot_operand output, int cell, double want);

#endif
