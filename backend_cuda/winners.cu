/* cummax and cummin along rows. */
#include "winners.h"

enum { THREADS = 128, WARPS = THREADS / LANES };

typedef struct winner_warp {
    REAL cells[LANES * PITCH];
    winner_end ends[LANES];
} winner_warp;

/* Cells of one operand into shared memory; what is missing is `none`. */
COT_FN void stage_cells(const STORE *from, int64_t step, uint32_t chunks, int32_t left, REAL none, REAL *cells)
{
    REAL v[BATCH];
    cells += lane_index();
    for (uint32_t at = 0; at < chunks; at += BATCH, left -= BATCH * LANES, cells += BATCH * PITCH) {
        UNROLLED for (int i = 0; i < BATCH; i++, from += step)
            v[i] = i * LANES < left ? load(from, 0) : none;
        UNROLLED for (int i = 0; i < BATCH; i++)
            cells[i * PITCH] = v[i];
    }
}

/* The best of a segment. */
COT_FN REAL best_of(const winner_op &op, const REAL *segment, REAL best)
{
#pragma unroll 8
    for (int i = 0; i < LANES; i++)
        best = better(op, segment[i], best);
    return best;
}

/* The best of the segments further on: those before this one in the forward direction. */
COT_FN REAL best_further_on(const winner_op &op, REAL best)
{
    const REAL worst = op.worst;
    uint32_t lane = lane_index();
    UNROLLED for (uint32_t d = 1; d < LANES; d *= 2) {
        REAL other = X(shuffle_down)(best, d);
        best = lane + d < LANES ? better(op, other, best) : best;
    }
    REAL next = X(shuffle_down)(best, 1);
    return lane + 1 < LANES ? next : worst;
}

COT_FN uint32_t mark_winners(const winner_op &op, const REAL *segment, REAL best)
{
    uint32_t won = 0;
#pragma unroll 8
    for (int i = LANES - 1; i >= 0; i--)
        if (op.beats(segment[i], best)) {
            best = segment[i];
            won |= 1u << i;
        }
    return won;
}

/* The winners of this lane's segment. `last` is the line's last cell within the tile, or -1. */
COT_FN uint32_t find_winners(const winner_op &op, const REAL *cells, uint32_t chunks, REAL before, int32_t last)
{
    uint32_t lane = lane_index();
    const REAL *segment = cells + lane * PITCH;
    bool starts_line = last >= 0 && last / LANES == (int32_t)lane;
    REAL start = op.worst;
    if (starts_line)
        start = op.first(segment[last % LANES]);
    REAL best = start;
    if (lane < chunks)
        best = best_of(op, segment, best);
    REAL further_on = best_further_on(op, best);
    before = starts_line ? start : better(op, before, further_on);
    uint32_t won = op.beats(best, before) ? mark_winners(op, segment, before) : 0;
    return starts_line ? won | 1u << last % LANES : won;
}

/* The sum of a segment's dy. Where there are winners, each takes the sum up to it, the others 0; the rest is returned. */
COT_FN REAL share_segment(REAL *segment, uint32_t won)
{
    REAL sum = (REAL)-0.0;
    if (!won) {
#pragma unroll 8
        for (int i = 0; i < LANES; i++)
            sum += segment[i];
        return sum;
    }
#pragma unroll 8
    for (int i = 0; i < LANES; i++, won >>= 1) {
        sum += segment[i];
        segment[i] = won & 1 ? sum : 0;
        sum = won & 1 ? (REAL)-0.0 : sum;
    }
    return sum;
}

COT_FN void write_shares(scan_line l, uint32_t chunks, int32_t left, const REAL *cells, uint32_t won)
{
    cells += lane_index();
    for (uint32_t at = 0; at < chunks; at += BATCH, left -= BATCH * LANES, cells += BATCH * PITCH, won >>= BATCH)
        UNROLLED for (int i = 0; i < BATCH; i++, l.dx += l.step_dx)
            if (i * LANES < left)
                store(l.dx, 0, won & 1u << i ? cells[i * PITCH] : 0);
}

/* A tile: what it needs to know, and what comes of it. */
typedef struct winner_tile {
    scan_line line;
    uint32_t chunks;
    int32_t left, last;
    REAL before; /* the best */
    REAL t;
} winner_tile;

COT_FN winner_tile tile_at(const cuda_launch &k, const line_starts &s, int64_t first)
{
    int32_t count = left_of(k, first);
    winner_tile w = { scan_from(k, s, first + lane_index(), LANES), chunks_of(count), count - (int32_t)lane_index(),
                      first + count == k.n ? count - 1 : -1, 0, (REAL)-0.0 };
    return w;
}

/* Finds winners, then their sums; lane 0 returns E. */
COT_FN REAL share_tile(const winner_op &op, const winner_tile &w, bool any, bool writes, winner_warp *m)
{
    uint32_t lane = lane_index(), won = 0;
    REAL *segment = m->cells + lane * PITCH, e = 0;
    if (any) {
        stage_cells(w.line.x, w.line.step_x, w.chunks, w.left, op.worst, m->cells);
        meet_warp();
        won = find_winners(op, m->cells, w.chunks, w.before, w.last);
        meet_warp();
    }
    stage_cells(w.line.dy, w.line.step_dy, w.chunks, w.left, (REAL)-0.0, m->cells);
    meet_warp();
    if (lane < w.chunks)
        m->ends[lane] = { share_segment(segment, won), won };
    uint32_t segments = vote(won != 0);
    meet_warp();
    if (lane == 0)
        e = chain_ends(m->ends, w.chunks, 1, w.t);
    meet_warp();
    if (!writes)
        return e;
    if (won)
        segment[lowest_bit(won)] = m->ends[lane].sum + segment[lowest_bit(won)];
    meet_warp();
    write_shares(w.line, w.chunks, w.left, m->cells, segments);
    return e;
}

/* A warp a line of up to a tile. */
COT_FN void winner_rows(const winner_op &op, const cuda_launch &k)
{
    SHARED winner_warp tiles[WARPS];
    int64_t line = (int64_t)block_index() * WARPS + warp_index();
    if (line >= k.count)
        return;
    winner_tile w = tile_at(k, starts_of(k, line), 0);
    w.before = op.worst;
    share_tile(op, w, true, true, &tiles[warp_index()]);
}

/* ---- longer lines: a warp a tile, in five launches ---------------------------------------------------------------- */

/* The best of a tile, and what its line's first cell counts as. */
COT_FN void winner_best(const winner_op &op, const cuda_launch &k)
{
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    winner_tile w = tile_at(k, starts_of(k, at.line), at.first);
    REAL best = op.worst;
#pragma unroll 8
    for (int i = 0; i < LANES; i++, w.line.x += w.line.step_x)
        if (i * LANES < w.left) {
            REAL x = load(w.line.x, 0);
            best = better(op, i * LANES + (int32_t)lane_index() == w.last ? op.first(x) : x, best);
        }
    UNROLLED for (uint32_t d = LANES / 2; d > 0; d /= 2)
        best = better(op, X(shuffle_xor)(best, d), best);
    if (lane_index() == 0)
        carries_at(k, at.line).best[at.tile] = best;
}

COT_FN void winner_look(const winner_op &op, const cuda_launch &k)
{
    SHARED winner_warp tiles[WARPS];
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    line_carries c = carries_at(k, at.line);
    winner_tile w = tile_at(k, starts_of(k, at.line), at.first);
    w.before = c.before[at.tile];
    REAL e = share_tile(op, w, has_winner(op, k, c, at.tile), false, &tiles[warp_index()]);
    if (lane_index() == 0)
        c.sum[at.tile] = e;
}

COT_FN void winner_apply(const winner_op &op, const cuda_launch &k)
{
    SHARED winner_warp tiles[WARPS];
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    line_carries c = carries_at(k, at.line);
    winner_tile w = tile_at(k, starts_of(k, at.line), at.first);
    w.before = c.before[at.tile];
    w.t = c.sum[at.tile];
    if (has_winner(op, k, c, at.tile))
        share_tile(op, w, true, true, &tiles[warp_index()]);
    else
        write_shares(w.line, w.chunks, w.left, tiles[0].cells, 0);
}

#define KERNELS(name) \
    KERNEL_OF(THREADS, name, rows) { winner_rows(name##_op(), k); } KERNELS_LONG(name)
#define KERNELS_LONG(name) \
    KERNEL_OF(THREADS, name, best) { winner_best(name##_op(), k); } KERNEL_OF(LANES, name, bests) { winner_bests(name##_op(), k); } \
    KERNEL_OF(THREADS, name, look) { winner_look(name##_op(), k); } KERNELS_LAST(name)
#define KERNELS_LAST(name) \
    KERNEL_OF(LANES, name, chain) { winner_chain(name##_op(), k); } KERNEL_OF(THREADS, name, apply) { winner_apply(name##_op(), k); }
KERNELS(cummax)
KERNELS(cummin)
