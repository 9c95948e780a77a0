/* Matrix multiplication by a warp. The fragments of its lanes are put together to whole matrices, multiplied, and D is
 * dealt out again.
 *
 * The vendor does not say in which order a tensor core adds. Here each element of D starts with C's and takes the
 * products in ascending k, each step a fused multiply-add rounded to nearest: in f32 (f64 for f64), with f16 results
 * rounded once more at the end. Integers are exact. */
#include "matrix_number.h"
#include "softgpu/base/matrix.h"
#include "softgpu/base/minifloat.h"
#include "softgpu/lanes/lanes.h"

enum { MOST_MN = 32, MOST_K = 256 };

typedef struct shape {
    u32 m, n, k;
    u32 of[4]; /* elements of A, B, C, D */
    u32 wmma;
    bool bits_and;
} shape;

static shape shape_of(u32 arg)
{
    shape s = { 1u << (arg & 7), 1u << (arg >> 3 & 7), 1u << (arg >> 6 & 15), { 0 }, arg >> 26 & 1, arg >> 27 & 1 };
    for (int i = 0; i < 4; i++)
        s.of[i] = arg >> (10 + 4 * i) & 15;
    return s;
}

/* mma.sync: lane, register and element to row and column, as the ISA draws them. e is elements to a register. */
static place place_a(u32 m, u32 lane, u32 reg, u32 j, u32 e)
{
    u32 block = m == 16 ? reg >> 1 : reg;
    return (place){ (lane >> 2) + (m == 16 ? 8 * (reg & 1) : 0), (lane & 3) * e + j + 4 * e * block };
}

static place place_b(u32 lane, u32 reg, u32 j, u32 e) { return (place){ (lane & 3) * e + j + 4 * e * reg, lane >> 2 }; }

static place place_c(u32 lane, u32 reg, u32 j, u32 e)
{
    u32 i = reg * e + j;
    return (place){ (lane >> 2) + 8 * (i >> 1), (lane & 3) * 2 + (i & 1) };
}

/* wmma: rows one behind the other, the same number of elements for every lane; more registers repeat them. */
place wmma_place(u32 rows, u32 columns, u32 lane, u32 index)
{
    u32 each = rows * columns / WARP, at = lane * each + index % each;
    return (place){ at / columns, at % columns };
}

static place place_of(const shape *s, int which, u32 lane, u32 reg, u32 j)
{
    u32 bits = element_bits(s->of[which]), e = bits < 32 ? 32 / bits : 1;
    if (s->wmma)
        return wmma_place(which == 1 ? s->k : s->m, which == 0 ? s->k : s->n, lane, reg * e + j);
    return which == 0   ? place_a(s->m, lane, reg, j, e)
           : which == 1 ? place_b(lane, reg, j, e)
                        : place_c(lane, reg, j, e);
}

static u64 element_at(const u8 *R, u32 slot, u32 bits, u32 lane, u32 j)
{
    if (bits == 64)
        return ((const L64 *)(const void *)(R + slot))[lane];
    u32 v = ((const L32 *)(const void *)(R + slot))[lane];
    return bits == 32 ? v : v >> bits * j & ((1u << bits) - 1);
}

double real_value(u32 e, u64 bits)
{
    switch (e) {
    case EL_F16: return (double)h2f((u32)bits);
    case EL_BF16: return (double)g2f((u32)bits);
    case EL_TF32: return (double)bits_f32((u32)bits & 0xffffe000u);
    case EL_E4M3: return (double)mini_to_f32(&MINI_E4M3, (u32)bits);
    case EL_E5M2: return (double)mini_to_f32(&MINI_E5M2, (u32)bits);
    case EL_F32: return (double)bits_f32((u32)bits);
    default: return bits_f64(bits);
    }
}

s64 whole_value(u32 e, u64 bits)
{
    switch (e) {
    case EL_S8: return (s8)bits;
    case EL_S4: return (s64)(bits ^ 8) - 8;
    case EL_S32: return (s32)bits;
    default: return (s64)bits;
    }
}

bool is_whole(u32 e) { return (e >= EL_S8 && e <= EL_B1) || e == EL_S32; }

/* The operand of all lanes as a matrix, in rows of `columns`. */
static void gather_matrix(const shape *s, int which, const u8 *R, const u32 *regs, u32 n, u32 columns, number *out)
{
    u32 kind = s->of[which], bits = element_bits(kind), e = bits < 32 ? 32 / bits : 1;
    u32 rows = which == 1 ? s->k : s->m;
    for (u32 lane = 0; lane < WARP; lane++)
        for (u32 r = 0; r < n; r++)
            for (u32 j = 0; j < e; j++) {
                place at = place_of(s, which, lane, r, j);
                u64 v = element_at(R, regs[r], bits, lane, j);
                if (at.row >= rows || at.column >= columns)
                    continue;
                if (is_whole(kind))
                    out[at.row * columns + at.column].whole = whole_value(kind, v);
                else
                    out[at.row * columns + at.column].real = real_value(kind, v);
            }
}

static number multiply_real(const shape *s, const number *a, const number *b, number c)
{
    bool wide = s->of[3] == EL_F64;
    for (u32 k = 0; k < s->k; k++) {
        double x = a[k].real, y = b[k * s->n].real;
        c.real = wide ? bits_f64(sf_fma(&FMT_F64, f64_bits(x), f64_bits(y), f64_bits(c.real), RND_NEAREST))
                      : (double)fma_f32((float)x, (float)y, (float)c.real);
    }
    return c;
}

static number multiply_whole(const shape *s, const number *a, const number *b, number c, bool saturates)
{
    for (u32 k = 0; k < s->k; k++) {
        s64 x = a[k].whole, y = b[k * s->n].whole;
        c.whole += s->of[0] != EL_B1 ? x * y : s->bits_and ? (x & y) : (x ^ y);
    }
    if (saturates)
        c.whole = c.whole > INT32_MAX ? INT32_MAX : c.whole < INT32_MIN ? INT32_MIN : c.whole;
    return c;
}

u64 result_bits(u32 kind, number v)
{
    switch (kind) {
    case EL_S32: return (u32)v.whole;
    case EL_F16: return f2h((float)v.real);
    case EL_F32: return canon_f32((float)v.real);
    default: return canon_f64(v.real);
    }
}

/* Deals D out to the active lanes. */
static void scatter_matrix(const shape *s, u8 *R, const tile *t, const number *d, u32 m)
{
    u32 bits = element_bits(s->of[3]), e = bits < 32 ? 32 / bits : 1;
    for (u32 lanes = m; lanes; lanes &= lanes - 1)
        for (u32 r = 0; r < t->nd; r++) {
            u32 lane = (u32)__builtin_ctz(lanes);
            u64 v = 0;
            for (u32 j = 0; j < e; j++) {
                place at = place_of(s, 3, lane, r, j);
                v |= result_bits(s->of[3], d[at.row * s->n + at.column]) << (bits * j & 63);
            }
            if (bits == 64)
                ((L64 *)(void *)(R + t->d[r]))[lane] = v;
            else
                ((L32 *)(void *)(R + t->d[r]))[lane] = (u32)v;
        }
}

void exec_mma(const ins *k, u8 *R, u32 m)
{
    static _Thread_local number a[MOST_MN * MOST_K], b[MOST_K * MOST_MN], c[MOST_MN * MOST_MN];
    shape s = shape_of(k->arg);
    const tile *t = k->tile;
    gather_matrix(&s, 0, R, t->a, t->na, s.k, a);
    gather_matrix(&s, 1, R, t->b, t->nb, s.n, b);
    gather_matrix(&s, 2, R, t->c, t->nc, s.n, c);
    for (u32 i = 0; i < s.m; i++)
        for (u32 j = 0; j < s.n; j++) {
            number *at = &c[i * s.n + j];
            *at = is_whole(s.of[3]) ? multiply_whole(&s, a + i * s.k, b + j, *at, k->flags & F_SATFINITE)
                                    : multiply_real(&s, a + i * s.k, b + j, *at);
        }
    scatter_matrix(&s, R, t, c, m);
}

/* A matrix of 8 x 8 halves, a row to four lanes, transposed. */
void exec_movmatrix(const ins *k, u8 *R, u32 m)
{
    u32 out[WARP];
    const L32 *a = (const L32 *)(const void *)(R + k->a);
    for (u32 i = 0; i < WARP; i++) {
        out[i] = 0;
        for (u32 h = 0; h < 2; h++) {
            u32 row = (i & 3) * 2 + h, column = i >> 2; /* of the source */
            out[i] |= (a[row * 4 + column / 2] >> 16 * (column & 1) & 0xffffu) << 16 * h;
        }
    }
    merge32(R + k->d, out, m);
}
