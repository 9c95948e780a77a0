/* Operands: memory for them, the fields of cot_args by operand, and the lines of their cells. */
#include "operand.h"

#include <stdlib.h>
#include <string.h>

int operand_make(const cot_desc *desc, cot_operand operand, cot_view *view)
{
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(desc, operand, shape);
    *view = cot_contiguous(desc->element, desc->rank, shape, NULL);
    view->data = calloc(view->length ? (size_t)view->length : 1, cot_element_size(desc->element));
    return view->data ? 0 : -1;
}

const cot_view **args_slot(cot_args *args, cot_operand operand)
{
    // clang-format off
    static const size_t offsets[OPERANDS] = {
        [COT_DY] = offsetof(cot_args, dy), [COT_X] = offsetof(cot_args, x), [COT_Y] = offsetof(cot_args, y),
        [COT_A] = offsetof(cot_args, a), [COT_B] = offsetof(cot_args, b),
        [COT_DX] = offsetof(cot_args, dx), [COT_DA] = offsetof(cot_args, da), [COT_DB] = offsetof(cot_args, db),
    };
    // clang-format on
    return (const cot_view **)(void *)((char *)args + offsets[operand]);
}

const cot_view *args_view(const cot_args *args, cot_operand operand)
{
    cot_args copy = *args;
    return operand >= COT_DY && operand <= COT_DB ? *args_slot(&copy, operand) : NULL;
}

line_shape lines_of(const cot_desc *desc)
{
    int axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    int64_t outer = cot_cell_count(axis, desc->shape);
    int64_t inner = cot_cell_count(desc->rank - axis - 1, desc->shape + axis + 1);
    return (line_shape){ axis, desc->shape[axis], inner, outer * inner };
}

void point_args(cot_args *args, const cot_view views[OPERANDS])
{
    args->size = sizeof *args;
    for (int o = COT_DY; o < OPERANDS; o++)
        *args_slot(args, (cot_operand)o) = views[o].rank ? &views[o] : NULL;
}
