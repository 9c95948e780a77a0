/* A case made real: operands in memory, laid out and filled as the id says, with guard bands around each. */
#ifndef COT_PROBLEM_H
#define COT_PROBLEM_H

#include "case.h"
#include "operand.h"

typedef struct tensor {
    cot_view view;
    unsigned char *memory; /* guard, elements, guard; NULL where the op does not use the operand */
    size_t bytes;
    cot_operand owner; /* whose memory it is: another operand's where an output is aliased, else its own */
} tensor;

typedef struct problem {
    test_case c;
    tensor tensors[OPERANDS];
    cot_args args; /* of the tensors where they are */
} problem;

/* What a run may not depend on. */
typedef struct fill_pattern {
    unsigned char guard, unwritten; /* bytes of guards and gaps; of the cells of outputs */
    int junk; /* saves that the op does not need hold nonsense, and what it does not read is NaN */
    int bare; /* no guard behind: a device that checks accesses sees what goes past the last cell */
} fill_pattern;

extern const fill_pattern first_fill,
    second_fill; /* NaN in the outputs; and a number, with NaN and nonsense everywhere else */
extern const fill_pattern bare_fill;

enum { GUARD = 64 }; /* bytes before and behind */

int problem_make(problem *p, const test_case *c); /* in the first fill. 0, or -1: out of memory */
void problem_free(problem *p);

static inline int64_t cell_count(const cot_view *view) { return cot_cell_count(view->rank, view->shape); }
double cell_value(const cot_view *view, int64_t index);

/* A tensor's whole memory in another fill: inputs keep their cells. NULL: out of memory. */
unsigned char *problem_image(const problem *p, cot_operand operand, fill_pattern fill);

/* Bytes of a tensor's memory that a run has changed and must not have: inputs, guards, gaps between an output's cells.
 * `before` is the image that the run was given. */
int64_t problem_damage(const problem *p, cot_operand operand, const unsigned char *before, const unsigned char *after);

#endif
