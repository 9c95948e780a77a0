/* Lines, tiles and lanes: what kernels with a sum share. A tile is 1,024 cells of a line, 32 chunks of 32; FOLD-ORDER's
 * lanes run across a chunk, and a chunk is a segment of SCAN-ORDER. */
#ifndef COT_CUDA_TILES_H
#define COT_CUDA_TILES_H

#include "core/formula/spec.h"
#include "element.h"

enum {
    LANES = COT_LANES,
    TILE = COT_TILE,
};

/* A kernel for blocks of at most `threads`. */
#define KERNEL_OF(threads, op, strategy) \
    extern "C" GLOBAL BOUNDS(threads) void KERNEL_NAME(op, ELEMENT, strategy)(cuda_launch k)

/* A row of a file's table of kernels: `op` is what name_op() says of the op (a fold_op, a scan_op, a winner_op). */
// clang-format off
#define ROW(name, strategy, threads, ...) \
    extern "C" GLOBAL BOUNDS(threads) void KERNEL_NAME(name, ELEMENT, strategy)(cuda_launch k) \
    { const auto op = name##_op(); (void)op; __VA_ARGS__; }
// clang-format on

COT_FN uint32_t lane_index(void) { return thread_index() % LANES; }
COT_FN uint32_t warp_index(void) { return thread_index() / LANES; }

/* Where a line's cells begin, in elements, in each operand. */
typedef struct line_starts {
    int64_t dy, x, y, dx;
} line_starts;

COT_FN line_starts starts_of(const cuda_launch &k, int64_t line)
{
    int64_t group = k.outer_rank ? line / k.inner : 0, at = line - group * k.inner;
    line_starts s = { at * k.dy.across, at * k.x.across, at * k.y.across, at * k.dx.across };
#pragma unroll 1
    for (uint32_t d = 0; d < k.outer_rank; d++) {
        int64_t rest = group / k.outer_shape[d], digit = group - rest * k.outer_shape[d];
        s.dy += digit * k.dy.outer[d], s.x += digit * k.x.outer[d];
        s.y += digit * k.y.outer[d], s.dx += digit * k.dx.outer[d];
        group = rest;
    }
    return s;
}

/* A tile of a line, or of several side by side, among all tiles. */
typedef struct tile_place {
    int64_t line, first; /* the first cell of the tile */
    uint32_t tile;
} tile_place;

COT_FN tile_place place_of(int64_t index, uint32_t tiles)
{
    int64_t line = index / tiles, tile = index - line * tiles;
    tile_place p = { line, tile * TILE, (uint32_t)tile };
    return p;
}

/* Cells from this one to the end of the line, where that is within a tile's reach. */
COT_FN int32_t left_of(const cuda_launch &k, int64_t cell)
{
    int64_t left = k.n - cell;
    return left < TILE ? (int32_t)left : TILE;
}

/* Columns: `columns` lines side by side in a block, and parts of a line (lanes or segments) one above the other. */
typedef struct column_place {
    int64_t line;
    uint32_t column, part;
    bool here; /* there is such a line */
    line_starts starts;
} column_place;

COT_FN column_place column_of(const cuda_launch &k, int64_t group)
{
    uint32_t column = thread_index() & (k.columns - 1);
    int64_t line = (group << k.columns_shift) + column;
    column_place p = { line, column, thread_index() >> k.columns_shift, line < k.count, {} };
    if (p.here)
        p.starts = starts_of(k, line);
    return p;
}

/* FOLD-ORDER's last step: every lane gets the sum of all. `lanes` is a power of two: that many hold a line of their
 * own. */
COT_FN REAL fold_lanes(REAL v, uint32_t lanes)
{
    UNROLLED for (uint32_t s = LANES / 2; s > 0; s /= 2) if (s < lanes) /* the same for all */
        v += X(shuffle_xor)(v, s);
    return v;
}

#endif
