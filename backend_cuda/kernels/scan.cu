/* cumsum and cumprod along rows: SCAN-ORDER's sums of terms. */
#include "scan_short.h"

enum { THREADS = 128, WARPS = THREADS / LANES };

/* A tile of a line as a warp sees it. */
typedef struct tile_cells {
    uint32_t chunks;
    int32_t count; /* cells */
    scan_line line;
} tile_cells;

COT_FN tile_cells tile_from(const cuda_launch &k, const line_starts &s, int64_t first, int direction)
{
    int32_t count = left_of(k, first);
    tile_cells t = { chunks_of(count), count, scan_from(k, s, first + lane_index(), LANES, direction) };
    return t;
}

/* Terms of some chunks into shared memory: `left` cells from this lane's first one on. */
template <int chunks> COT_FN void stage_chunks(const scan_op &op, scan_line l, int32_t left, REAL *cells)
{
    REAL term[chunks];
    UNROLLED for (int i = 0; i < chunks; i++, l = next_cell(l)) term[i] =
        i * LANES < left ? op.term(load(l.dy, 0), op.reads_saves ? load(l.y, 0) : 0) : (REAL)-0.0;
    UNROLLED for (int i = 0; i < chunks; i++) cells[i * PITCH] = term[i];
}

template <int chunks>
COT_FN void write_chunks(const scan_op &op, scan_line l, int32_t left, const REAL *cells, const REAL *before)
{
    UNROLLED for (int i = 0; i < chunks; i++, l = next_cell(l)) if (i * LANES < left)
        store(l.dx, 0, op.grad(before[i] + cells[i * PITCH], op.reads_saves ? load(l.x, 0) : 0));
}

/* A whole tile of cells side by side takes no loop and no comparison; others go in batches. */
COT_FN void stage_terms(const scan_op &op, tile_cells t, int direction, REAL *cells)
{
    cells += lane_index();
    if (direction && t.count == TILE) {
        stage_chunks<LANES>(op, t.line, TILE, cells);
        return;
    }
    int32_t left = t.count - (int32_t)lane_index();
    BATCHES(at, t.chunks)
    {
        stage_chunks<BATCH>(op, t.line, left, cells);
        t.line = next_batch(t.line), left -= BATCH * LANES, cells += BATCH * PITCH;
    }
}

/* The running sum of a segment, in place. */
COT_FN REAL sum_segment(REAL *segment)
{
    REAL sum = (REAL)-0.0;
    UNROLLED for (int i = 0; i < LANES; i++) segment[i] = sum += segment[i];
    return sum;
}

/* E and T + E, one segment after the other: a chain that one lane walks. Returns the tile's E. */
COT_FN REAL chain_segments(REAL *ends, uint32_t chunks, REAL before_tile)
{
    REAL e = (REAL)-0.0;
    for (uint32_t at = 0; at < chunks; at += BATCH)
        UNROLLED for (int i = 0; i < BATCH; i++)
        {
            REAL total = ends[at + i];
            ends[at + i] = before_tile + e;
            e += total;
        }
    return e;
}

COT_FN void write_sums(const scan_op &op, tile_cells t, int direction, const warp_tile *w)
{
    const REAL *cells = w->cells + lane_index();
    if (direction && t.count == TILE) {
        write_chunks<LANES>(op, t.line, TILE, cells, w->ends);
        return;
    }
    int32_t left = t.count - (int32_t)lane_index();
    BATCHES(at, t.chunks)
    {
        write_chunks<BATCH>(op, t.line, left, cells, w->ends + at);
        t.line = next_batch(t.line), left -= BATCH * LANES, cells += BATCH * PITCH;
    }
}

/* The sums within segments; lane 0 then has the tile's E, and the shared memory T + E. */
COT_FN REAL sum_tile(const scan_op &op, const tile_cells &t, int direction, REAL before_tile, warp_tile *w)
{
    uint32_t lane = lane_index();
    REAL e = 0;
    stage_terms(op, t, direction, w->cells);
    warp_barrier();
    if (lane < t.chunks)
        w->ends[lane] = sum_segment(w->cells + lane * PITCH);
    warp_barrier();
    if (lane == 0)
        e = chain_segments(w->ends, t.chunks, before_tile);
    warp_barrier();
    return e;
}

/* A warp walks a line, tile by tile. T is lane 0's. */
COT_FN void scan_row(const scan_op &op, const cuda_launch &k, int64_t line, int direction, warp_tile *w)
{
    line_starts s = starts_of(k, line);
    REAL before = (REAL)-0.0;
    for (int64_t first = 0; first < k.n; first += TILE) {
        tile_cells t = tile_from(k, s, first, direction);
        before += sum_tile(op, t, direction, before, w);
        write_sums(op, t, direction, w);
        warp_barrier();
    }
}

COT_FN void scan_rows(const scan_op &op, const cuda_launch &k)
{
    SHARED warp_tile tiles[WARPS];
    warp_tile *w = &tiles[warp_index()];
    int64_t line = (int64_t)block_index() * WARPS + warp_index();
    if (line >= k.count)
        return;
    switch (direction_of(k, op.reads_saves, op.reads_saves)) {
    case 1: scan_row(op, k, line, 1, w); break;
    case -1: scan_row(op, k, line, -1, w); break;
    default: scan_row(op, k, line, 0, w); break;
    }
}

/* ---- few long lines: a warp a tile, in three launches ---------------------------------------- */

/* The tile's E; or, where T is known, the results. */
COT_FN void scan_tile(const scan_op &op, const cuda_launch &k, const tile_place &at, bool look, int direction,
                      warp_tile *w)
{
    REAL *carry = carries_of(k, at.line) + at.tile;
    tile_cells t = tile_from(k, starts_of(k, at.line), at.first, direction);
    REAL e = sum_tile(op, t, direction, look ? (REAL)-0.0 : *carry, w);
    if (!look)
        write_sums(op, t, direction, w);
    else if (lane_index() == 0)
        *carry = e;
}

COT_FN void scan_tiles(const scan_op &op, const cuda_launch &k, bool look)
{
    SHARED warp_tile tiles[WARPS];
    warp_tile *w = &tiles[warp_index()];
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    switch (direction_of(k, op.reads_saves, op.reads_saves)) {
    case 1: scan_tile(op, k, at, look, 1, w); break;
    case -1: scan_tile(op, k, at, look, -1, w); break;
    default: scan_tile(op, k, at, look, 0, w); break;
    }
}

/* ---- lines of up to a segment ---------------------------------------------------------------- */

COT_FN void scan_short(const scan_op &op, REAL (*grad)(REAL, REAL, REAL), const cuda_launch &k)
{
    SHARED short_warp warps[SHORT_WARPS];
    short_warp *w = &warps[warp_index()];
    short_lines s = take_lines(k, w);
    stage_short(k, s, k.dy, w->dy, w->cells);
    if (op.reads_saves)
        stage_short(k, s, k.y, w->y, w->others);
    warp_barrier();
    REAL sum = (REAL)-0.0, *cells = w->cells + lane_index() * PITCH, *others = w->others + lane_index() * PITCH;
    if (lane_index() < s.lines)
        for (uint32_t i = 0; i < s.n; i++)
            cells[i] = sum += op.term(cells[i], op.reads_saves ? others[i] : 0);
    warp_barrier();
    write_short(k, s, grad, op.reads_saves);
}

// clang-format off
#define KERNELS(name) \
    COT_FN REAL name##_cell(REAL sum, REAL, REAL x) { return X(name##_grad)(sum, x); } \
    ROW(name, short, SHORT_THREADS, scan_short(op, name##_cell, k)) ROW(name, rows,  THREADS, scan_rows(op, k)) \
    ROW(name, look,  THREADS, scan_tiles(op, k, true))              ROW(name, chain, LANES,   scan_chain(k)) \
    ROW(name, apply, THREADS, scan_tiles(op, k, false))
// clang-format on
KERNELS(cumsum)
KERNELS(cumprod)
