/* cumsum and cumprod along rows: SCAN-ORDER's sums of terms. */
#include "scan.h"

enum { THREADS = 128, WARPS = THREADS / LANES };

/* Terms of a tile into shared memory, a batch at a time. `left` cells from this lane's first one to the line's end. */
COT_FN void stage_terms(const scan_op &op, scan_line l, uint32_t chunks, int32_t left, REAL *cells)
{
    REAL term[BATCH];
    cells += lane_index();
    for (uint32_t at = 0; at < chunks; at += BATCH, left -= BATCH * LANES, cells += BATCH * PITCH) {
        UNROLLED for (int i = 0; i < BATCH; i++, l = next_cell(l))
            term[i] = i * LANES < left ? op.term(load(l.dy, 0), op.reads_saves ? load(l.y, 0) : 0) : (REAL)-0.0;
        UNROLLED for (int i = 0; i < BATCH; i++)
            cells[i * PITCH] = term[i];
    }
}

/* The running sum of a segment, in place. */
COT_FN REAL sum_segment(REAL *segment)
{
    REAL sum = (REAL)-0.0;
#pragma unroll 8
    for (int i = 0; i < LANES; i++)
        segment[i] = sum += segment[i];
    return sum;
}

/* E and T + E, one segment after the other: a chain that one lane walks. Returns the tile's E. */
COT_FN REAL chain_segments(REAL *ends, uint32_t chunks, REAL before_tile)
{
    REAL e = (REAL)-0.0;
    for (uint32_t at = 0; at < chunks; at += BATCH)
        UNROLLED for (int i = 0; i < BATCH; i++) {
            REAL total = ends[at + i];
            ends[at + i] = before_tile + e;
            e += total;
        }
    return e;
}

COT_FN void write_sums(const scan_op &op, scan_line l, uint32_t chunks, int32_t left, const warp_tile *w)
{
    const REAL *cells = w->cells + lane_index(), *ends = w->ends;
    for (uint32_t at = 0; at < chunks; at += BATCH, left -= BATCH * LANES, cells += BATCH * PITCH, ends += BATCH)
        UNROLLED for (int i = 0; i < BATCH; i++, l = next_cell(l))
            if (i * LANES < left)
                store(l.dx, 0, op.grad(ends[i] + cells[i * PITCH], op.reads_saves ? load(l.x, 0) : 0));
}

/* The sums within segments; lane 0 then has the tile's E, and the shared memory T + E. */
COT_FN REAL sum_tile(const scan_op &op, const scan_line &l, uint32_t chunks, int32_t left, REAL before_tile, warp_tile *w)
{
    uint32_t lane = lane_index();
    REAL e = 0;
    stage_terms(op, l, chunks, left, w->cells);
    meet_warp();
    if (lane < chunks)
        w->ends[lane] = sum_segment(w->cells + lane * PITCH);
    meet_warp();
    if (lane == 0)
        e = chain_segments(w->ends, chunks, before_tile);
    meet_warp();
    return e;
}

/* A warp walks a line, tile by tile. T is lane 0's. */
COT_FN void scan_rows(const scan_op &op, const cuda_launch &k)
{
    SHARED warp_tile tiles[WARPS];
    warp_tile *w = &tiles[warp_index()];
    int64_t line = (int64_t)block_index() * WARPS + warp_index();
    if (line >= k.count)
        return;
    line_starts s = starts_of(k, line);
    REAL t = (REAL)-0.0;
    for (int64_t first = 0; first < k.n; first += TILE) {
        scan_line l = scan_from(k, s, first + lane_index(), LANES);
        int32_t count = left_of(k, first), left = count - (int32_t)lane_index();
        uint32_t chunks = chunks_of(count);
        t += sum_tile(op, l, chunks, left, t, w);
        write_sums(op, l, chunks, left, w);
        meet_warp();
    }
}

/* ---- few long lines: a warp a tile, in three launches ------------------------------------------------------------- */

/* The tiles' E; or, where T is known, the results. */
COT_FN void scan_tile(const scan_op &op, const cuda_launch &k, bool look)
{
    SHARED warp_tile tiles[WARPS];
    warp_tile *w = &tiles[warp_index()];
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    scan_line l = scan_from(k, starts_of(k, at.line), at.first + lane_index(), LANES);
    REAL *carry = carries_of(k, at.line) + at.tile;
    int32_t count = left_of(k, at.first), left = count - (int32_t)lane_index();
    uint32_t chunks = chunks_of(count);
    REAL e = sum_tile(op, l, chunks, left, look ? (REAL)-0.0 : *carry, w);
    if (!look)
        write_sums(op, l, chunks, left, w);
    else if (lane_index() == 0)
        *carry = e;
}

/* ---- lines of up to a segment: a lane a line ---------------------------------------------------------------------- */

typedef struct short_tile {
    REAL cells[LANES * PITCH];
    line_starts starts[LANES];
} short_tile;

/* The warp's 32 lines are walked as one, so that lanes stay side by side; cells change places on the way. */
COT_FN void scan_short(const scan_op &op, const cuda_launch &k)
{
    SHARED short_tile tiles[WARPS];
    short_tile *w = &tiles[warp_index()];
    int64_t first = ((int64_t)block_index() * WARPS + warp_index()) * LANES;
    if (first >= k.count)
        return;
    uint32_t lane = lane_index(), n = (uint32_t)k.n, lines = k.count - first < LANES ? (uint32_t)(k.count - first) : LANES;
    if (lane < lines)
        w->starts[lane] = starts_of(k, first + lane);
    meet_warp();
    for (uint32_t i = lane; i < lines * n; i += LANES) {
        uint32_t line = i / n, at = i - line * n, cell = k.backwards ? n - 1 - at : at;
        line_starts s = w->starts[line];
        w->cells[line * PITCH + cell] = op.term(load(in(k.dy), s.dy + at * k.dy.along), op.reads_saves ? load(in(k.y), s.y + at * k.y.along) : 0);
    }
    meet_warp();
    if (lane < lines) {
        REAL sum = (REAL)-0.0;
        for (uint32_t i = 0; i < n; i++)
            w->cells[lane * PITCH + i] = sum += w->cells[lane * PITCH + i];
    }
    meet_warp();
    for (uint32_t i = lane; i < lines * n; i += LANES) {
        uint32_t line = i / n, at = i - line * n, cell = k.backwards ? n - 1 - at : at;
        line_starts s = w->starts[line];
        store(out(k.dx), s.dx + at * k.dx.along, op.grad(w->cells[line * PITCH + cell], op.reads_saves ? load(in(k.x), s.x + at * k.x.along) : 0));
    }
}

#define KERNELS(name) \
    KERNEL_OF(THREADS, name, short) { scan_short(name##_op(), k); } \
    KERNEL_OF(THREADS, name, rows) { scan_rows(name##_op(), k); } KERNELS_LONG(name)
#define KERNELS_LONG(name) \
    KERNEL_OF(THREADS, name, look) { scan_tile(name##_op(), k, true); } \
    KERNEL_OF(LANES, name, chain) { scan_chain(k); } KERNEL_OF(THREADS, name, apply) { scan_tile(name##_op(), k, false); }
KERNELS(cumsum)
KERNELS(cumprod)
