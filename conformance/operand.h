/* Which operands an op has, and what shape each must be. */
#ifndef COT_OPERAND_H
#define COT_OPERAND_H

#include "cotangent.h"

enum { OPERANDS = COT_DB + 1 }; /* arrays of operands are indexed by cot_operand, from COT_DY on */

int has_axis(const cot_op_info *op); /* binary operations do not */
int is_output(cot_operand operand);
int operand_used(const cot_op_info *op, cot_operand operand); /* by the gradient */
void operand_shape(const cot_desc *desc, cot_operand operand, int32_t shape[COT_MAX_RANK]);

/* Memory for it, contiguous and zero: free(view->data). 0, or -1 where there is none. */
int operand_make(const cot_desc *desc, cot_operand operand, cot_view *view);

void point_args(cot_args *args, const cot_view views[OPERANDS]); /* a view of rank 0 is none */

#endif
