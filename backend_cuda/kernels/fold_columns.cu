/* Folds down columns: neighbouring threads on neighbouring lines, `team` lanes of a line one above the other. */
#include "fold.h"

enum { THREADS = 512 };

/* FOLD-ORDER's last step, through shared memory: lane 0 gets the sum. */
COT_FN REAL fold_column(const cuda_launch &k, const column_place &p, REAL sum, REAL *parts)
{
    for (uint32_t s = k.team / 2; s > 0; s /= 2) {
        parts[thread_index()] = sum;
        block_barrier();
        if (p.part < s)
            sum += parts[thread_index() + (s << k.columns_shift)];
        block_barrier();
    }
    return sum;
}

/* The sum of this thread's lane in the tile that starts at `first`. */
COT_FN REAL sum_in_column(const fold_op &op, const cuda_launch &k, const column_place &p, int64_t first)
{
    if (!p.here)
        return (REAL)-0.0;
    fold_line l = line_at(op, k, p.starts, first + p.part, LANES, false);
    return k.n >= first + TILE ? sum_lane(op, l, TILE) : sum_lane(op, l, left_of(k, first + p.part));
}

COT_FN void cells_in_column(const fold_op &op, const cuda_launch &k, const column_place &p, int64_t first,
                            const X(reduced) &r)
{
    fold_line l = line_at(op, k, p.starts, first + p.part, LANES, false);
    if (k.n >= first + TILE)
        cells_lane(op, l, TILE, r);
    else
        cells_lane(op, l, left_of(k, first + p.part), r);
}

/* Up to ON_CHIP tiles. Cells are read again, from a cache if it is large enough. */
COT_FN void fold_columns(const fold_op &op, const cuda_launch &k)
{
    SHARED REAL parts[THREADS];
    column_place p = column_of(k, block_index());
    REAL tiles[ON_CHIP];
    UNROLLED for (uint32_t t = 0; t < ON_CHIP; t++) tiles[t] =
        t < k.pieces ? fold_column(k, p, sum_in_column(op, k, p, t * TILE), parts) : (REAL)-0.0;
    if (p.part == 0)
        parts[p.column] = finished(op, k, (tiles[0] + tiles[2]) + (tiles[1] + tiles[3]));
    block_barrier();
    if (!p.here)
        return;
    X(reduced) r = facts_of(op, k, p.starts);
    r.mean = parts[p.column];
    for (uint32_t t = 0; t < k.pieces; t++)
        cells_in_column(op, k, p, t * TILE, r);
}

/* ---- longer lines: a block a tile of its lines, in three launches ---------------------------- */

COT_FN void column_sums(const fold_op &op, const cuda_launch &k)
{
    SHARED REAL parts[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    REAL sum = fold_column(k, p, sum_in_column(op, k, p, at.first), parts);
    if (p.here && p.part == 0)
        sums_of(k, p.line)[at.tile] = sum;
}

COT_FN void column_cells(const fold_op &op, const cuda_launch &k)
{
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    if (!p.here)
        return;
    X(reduced) r = facts_of(op, k, p.starts);
    r.mean = sums_of(k, p.line)[k.pitch - 1];
    cells_in_column(op, k, p, at.first, r);
}

// clang-format off
#define KERNELS(name, needs) \
    ROW(name, columns, THREADS, fold_columns(op, k)) ROW(name, sums,  THREADS, column_sums(op, k)) \
    ROW(name, levels,  TILE,    fold_levels(op, k))  ROW(name, cells, THREADS, column_cells(op, k))
// clang-format on
#define OP(family, NAME, name, needs, policies, kind, ...) FOLD_##kind(KERNELS, name, needs)
#include "core/ops.def"
