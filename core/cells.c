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
    for (int32_t d = view->rank - 1; d >= 0 && index; d--) {
        int64_t extent = view->shape[d];
        if (index < extent) /* no division for the outermost index that is not 0 */
            return offset + index * view->strides[d];
        if (extent == 1)
            continue;
        /* Divisions are all the work here, and those of 32 bits are cheaper by far. */
        int64_t rest = index <= UINT32_MAX ? (int64_t)((uint32_t)index / (uint32_t)extent) : index / extent;
        offset += (index - rest * extent) * view->strides[d];
        index = rest;
    }
    return offset;
}
