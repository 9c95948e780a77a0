/* A call as the evaluator sees it, and what it needs of every compute type. */
#ifndef COT_INNOCENT_CALL_H
#define COT_INNOCENT_CALL_H

#include "conformance/case/operand.h"
#include "innocent.h"

typedef struct innocent_call {
    const innocent *v;
    uint64_t seed; /* of random orders */
    const cot_desc *desc;
    const cot_op_info *op;
    const cot_view *views[OPERANDS]; /* NULL where the op does not use the operand */
    int axis;                        /* the last where the op has none */
    int64_t n, inner, lines;         /* extent along the axis; cells between neighbours on it; lines */
} innocent_call;

/* In float, double and long double: 0, or -1 where memory ran out. */
int innocent_run_f(const innocent_call *call);
int innocent_run_d(const innocent_call *call);
int innocent_run_l(const innocent_call *call);

/* The cell of an operand at a place of a line: its only one where the operand is reduced. */
void *innocent_cell(const innocent_call *call, cot_operand operand, int64_t line, int64_t at);

uint64_t innocent_hash(uint64_t key, uint64_t value); /* pseudo-random bits */

#endif
