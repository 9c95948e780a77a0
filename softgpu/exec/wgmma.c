/* Matrix multiplication by a warpgroup: each of its four warps makes 16 rows of D from its rows of A and from all of B.
 * A row of A, and a column of B, has 32 bytes in every type. The order of a sum is mma's: D first, then the products by
 * ascending k, each a fused multiply-add in f32. */
#include "matrix_number.h"
#include "softgpu/base/matrix.h"
#include "softgpu/lanes/lanes.h"

/* Where a piece of 16 bytes is, by the descriptor of its matrix (ISA, "Matrix descriptor"). Along k: two pieces to each
 * row of A or column of B. Transposed: eight neighbouring rows or columns of one k. */
typedef struct layout {
    u64 start, leading, stride;
    u32 width; /* bytes that are swizzled together; 16 for none */
    u32 phases, shift;
} layout;

static layout read_descriptor(u64 v)
{
    u32 mode = (u32)(v >> 62);
    return (layout){ (v & 0x3fff) << 4,        (v >> 16 & 0x3fff) << 4,      (v >> 32 & 0x3fff) << 4,
                     mode ? 256u >> mode : 16, mode ? (16u >> mode) - 1 : 0, (u32)(v >> 49) & 7 };
}

static u64 swizzled(const layout *l, u64 address) { return address ^ (((address >> 7) - l->shift) & l->phases) << 4; }

u64 piece_address(u64 descriptor, bool transposed, u32 line, u32 part)
{
    layout l = read_descriptor(descriptor);
    bool plain = l.width == 16;
    u64 at;
    if (!transposed)
        at = line % 8 * l.width + line / 8 * l.stride + part * (plain ? l.leading : 16);
    else {
        u32 each = l.width / 16; /* pieces side by side */
        at = line % 8 * l.width + line / 8 * (plain ? l.leading : l.stride) + part % each * 16
             + part / each * (plain ? l.stride : l.leading);
    }
    return swizzled(&l, l.start + at);
}

static number element_of(u32 kind, const u8 *row, u32 k, bool negated)
{
    u32 bits = element_bits(kind), v = 0;
    number out;
    memcpy(&v, row + k * bits / 8, bits < 8 ? 1 : bits / 8);
    if (bits < 8)
        v = v >> k * bits % 8 & ((1u << bits) - 1);
    if (is_whole(kind))
        out.whole = whole_value(kind, v);
    else
        out.real = negated ? -real_value(kind, v) : real_value(kind, v);
    return out;
}

/* The place of an element of D: lane, register and half of it. */
typedef struct holder {
    u32 lane, reg, shift;
} holder;

static holder holder_of(const group_tile *t, u32 row, u32 column)
{
    u32 index = column / 8 * 4 + row / 8 * 2 + (column & 1);
    bool halves = t->of[2] == EL_F16;
    return (holder){ row % 8 * 4 + column % 8 / 2, halves ? index / 2 : index, halves ? 16 * (index & 1) : 0 };
}

static number sum(const group_tile *t, const number *a, const number *b, number c, bool saturates)
{
    u32 depth = 8 * GROUP_BYTES / element_bits(t->of[0]);
    if (t->of[2] != EL_S32) {
        for (u32 k = 0; k < depth; k++)
            c.real = (double)fma_f32((float)a[k].real, (float)b[k].real, (float)c.real);
        return c;
    }
    for (u32 k = 0; k < depth; k++)
        c.whole += a[k].whole * b[k].whole;
    if (saturates)
        c.whole = c.whole > INT32_MAX ? INT32_MAX : c.whole < INT32_MIN ? INT32_MIN : c.whole;
    return c;
}

static void update(const ins *k, u8 *R, u32 row, u32 column, const number *a, const number *b)
{
    const group_tile *t = k->group;
    holder at = holder_of(t, row, column);
    L32 *word = (L32 *)(void *)(R + t->d[at.reg]) + at.lane;
    u32 kind = t->of[2], mask = kind == EL_F16 ? 0xffffu : ~0u, old = *word >> at.shift & mask;
    number c = { 0 };
    if (*(const L32 *)(const void *)(R + t->accumulates) & 1) {
        if (is_whole(kind))
            c.whole = whole_value(kind, old);
        else
            c.real = real_value(kind, old);
    }
    c = sum(t, a, b, c, k->flags & F_SATFINITE);
    *word = (*word & ~(mask << at.shift)) | (u32)result_bits(kind, c) << at.shift;
}

void exec_wgmma(const ins *k, u8 *R, const u8 *a, const u8 *b)
{
    const group_tile *t = k->group;
    static _Thread_local number left[GROUP_ROWS][8 * GROUP_BYTES], right[8 * GROUP_BYTES]; /* a page has little stack */
    u32 depth = 8 * GROUP_BYTES / element_bits(t->of[0]);
    for (u32 i = 0; i < GROUP_ROWS; i++)
        for (u32 j = 0; j < depth; j++)
            left[i][j] = element_of(t->of[0], a + i * GROUP_BYTES, j, t->negate_a);
    for (u32 column = 0; column < t->n; column++) {
        for (u32 j = 0; j < depth; j++)
            right[j] = element_of(t->of[1], b + column * GROUP_BYTES, j, t->negate_b);
        for (u32 row = 0; row < GROUP_ROWS; row++)
            update(k, R, row, column, left[row], right);
    }
}

/* Fragments of A as mma's: lane / 4 is the row, register 1 and 3 have the lower rows, 2 and 3 the later bytes. */
void gather_rows(const group_tile *t, const u8 *R, u8 *out)
{
    for (u32 lane = 0; lane < WARP; lane++)
        for (u32 r = 0; r < 4; r++) {
            u32 v = ((const L32 *)(const void *)(R + t->a[r]))[lane], row = lane / 4 + 8 * (r & 1);
            memcpy(out + row * GROUP_BYTES + lane % 4 * 4 + 16 * (r >> 1), &v, 4);
        }
}
