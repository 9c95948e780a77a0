/* The edges of an op as the reference has them: small inputs where formulas differ, run when asked. */
#ifndef COT_EDGES_H
#define COT_EDGES_H

#include "core/cotangent.h"

/* An exit code; what cannot be computed is said. */
int print_edges(const cot_op_info *op, const cot_policies *policies);

#endif
