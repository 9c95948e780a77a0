#include "operand.h"

#include <stdlib.h>
#include <string.h>

int has_axis(const cot_op_info *op)
{
    return op->family != COT_BINARY && op->family != COT_BINARY_PARAM;
}

int is_output(cot_operand operand)
{
    return operand >= COT_DX;
}

int operand_used(const cot_op_info *op, cot_operand operand)
{
    switch (operand) {
    case COT_DY: return 1;
    case COT_X: return !!(op->needs & COT_NEEDS_X);
    case COT_Y: return !!(op->needs & COT_NEEDS_Y);
    case COT_A: return !!(op->needs & COT_NEEDS_A);
    case COT_B: return !!(op->needs & COT_NEEDS_B);
    default: return has_axis(op) == (operand == COT_DX);
    }
}

void operand_shape(const cot_desc *desc, cot_operand operand, int32_t shape[COT_MAX_RANK])
{
    memcpy(shape, desc->shape, sizeof desc->shape);
    if (cot_op_get(desc->op)->family == COT_REDUCE && (operand == COT_DY || operand == COT_Y))
        shape[desc->axis] = 1;
}

int operand_make(const cot_desc *desc, cot_operand operand, cot_view *view)
{
    int32_t shape[COT_MAX_RANK];
    operand_shape(desc, operand, shape);
    *view = cot_contiguous(desc->element, desc->rank, shape, NULL);
    view->data = calloc(view->length ? (size_t)view->length : 1, cot_element_size(desc->element));
    return view->data ? 0 : -1;
}

void point_args(cot_args *args, const cot_view views[OPERANDS])
{
    const cot_view **const slots[] = { &args->dy, &args->x, &args->y, &args->a, &args->b, &args->dx, &args->da, &args->db };
    args->size = sizeof *args;
    for (int o = COT_DY; o < OPERANDS; o++)
        *slots[o - COT_DY] = views[o].rank ? &views[o] : NULL;
}
