/* A case made real: operands in memory, laid out and filled as the id says, with guard bands around each. */
#ifndef COT_PROBLEM_H
#define COT_PROBLEM_H

#include "case.h"

typedef struct tensor {
    cot_view view;
    unsigned char *memory; /* guard, elements, guard; NULL where the op does not use the operand */
    unsigned char *before; /* a copy of it all, to see what a run has changed */
    size_t bytes;
} tensor;

typedef struct problem {
    test_case c;
    tensor tensors[COT_DB + 1];
    cot_args args;
} problem;

int problem_make(problem *p, const test_case *c); /* 0, or -1: out of memory */
void problem_free(problem *p);

int64_t cell_count(const cot_view *view);
int64_t cell_offset(const cot_view *view, int64_t index); /* of the index-th cell in row-major order, in elements */
double cell_value(const cot_view *view, int64_t index);

/* Bytes that a run has changed and must not have: inputs, guards, gaps between an output's cells. */
int64_t problem_damage(const problem *p);

#endif
