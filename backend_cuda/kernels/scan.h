/* Scans: lines in the direction of the scan, and SCAN-ORDER's chains. In a tile a lane owns a segment; cells come and
 * go in chunks, lanes side by side, and change places in shared memory, where a segment's pitch is 33 so that no two
 * lanes use the same bank either way. */
#ifndef COT_CUDA_SCAN_H
#define COT_CUDA_SCAN_H

#include "tiles.h"

enum { PITCH = LANES + 1, BATCH = 8 /* chunks in flight */ };

/* A line from one of its cells on, in scan order, and the steps that this lane takes. */
typedef struct scan_line {
    const STORE *dy, *x, *y;
    STORE *dx;
    int64_t step_dy, step_x, step_y, step_dx;
} scan_line;

/* 1 or -1: cells lie side by side in scan order, or against it, and steps are constants of the code. 0: anything else.
 */
COT_FN int direction_of(const cuda_launch &k, bool reads_x, bool reads_y)
{
    bool unit = k.dy.along == 1 && k.dx.along == 1 && (!reads_x || k.x.along == 1) && (!reads_y || k.y.along == 1);
    return !unit ? 0 : k.backwards ? -1 : 1;
}

/* `cell` in scan order, the next one `lanes` further on. */
COT_FN scan_line scan_from(const cuda_launch &k, const line_starts &s, int64_t cell, int32_t lanes, int direction)
{
    int64_t at = k.backwards ? k.n - 1 - cell : cell, step = (direction ? direction : k.backwards ? -1 : 1) * lanes;
    int64_t dy = direction ? 1 : k.dy.along, x = direction ? 1 : k.x.along, y = direction ? 1 : k.y.along,
            dx = direction ? 1 : k.dx.along;
    scan_line l = { in(k.dy) + s.dy + at * dy,
                    in(k.x) + s.x + at * x,
                    in(k.y) + s.y + at * y,
                    out(k.dx) + s.dx + at * dx,
                    step * dy,
                    step * x,
                    step * y,
                    step * dx };
    return l;
}

COT_FN scan_line next_cell(scan_line l)
{
    l.dy += l.step_dy, l.x += l.step_x, l.y += l.step_y, l.dx += l.step_dx;
    return l;
}

COT_FN scan_line next_batch(scan_line l)
{
    l.dy += BATCH * l.step_dy, l.x += BATCH * l.step_x, l.y += BATCH * l.step_y, l.dx += BATCH * l.step_dx;
    return l;
}

/* What a warp keeps in shared memory. */
typedef struct warp_tile {
    REAL cells[LANES * PITCH];
    REAL ends[LANES]; /* of segments: their sums, then what comes before them */
} warp_tile;

/* Chunks that hold the `count` cells of a tile, in whole batches. */
COT_FN uint32_t chunks_of(int32_t count)
{
    uint32_t chunks = (uint32_t)(count + LANES - 1) / LANES;
    return (chunks + BATCH - 1) / BATCH * BATCH;
}

#define BATCHES(at, chunks) _Pragma("unroll 1") for (uint32_t at = 0; at < (chunks); at += BATCH)

/* The workspace of a line that several blocks share: a REAL for each of its tiles. */
COT_FN REAL *carries_of(const cuda_launch &k, int64_t line) { return (REAL *)k.workspace + line * k.pitch; }

/* T of each tile from the E of those before it, by a warp a line: cumsum and cumprod. */
COT_FN void scan_chain(const cuda_launch &k)
{
    SHARED REAL ends[LANES];
    REAL *carries = carries_of(k, block_index()), t = (REAL)-0.0;
    uint32_t lane = lane_index();
    for (uint32_t at = 0; at < k.pieces; at += LANES) {
        ends[lane] = at + lane < k.pieces ? carries[at + lane] : (REAL)-0.0;
        warp_barrier();
        if (lane == 0)
            UNROLLED for (int i = 0; i < LANES; i++)
            {
                REAL e = ends[i];
                ends[i] = t;
                t += e;
            }
        warp_barrier();
        if (at + lane < k.pieces)
            carries[at + lane] = ends[lane];
        warp_barrier();
    }
}

/* cumsum and cumprod: sums of terms. */
typedef struct scan_op {
    REAL (*term)(REAL, REAL);
    REAL (*grad)(REAL, REAL);
    bool reads_saves; /* y in the term, x in the gradient */
} scan_op;

COT_FN scan_op cumsum_op() { return { X(cumsum_term), X(cumsum_grad), false }; }
COT_FN scan_op cumprod_op() { return { X(cumprod_term), X(cumprod_grad), true }; }

#endif
