/* The geometry of views: how many cells they have, and which elements they touch. */
#include "internal.h"

const cot_view *cot_operand_view(const cot_args *args, cot_operand operand)
{
    const cot_view *const views[COT_OPERANDS] = {
#define OPERAND(NAME, name, needs, about) [COT_##NAME] = args->name,
#include "operands.def"
#undef OPERAND
    };
    return views[operand];
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
    bool fits = last < INT64_MAX / (int64_t)cot_element_size(view->element);
    *elements = fits ? last + 1 : INT64_MAX;
    return fits;
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
