/* What the defects of mutants are made with. */
#ifndef COT_MUTANT_CALL_H
#define COT_MUTANT_CALL_H

#include "core/formula/spec.h"
#include "mutant.h"

enum { LANES = COT_LANES, SEGMENT = COT_SEGMENT, TILE = COT_TILE, FAR = 1 << 16 }; /* FAR: where 16 bits end */

/* 0, or -1: out of memory. The outputs' cells are not read. */
int call_read(mutant_call *c);
void call_free(mutant_call *c);
int64_t call_cells(const mutant_call *c, cot_operand operand);
cot_status call_run(mutant_call *c, cot_error *error); /* the reference, on copies */
void call_apply(mutant_call *c);                       /* `cell` and `line` */
void call_write(const mutant_call *c);

/* An operand's cell in a line; its only one where the operand has extent 1 there. */
double *call_at(const mutant_call *c, cot_operand operand, int64_t line, int64_t i);
double call_get(const mutant_call *c, cot_operand operand, int64_t line, int64_t i); /* NaN where it is not used */

double call_round(const mutant_call *c, double value);      /* to the compute type: after every operation */
double call_store(const mutant_call *c, double value);      /* to the element type */
double call_accumulate(const mutant_call *c, double value); /* to what the row keeps its sums in */
double call_divisor(const mutant_call *c);                  /* m of var and std */

/* exp of the spec, in the compute type. */
void call_exp(const mutant_call *c, double *values, int64_t count);
double call_exp1(const mutant_call *c, double value);

void *view_cell(const cot_view *view, int64_t index); /* the index-th in row-major order */

#endif
