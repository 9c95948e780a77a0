/* How folds are shared out. Short lines: several a warp. Up to a tile: a warp each; up to ON_CHIP tiles: a warp a tile,
 * and a line is read once. Longer ones: tiles' sums, their fold, then the cells, in three launches. Columns likewise,
 * in blocks of lines side by side. */
#include "strategy_sum.h"

enum {
    THREADS = TILE_THREADS,
    WARPS = THREADS / LANES,
    COLUMN_THREADS = 512,
    ROUNDS = 4, /* of short lines that a warp takes */
};

static bool is_long(const cuda_problem *p) { return p->launch.n > ON_CHIP * TILE; }
static bool is_long_columns(const cuda_problem *p) { return lines_are_closer(p) && is_long(p); }
static bool is_short(const cuda_problem *p) { return p->launch.n <= LANES; }

static bool is_contiguous(const cuda_problem *p)
{
    const cuda_launch *k = &p->launch;
    bool reduces = p->op->family == COT_REDUCE;
    return is_unit(&k->dx) && (reduces ? is_unit(&k->x) : is_unit(&k->dy) && is_unit(&k->y));
}

static cuda_grid grid_short(const cuda_problem *p, cuda_launch *k)
{
    k->team_shift = log2_ceil(k->n);
    k->team = 1u << k->team_shift;
    k->count = p->lines;
    return (cuda_grid){ (uint32_t)ceil_div(p->lines, ROUNDS * (THREADS >> k->team_shift)), THREADS };
}

static cuda_grid grid_rows(const cuda_problem *p, cuda_launch *k)
{
    k->pieces = (uint32_t)tiles_of(k->n);
    k->count = p->lines;
    bool shared = k->pieces > 1;
    return (cuda_grid){ (uint32_t)(shared ? p->lines : ceil_div(p->lines, WARPS)),
                        shared ? k->pieces * LANES : THREADS };
}

static cuda_grid grid_columns(const cuda_problem *p, cuda_launch *k)
{
    set_fold(p, k);
    return column_grid(p, k, k->n, COLUMN_THREADS, 1);
}

static cuda_grid grid_column_tiles(const cuda_problem *p, cuda_launch *k)
{
    set_fold(p, k);
    return column_grid(p, k, k->n, COLUMN_THREADS, k->pieces);
}

static size_t workspace(const cot_desc *desc)
{
    int64_t n = desc->shape[desc->axis];
    return n > ON_CHIP * TILE ? (size_t)(desc_lines(desc) * fold_pitch(n)) * desc_real(desc) : 0;
}

const cuda_strategy cot_cuda_fold[] = {
    { "fold_columns",
      is_long_columns,
      { { "sums", grid_column_tiles }, { "levels", grid_fold_levels }, { "cells", grid_column_tiles } },
      workspace },
    { "fold_columns", lines_are_closer, { { "columns", grid_columns } }, NULL },
    { "fold", is_short, { { "short", grid_short } }, NULL },
    { "fold",
      is_long,
      { { "sums", grid_fold_tiles }, { "levels", grid_fold_levels }, { "cells", grid_fold_tiles } },
      workspace },
    { "fold", is_contiguous, { { "rows", grid_rows } }, NULL },
    { "fold", always, { { "strided", grid_rows } }, NULL },
    { NULL, NULL, { { NULL, NULL } }, NULL },
};
