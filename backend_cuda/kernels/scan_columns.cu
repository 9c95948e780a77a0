/* cumsum and cumprod down columns: neighbouring threads on neighbouring lines, `team` segments of a line one above the
 * other. A thread keeps the sums within its segment. */
#include "scan.h"

enum { THREADS = 512 };

/* The running sums of a segment of `left` cells, or 32. */
COT_FN REAL sum_column(const scan_op &op, scan_line l, int32_t left, REAL *local)
{
    REAL sum = (REAL)-0.0;
    UNROLLED for (int i = 0; i < LANES; i++, l = next_cell(l)) if (i < left) local[i] = sum +=
        op.term(load(l.dy, 0), op.reads_saves ? load(l.y, 0) : 0);
    return sum;
}

COT_FN void write_column(const scan_op &op, scan_line l, int32_t left, const REAL *local, REAL before)
{
    UNROLLED for (int i = 0; i < LANES; i++, l = next_cell(l)) if (i < left)
        store(l.dx, 0, op.grad(before + local[i], op.reads_saves ? load(l.x, 0) : 0));
}

/* T + E, by the thread of a line's first segment, which returns the tile's E. */
COT_FN REAL chain_column(const cuda_launch &k, REAL *ends, REAL before_tile)
{
    REAL e = (REAL)-0.0;
    for (uint32_t s = 0; s < k.team; s++, ends += k.columns) {
        REAL total = *ends;
        *ends = before_tile + e;
        e += total;
    }
    return e;
}

/* A tile of the block's lines. T is known to the threads of first segments, and the tile's E returned to them. */
COT_FN REAL scan_tile(const scan_op &op, const cuda_launch &k, const column_place &p, int64_t first, REAL before_tile,
                      bool writes, REAL *ends)
{
    int64_t cell = first + p.part * LANES;
    scan_line l = scan_from(k, p.starts, cell, 1, 0);
    int32_t left = p.here ? left_of(k, cell) : 0;
    REAL local[LANES], e = 0;
    ends[thread_index()] = sum_column(op, l, left, local);
    block_barrier();
    if (p.part == 0)
        e = chain_column(k, ends + p.column, before_tile);
    block_barrier();
    if (writes)
        write_column(op, l, left, local, ends[thread_index()]);
    return e;
}

COT_FN void scan_columns(const scan_op &op, const cuda_launch &k)
{
    SHARED REAL ends[THREADS];
    column_place p = column_of(k, block_index());
    REAL t = (REAL)-0.0;
    for (int64_t first = 0; first < k.n; first += TILE)
        t += scan_tile(op, k, p, first, t, true, ends);
}

/* ---- few long lines: a block a tile, in three launches --------------------------------------- */

COT_FN void scan_look(const scan_op &op, const cuda_launch &k)
{
    SHARED REAL ends[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    REAL e = scan_tile(op, k, p, at.first, (REAL)-0.0, false, ends);
    if (p.here && p.part == 0)
        carries_of(k, p.line)[at.tile] = e;
}

COT_FN void scan_apply(const scan_op &op, const cuda_launch &k)
{
    SHARED REAL ends[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    scan_tile(op, k, p, at.first, p.here ? carries_of(k, p.line)[at.tile] : 0, true, ends);
}

/* cumprod divides: with a processor to itself a block has the registers for it, and the assembler does not spill a few.
 */
#define ALONE(threads) threads, 1
#define SHARING(threads) threads

// clang-format off
#define KERNELS(name, bounds) \
    ROW(name, columns, bounds(THREADS), scan_columns(op, k)) ROW(name, look,  THREADS, scan_look(op, k)) \
    ROW(name, chain,   LANES,           scan_chain(k))       ROW(name, apply, bounds(THREADS), scan_apply(op, k))
// clang-format on
KERNELS(cumsum, SHARING)
KERNELS(cumprod, ALONE)
