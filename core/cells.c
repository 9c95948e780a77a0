/* The cells of a tensor: how many there are, and where each of them lies. */
#include "cotangent.h"

int64_t cot_cell_count(int32_t rank, const int32_t *shape)
{
    int64_t count = 1;
    for (int32_t d = 0; d < rank; d++)
        count *= shape[d];
    return count;
}

int64_t cot_cell_offset(const cot_view *view, int64_t index)
{
    int64_t offset = 0;
    for (int32_t d = view->rank - 1; d >= 0; d--) {
        offset += index % view->shape[d] * view->strides[d];
        index /= view->shape[d];
    }
    return offset;
}
