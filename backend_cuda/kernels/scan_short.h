/* Lines of up to a segment: a warp takes 32 of them, a lane each. The warp walks all their cells as one row, so that
 * lanes stay side by side in memory; cells find their lines in shared memory. */
#ifndef COT_CUDA_SCAN_SHORT_H
#define COT_CUDA_SCAN_SHORT_H

#include "scan.h"

enum { SHORT_WARPS = sizeof(REAL) == 8 ? 2 : 4, SHORT_THREADS = SHORT_WARPS * LANES };

typedef struct short_warp {
    REAL cells[LANES * PITCH], others[LANES * PITCH]; /* a line's cells in scan order */
    int64_t dy[LANES], x[LANES], y[LANES], dx[LANES]; /* where the lines begin */
} short_warp;

typedef struct short_lines {
    short_warp *w;
    uint32_t lines, n, cells;
    uint32_t reciprocal; /* of n, times 2^16: exact for what is divided here */
} short_lines;

/* One cell of the row. */
typedef struct short_cell {
    uint32_t line, at; /* in memory order */
    uint32_t place;    /* in shared memory */
} short_cell;

COT_FN short_lines take_lines(const cuda_launch &k, short_warp *w)
{
    int64_t first = ((int64_t)block_index() * SHORT_WARPS + warp_index()) * LANES, rest = k.count - first;
    uint32_t n = (uint32_t)k.n, lines = rest < 0 ? 0 : rest < LANES ? (uint32_t)rest : LANES;
    if (lane_index() < lines) {
        line_starts s = starts_of(k, first + lane_index());
        w->dy[lane_index()] = s.dy, w->x[lane_index()] = s.x, w->y[lane_index()] = s.y, w->dx[lane_index()] = s.dx;
    }
    warp_barrier();
    short_lines s = { w, lines, n, lines * n, (1u << 16) / n + 1 };
    return s;
}

COT_FN short_cell cell_of(const cuda_launch &k, const short_lines &s, uint32_t i)
{
    uint32_t line = i * s.reciprocal >> 16, at = i - line * s.n;
    short_cell c = { line, at, line * PITCH + (k.backwards ? s.n - 1 - at : at) };
    return c;
}

COT_FN void stage_short(const cuda_launch &k, const short_lines &s, const cuda_operand &o, const int64_t *starts,
                        REAL *to)
{
    for (uint32_t i = lane_index(); i < s.cells; i += LANES) {
        short_cell c = cell_of(k, s, i);
        to[c.place] = load(in(o), starts[c.line] + c.at * o.along);
    }
}

COT_FN void write_short(const cuda_launch &k, const short_lines &s, REAL (*grad)(REAL, REAL, REAL), bool reads_x)
{
    for (uint32_t i = lane_index(); i < s.cells; i += LANES) {
        short_cell c = cell_of(k, s, i);
        REAL x = reads_x ? load(in(k.x), s.w->x[c.line] + c.at * k.x.along) : 0;
        store(out(k.dx), s.w->dx[c.line] + c.at * k.dx.along, grad(s.w->cells[c.place], s.w->others[c.place], x));
    }
}

#endif
