/* The edges of an op as the reference has them: small inputs where formulas differ, run when asked. */
#ifndef COT_EDGES_H
#define COT_EDGES_H

#include "core/cotangent.h"

void print_edges(const cot_op_info *op, const cot_policies *policies);

#endif
