/* Where the cells of a call lie, and bits by chance. */
#include "innocent_call.h"

void *innocent_cell(const innocent_call *call, cot_operand operand, int64_t line, int64_t at)
{
    const cot_view *view = call->views[operand];
    int64_t n = view->shape[call->axis], first = line / call->inner * call->inner * n + line % call->inner;
    return (char *)view->data
           + (cot_cell_offset(view, first) + at * view->strides[call->axis]) * (int64_t)cot_element_size(view->element);
}

/* The finaliser of a counter-based generator (splitmix64). */
uint64_t innocent_hash(uint64_t key, uint64_t value)
{
    uint64_t z = key * UINT64_C(0x9e3779b97f4a7c15) + value + UINT64_C(0x632be59bd9b4e019);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
