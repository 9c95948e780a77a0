/* Matrix instructions: the types of their elements, and what a form's argument says. */
#ifndef SG_MATRIX_H
#define SG_MATRIX_H

#include "base.h"

enum element {
    EL_F16,
    EL_BF16,
    EL_TF32,
    EL_F64,
    EL_E4M3,
    EL_E5M2,
    EL_S8,
    EL_U8,
    EL_S4,
    EL_U4,
    EL_B1,
    EL_F32,
    EL_S32,
    ELEMENTS
};

/* D = A * B + C with A of m x k, B of k x n: sizes as powers of two, then the elements of A, B, C and D. wmma keeps its
 * fragments in an order of its own. */
#define MATRIX(m, n, k, a, b, c, d, wmma) \
    ((m) | (n) << 3 | (k) << 6 | (u32)EL_##a << 10 | (u32)EL_##b << 14 | (u32)EL_##c << 18 | (u32)EL_##d << 22 \
     | (u32)(wmma) << 26)

/* A fragment in memory, by wmma.load and wmma.store: rows, columns as powers of two, element; which matrix it is. */
enum fragment { FRAGMENT_A, FRAGMENT_B, FRAGMENT_C };
#define FRAGMENT(which, rows, columns, e) (FRAGMENT_##which | (rows) << 4 | (columns) << 8 | (u32)EL_##e << 12)

static inline u32 element_bits(u32 e)
{
    static const u8 bits[ELEMENTS] = { 16, 16, 32, 64, 8, 8, 8, 8, 4, 4, 1, 32, 32 };
    return bits[e];
}

#endif
