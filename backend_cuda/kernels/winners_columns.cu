/* cummax and cummin down columns: neighbouring threads on neighbouring lines, `team` segments of a line one above the
 * other. A thread keeps its segment's x until its winners are known. */
#include "winners.h"

enum { THREADS = 512 };

/* Where this thread's segment lies, and which of its cells is the line's last: -1 where it is another's. */
typedef struct segment_place {
    scan_line line;
    int32_t left, last;
} segment_place;

COT_FN segment_place segment_at(const cuda_launch &k, const column_place &p, int64_t first)
{
    int64_t cell = first + p.part * LANES, last = k.n - 1 - cell;
    segment_place s = { scan_from(k, p.starts, cell, 1, 0), p.here ? left_of(k, cell) : 0,
                        p.here && last < LANES ? (int32_t)last : -1 };
    return s;
}

/* What the line's last cell counts as, where it is this thread's; else the identity. */
COT_FN REAL start_of(const winner_op &op, const segment_place &s)
{
    return s.last >= 0 ? op.first(load(s.line.x, s.last * s.line.step_x)) : op.identity;
}

/* Reads a segment and returns its best, `best` included. */
COT_FN REAL read_segment(const winner_op &op, segment_place s, REAL best, REAL *x)
{
    const REAL identity = op.identity;
    UNROLLED for (int i = 0; i < LANES; i++, s.line.x += s.line.step_x)
    {
        x[i] = i < s.left ? load(s.line.x, 0) : identity;
        best = better(op, x[i], best);
    }
    return best;
}

/* The best of the segments further on, in place, by the thread of a line's first segment. */
COT_FN void chain_bests(const winner_op &op, const cuda_launch &k, winner_end *ends, REAL before)
{
    for (int s = (int)k.team - 1; s >= 0; s--) {
        REAL own = ends[s * k.columns].sum;
        ends[s * k.columns].sum = before;
        before = better(op, own, before);
    }
}

COT_FN uint32_t mark_winners(const winner_op &op, const REAL *x, REAL best)
{
    uint32_t won = 0;
    UNROLLED for (int i = LANES - 1; i >= 0; i--)
    {
        bool wins = op.beats(x[i], best);
        best = wins ? x[i] : best;
        won |= wins ? 1u << i : 0;
    }
    return won;
}

/* What is left of a segment's sum, and what its first winner in scan order has of it. The others are written at once.
 */
typedef struct shares {
    REAL rest, first;
} shares;

COT_FN shares share_segment(segment_place s, uint32_t won, bool writes)
{
    shares r = { (REAL)-0.0, 0 };
    bool waits = true;
#pragma unroll 8
    for (int i = 0; i < LANES; i++, won >>= 1, s.line.dy += s.line.step_dy, s.line.dx += s.line.step_dx)
        if (i < s.left) {
            r.rest += load(s.line.dy, 0);
            bool wins = won & 1, held = wins && waits;
            r.first = held ? r.rest : r.first;
            if (writes && !held)
                store(s.line.dx, 0, wins ? r.rest : 0);
            r.rest = wins ? (REAL)-0.0 : r.rest;
            waits = waits && !wins;
        }
    return r;
}

/* Most warps have no winner. */
COT_FN REAL sum_segment(segment_place s, bool writes)
{
    REAL sum = (REAL)-0.0;
#pragma unroll 8
    for (int i = 0; i < LANES; i++, s.line.dy += s.line.step_dy, s.line.dx += s.line.step_dx)
        if (i < s.left) {
            sum += load(s.line.dy, 0);
            if (writes)
                store(s.line.dx, 0, 0);
        }
    return sum;
}

/* The winners of this thread's segment in a tile; the best before the tile is known. */
COT_FN uint32_t find_winners(const winner_op &op, const cuda_launch &k, const column_place &p, const segment_place &s,
                             REAL before, winner_end *ends)
{
    REAL x[LANES], start = start_of(op, s), own = read_segment(op, s, start, x);
    ends[thread_index()].sum = own;
    block_barrier();
    if (p.part == 0)
        chain_bests(op, k, ends + p.column, before);
    block_barrier();
    before = s.last >= 0 ? start : ends[thread_index()].sum;
    uint32_t won = op.beats(own, before) ? mark_winners(op, x, before) : 0;
    return s.last >= 0 ? won | 1u << s.last : won;
}

/* A tile; threads of first segments return its E. */
COT_FN REAL share_tile(const cuda_launch &k, const column_place &p, const segment_place &s, uint32_t won, REAL t,
                       bool writes, winner_end *ends)
{
    REAL e = 0;
    shares r = { 0, 0 };
    if (vote(won != 0)) /* the warp stays together: neighbours share sectors */
        r = share_segment(s, won, writes);
    else
        r.rest = sum_segment(s, writes);
    ends[thread_index()] = { r.rest, won };
    block_barrier();
    if (p.part == 0)
        e = chain_ends(ends + p.column, k.team, k.columns, t);
    block_barrier();
    if (writes && won)
        store(s.line.dx, lowest_bit(won) * s.line.step_dx, ends[thread_index()].sum + r.first);
    return e;
}

COT_FN void winner_columns(const winner_op &op, const cuda_launch &k)
{
    SHARED winner_end ends[THREADS];
    column_place p = column_of(k, block_index());
    segment_place s = segment_at(k, p, 0);
    uint32_t won = find_winners(op, k, p, s, op.identity, ends);
    share_tile(k, p, s, won, (REAL)-0.0, true, ends);
}

/* ---- longer lines: a block a tile, in five launches ------------------------------------------ */

COT_FN void winner_best(const winner_op &op, const cuda_launch &k)
{
    SHARED REAL bests[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    segment_place s = segment_at(k, p, at.first);
    REAL x[LANES], best = bests[thread_index()] = read_segment(op, s, start_of(op, s), x);
    block_barrier();
    if (p.part > 0 || !p.here)
        return;
    for (uint32_t i = 1; i < k.team; i++)
        best = better(op, bests[i * k.columns + p.column], best);
    carries_at(k, p.line).best[at.tile] = best;
}

/* Where no line of the block has a winner, x need not be read. */
COT_FN bool block_has_winner(const winner_op &op, const cuda_launch &k, const column_place &p, uint32_t tile)
{
    return any_in_block(p.here && has_winner(op, k, carries_at(k, p.line), tile));
}

COT_FN void winner_look(const winner_op &op, const cuda_launch &k)
{
    SHARED winner_end ends[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    segment_place s = segment_at(k, p, at.first);
    line_carries c = carries_at(k, p.line);
    uint32_t won =
        block_has_winner(op, k, p, at.tile) ? find_winners(op, k, p, s, p.here ? c.before[at.tile] : 0, ends) : 0;
    REAL e = share_tile(k, p, s, won, (REAL)-0.0, false, ends);
    if (p.here && p.part == 0)
        c.sum[at.tile] = e;
}

COT_FN void winner_apply(const winner_op &op, const cuda_launch &k)
{
    SHARED winner_end ends[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    segment_place s = segment_at(k, p, at.first);
    line_carries c = carries_at(k, p.line);
    if (block_has_winner(op, k, p, at.tile)) {
        uint32_t won = find_winners(op, k, p, s, p.here ? c.before[at.tile] : 0, ends);
        share_tile(k, p, s, won, p.here ? c.sum[at.tile] : 0, true, ends);
        return;
    }
    for (int i = 0; i < LANES && i < s.left; i++, s.line.dx += s.line.step_dx)
        store(s.line.dx, 0, 0);
}

// clang-format off
#define KERNELS(name) \
    ROW(name, columns, THREADS, winner_columns(op, k)) ROW(name, best,  THREADS, winner_best(op, k)) \
    ROW(name, bests,   LANES,   winner_bests(op, k))   ROW(name, look,  THREADS, winner_look(op, k)) \
    ROW(name, chain,   LANES,   winner_chain(op, k))   ROW(name, apply, THREADS, winner_apply(op, k))
// clang-format on
KERNELS(cummax)
KERNELS(cummin)
