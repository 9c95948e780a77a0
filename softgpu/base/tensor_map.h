/* A tensor map: how bulk copies of tensors see global memory. The vendor's 128 bytes are opaque; these are the device's
 * own, with a field for each that tensormap.replace can change. */
#ifndef SG_TENSOR_MAP_H
#define SG_TENSOR_MAP_H

#include "base.h"

enum { TENSOR_RANK = 5, TENSOR_MAP_BYTES = 128 };

typedef struct tensor_map {
    u64 address, strides[TENSOR_RANK - 1]; /* in bytes, of the second dimension on */
    u32 extents[TENSOR_RANK], steps[TENSOR_RANK], box[TENSOR_RANK];
    u32 rank; /* less one */
    u32 element, interleave, swizzle, fill;
} tensor_map;

/* Elements by the numbers of tensormap.replace: bytes of each. */
enum { TENSOR_ELEMENTS = 13 };
static inline u32 tensor_element_bytes(u32 element)
{
    static const u8 bytes[TENSOR_ELEMENTS] = { 1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4 };
    return element < TENSOR_ELEMENTS ? bytes[element] : 0;
}

/* Fields of tensormap.replace: where they are, and whether there is one for every dimension. */
enum map_field {
    MAP_ADDRESS,
    MAP_STRIDE,
    MAP_EXTENT,
    MAP_STEP,
    MAP_BOX,
    MAP_RANK,
    MAP_ELEMENT,
    MAP_INTERLEAVE,
    MAP_SWIZZLE,
    MAP_FILL,
    MAP_FIELDS
};

#endif
