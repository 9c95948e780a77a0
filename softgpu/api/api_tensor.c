/* Tensor maps: descriptions of tensors in global memory for bulk copies. */
#include "api.h"
#include "softgpu/base/tensor_map.h"

/* Elements by the numbers of the driver to those of tensormap.replace. */
enum { DRIVER_ELEMENTS = 13, MOST_BOX = 256, MOST_STEP = 8 };
static const u8 element_of[DRIVER_ELEMENTS] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12 };

/* Strides are of the second dimension on. */
static bool dimensions_fit(u32 rank, const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                           const uint32_t *steps)
{
    for (u32 i = 0; i < rank; i++) {
        if (!extents[i] || extents[i] > UINT32_MAX || !box[i] || box[i] > MOST_BOX || !steps[i] || steps[i] > MOST_STEP)
            return false;
        if (i && (strides[i - 1] % 16 || strides[i - 1] >> 40))
            return false;
    }
    return true;
}

static bool swizzle_fits(const tensor_map *m)
{
    u32 row = m->box[0] * tensor_element_bytes(m->element);
    return row % 16 == 0 && (!m->swizzle || row <= 16u << m->swizzle);
}

CUDAAPI CUresult cuTensorMapEncodeTiled(CUtensorMap *out, int element, unsigned rank, void *address,
                                        const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                                        const uint32_t *steps, int interleave, int swizzle, int promotion, int fill)
{
    tensor_map m = { 0 };
    if (!out || element < 0 || element >= DRIVER_ELEMENTS || !rank || rank > TENSOR_RANK || !address || !extents || !box
        || !steps || (rank > 1 && !strides) || promotion < 0 || promotion > 3 || fill < 0 || fill > 1)
        return CUDA_ERROR_INVALID_VALUE;
    if (interleave || swizzle < 0 || swizzle > 3) {
        say("tensor maps that interleave, or with swizzles above 128 bytes, are not modelled");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    if ((uintptr_t)address % 16 || !dimensions_fit(rank, extents, strides, box, steps))
        return CUDA_ERROR_INVALID_VALUE;
    m.address = (uintptr_t)address;
    m.rank = rank - 1;
    m.element = element_of[element];
    m.swizzle = (u32)swizzle;
    m.fill = (u32)fill;
    for (u32 i = 0; i < rank; i++) {
        m.extents[i] = (u32)extents[i];
        m.box[i] = box[i];
        m.steps[i] = steps[i];
        m.strides[i ? i - 1 : 0] = i ? strides[i - 1] : 0;
    }
    if (!swizzle_fits(&m))
        return CUDA_ERROR_INVALID_VALUE;
    memset(out, 0, sizeof *out);
    memcpy(out, &m, sizeof m);
    return CUDA_SUCCESS;
}

CUDAAPI CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address)
{
    tensor_map m;
    if (!map || !address || (uintptr_t)address % 16)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&m, map, sizeof m);
    m.address = (uintptr_t)address;
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}
