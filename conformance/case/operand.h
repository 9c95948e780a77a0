/* Operands of a call, by their names, and the lines of their cells. */
#ifndef COT_OPERAND_H
#define COT_OPERAND_H

#include "core/cotangent.h"

enum { OPERANDS = COT_DB + 1 }; /* arrays of operands are indexed by cot_operand, from COT_DY on */

/* Memory for an operand, contiguous and zero: free(view->data). 0, or -1 where there is none. */
int operand_make(const cot_desc *desc, cot_operand operand, cot_view *view);

/* Where a call's arguments hold an operand, and what they hold there; NULL for none. */
const cot_view **args_slot(cot_args *args, cot_operand operand);
const cot_view *args_view(const cot_args *args, cot_operand operand);

/* The lines of a descriptor's gradient: along the axis, or along the last dimension where the op has none. */
typedef struct line_shape {
    int axis;
    int64_t n, inner, count; /* cells of a line, cells between neighbours on it, lines */
} line_shape;

line_shape lines_of(const cot_desc *desc);

void point_args(cot_args *args, const cot_view views[OPERANDS]); /* a view of rank 0 is none */

#endif
