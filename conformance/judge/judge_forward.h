/* The forward operations against truth's: edges and whatever holds no exp, log, pow or hypot bit for bit, the rest
 * within more roundings than any order of adding makes. */
#ifndef COT_JUDGE_FORWARD_H
#define COT_JUDGE_FORWARD_H

#include "conformance/case/cases.h"
#include "judge.h"

typedef cot_status forward_function(const void *self, const cot_desc *desc, const cot_args *args, cot_error *error);

/* A case here is a line of inputs; a null `forward` is cot_forward. */
cot_status judge_forward(forward_function *forward, const void *self, const test_case *c, verdict *v);

#endif
