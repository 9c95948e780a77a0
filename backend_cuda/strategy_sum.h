/* What the strategies of folds and scans have in common. */
#ifndef COT_CUDA_STRATEGY_SUM_H
#define COT_CUDA_STRATEGY_SUM_H

#include "core/formula/spec.h"
#include "strategy.h"

enum { LANES = COT_LANES, TILE = COT_TILE };

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Cells of a line lie side by side in every operand that has them. */
static inline bool is_unit(const cuda_operand *o) { return !o->data || o->along == 1; }

/* Neighbouring lines lie closer than neighbouring cells, as far as the result is concerned. */
static inline bool lines_are_closer(const cuda_problem *p)
{
    return p->launch.n > 1 && p->launch.inner > 1 && p->launch.dx.across < p->launch.dx.along;
}

/* Lines and cells of a descriptor, whatever the layout. */
static inline int64_t desc_lines(const cot_desc *desc)
{
    int axis = desc->axis;
    return cot_cell_count(axis, desc->shape) * cot_cell_count(desc->rank - axis - 1, desc->shape + axis + 1);
}

static inline size_t desc_real(const cot_desc *desc) { return desc->element == COT_F64 ? 8 : 4; }
static inline int64_t tiles_of(int64_t n) { return ceil_div(n, TILE); }

/* A line's part of a fold's workspace, in REALs: every level's sums, down to one. */
static inline int64_t fold_pitch(int64_t n)
{
    int64_t pitch = 1;
    for (int64_t terms = tiles_of(n); terms > 1; terms = tiles_of(terms))
        pitch += terms;
    return pitch;
}

/* `threads` threads at most: up to 32 parts of a line one above the other, and as many lines side by side as are left.
 */
static inline cuda_grid column_grid(const cuda_problem *p, cuda_launch *k, int64_t parts, int64_t threads,
                                    int64_t pieces)
{
    k->team_shift = log2_ceil(smaller(parts, LANES));
    k->team = 1u << k->team_shift;
    k->columns_shift = log2_ceil(smaller(k->inner, threads >> k->team_shift));
    k->columns = 1u << k->columns_shift;
    k->count = p->lines;
    return (cuda_grid){ (uint32_t)(ceil_div(p->lines, k->columns) * pieces), k->columns * k->team };
}

/* Tiles of rows, a warp each: their sums, and the fold of these, a block a line (fold.h: fold_sums, fold_levels). */
enum { TILE_THREADS = 128 };

static inline void set_fold(const cuda_problem *p, cuda_launch *k)
{
    k->pieces = (uint32_t)tiles_of(k->n);
    k->pitch = fold_pitch(k->n);
    k->count = p->lines;
}

static inline cuda_grid grid_fold_tiles(const cuda_problem *p, cuda_launch *k)
{
    set_fold(p, k);
    return (cuda_grid){ (uint32_t)ceil_div(p->lines * k->pieces, TILE_THREADS / LANES), TILE_THREADS };
}

static inline cuda_grid grid_fold_levels(const cuda_problem *p, cuda_launch *k)
{
    set_fold(p, k);
    k->team = (uint32_t)smaller(tiles_of(k->pieces), LANES);
    return (cuda_grid){ (uint32_t)p->lines, k->team * LANES };
}

#endif
