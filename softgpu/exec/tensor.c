/* Boxes of tensors: which bytes of global memory go where in shared memory. A box lies there row by row, in pieces of
 * 16 bytes that are permuted as its map's swizzle says; elements outside the tensor are zero, or NaN. */
#include "device.h"

/* Rows that a box has along a dimension, of which every step-th is taken. */
static u32 taken(const tensor_map *m, u32 i) { return (m->box[i] + m->steps[i] - 1) / m->steps[i]; }

const char *tensor_start(tensor_walk *t, u32 rank, u64 most)
{
    const tensor_map *m = &t->map;
    u64 rows = 1;
    t->element = tensor_element_bytes(m->element);
    if (m->rank + 1 != rank || !t->element)
        return "has another rank, or elements of no type";
    if (m->interleave || m->swizzle > 3)
        return "has an interleaved layout or a swizzle that is not modelled";
    for (u32 i = 0; i < rank; i++)
        if (!m->box[i] || m->box[i] > 256 || !m->steps[i] || m->steps[i] > 8 || (i && m->strides[i - 1] % 16))
            return "has a box, an element stride or a stride that is not allowed";
    for (u32 i = 1; i < rank; i++)
        rows *= taken(m, i);
    if (m->box[0] * t->element % 16 || rows * m->box[0] * t->element > most)
        return "has rows of no whole 16 bytes, or a box that does not fit";
    t->rows = (u32)rows;
    t->pieces = m->box[0] * t->element / 16;
    return NULL;
}

static s64 clamp(s64 v, s64 most) { return v < 0 ? 0 : v > most ? most : v; }

static u64 swizzled(const tensor_map *m, u64 address)
{
    u64 phases = m->swizzle ? (1u << m->swizzle) - 1 : 0;
    return address ^ (address >> 7 & phases) << 4;
}

tensor_piece tensor_piece_at(const tensor_walk *t, u32 row, u32 piece)
{
    const tensor_map *m = &t->map;
    u64 row_at = m->address;
    u32 rest = row;
    bool inside = true;
    for (u32 i = 1; i <= m->rank; i++) {
        s64 at = t->at[i] + (s64)(rest % taken(m, i)) * m->steps[i];
        rest /= taken(m, i);
        inside = inside && at >= 0 && at < (s64)m->extents[i];
        row_at += (u64)at * m->strides[i - 1];
    }
    s64 first = t->at[0] * (s64)t->element + 16 * (s64)piece, end = (s64)m->extents[0] * (s64)t->element;
    tensor_piece p = { .shared = swizzled(m, t->shared + ((u64)row * t->pieces + piece) * 16) };
    p.from = inside ? (u32)clamp(-first, 16) : 0;
    p.to = inside ? (u32)clamp(end - first, 16) : 0;
    p.from = p.from < p.to ? p.from : p.to;
    p.global = row_at + (u64)(first + (s64)p.from);
    return p;
}

void tensor_fill(const tensor_walk *t, u8 piece[16])
{
    static const u16 half = 0x7fff;
    static const u32 single = 0x7fffffff;
    static const u64 twice = 0x7fffffffffffffff;
    u32 kind = t->map.element;
    bool is_float = kind >= 6;
    memset(piece, 0, 16);
    for (u32 i = 0; t->map.fill && is_float && i < 16; i += t->element)
        memcpy(piece + i,
               t->element == 2   ? (const void *)&half
               : t->element == 4 ? (const void *)&single
                                 : &twice,
               t->element);
}
