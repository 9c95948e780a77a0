/* The geometry of operands: which an op uses, what shape each must have, and what a view touches. */
#include "internal.h"

bool cot_elementwise(cot_family family)
{
    return family == COT_BINARY || family == COT_BINARY_PARAM;
}

bool cot_is_output(cot_operand operand)
{
    return operand == COT_DX || operand == COT_DA || operand == COT_DB;
}

bool cot_operand_used(const cot_op_info *op, cot_operand operand)
{
    switch (operand) {
    case COT_DY: return true;
    case COT_X: return op->needs & COT_NEEDS_X;
    case COT_Y: return op->needs & COT_NEEDS_Y;
    case COT_A: return op->needs & COT_NEEDS_A;
    case COT_B: return op->needs & COT_NEEDS_B;
    case COT_DX: return !cot_elementwise(op->family);
    case COT_DA:
    case COT_DB: return cot_elementwise(op->family);
    default: return false;
    }
}

const cot_view *cot_operand_view(const cot_args *args, cot_operand operand)
{
    const cot_view *const views[] = { args->dy, args->x, args->y, args->a, args->b, args->dx, args->da, args->db };
    return views[operand - COT_FIRST_OPERAND];
}

void cot_operand_shape(const cot_desc *desc, cot_operand operand, int32_t *shape)
{
    for (int d = 0; d < desc->rank; d++)
        shape[d] = desc->shape[d];
    if (cot_op_get(desc->op)->family == COT_REDUCE && (operand == COT_DY || operand == COT_Y))
        shape[desc->axis] = 1;
}

int64_t cot_count(int32_t rank, const int32_t *shape)
{
    int64_t count = 1;
    for (int d = 0; d < rank; d++)
        count *= shape[d];
    return count;
}

bool cot_span(const cot_view *view, int64_t *elements)
{
    int64_t last = 0;
    for (int d = 0; d < view->rank; d++) {
        int64_t reach;
        if (view->shape[d] == 0) {
            *elements = 0;
            return true;
        }
        if (__builtin_mul_overflow((int64_t)view->shape[d] - 1, view->strides[d], &reach)
            || __builtin_add_overflow(last, reach, &last))
            return false;
    }
    *elements = last + 1;
    return last < INT64_MAX / (int64_t)cot_element_size(view->element);
}

bool cot_is_contiguous(const cot_view *view)
{
    int64_t next = 1;
    for (int d = view->rank - 1; d >= 0; d--) {
        if (view->shape[d] == 0)
            return true;
        if (view->shape[d] > 1 && view->strides[d] != next)
            return false;
        next *= view->shape[d];
    }
    return true;
}

bool cot_is_broadcast(const cot_view *view)
{
    for (int d = 0; d < view->rank; d++)
        if (view->shape[d] > 1 && view->strides[d] == 0)
            return true;
    return false;
}

bool cot_same_layout(const cot_view *a, const cot_view *b)
{
    for (int d = 0; d < a->rank; d++)
        if (a->shape[d] != b->shape[d] || (a->shape[d] > 1 && a->strides[d] != b->strides[d]))
            return false;
    return true;
}

cot_view cot_contiguous(cot_element element, int32_t rank, const int32_t *shape, void *data)
{
    cot_view view = { .element = element, .rank = rank, .data = data, .length = 1 };
    for (int d = (rank < COT_MAX_RANK ? rank : COT_MAX_RANK) - 1; d >= 0; d--) {
        view.shape[d] = shape[d];
        view.strides[d] = view.length;
        if (shape[d] < 0 || __builtin_mul_overflow(view.length, (int64_t)shape[d], &view.length))
            view.length = 0; /* refused when it is used */
    }
    return view;
}
