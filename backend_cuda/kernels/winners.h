/* cummax and cummin: a winner takes the dy of all cells up to the next one, in the forward direction. Winners are found
 * in that direction, their sums against it (SCAN-SEGMENTED). Cells lie in scan order here, so "forward" is towards the
 * first cell, and the line's very first cell in the forward direction, which always wins, is the last.
 *
 * A segment's winners are the bits of a word. Only the first of them in scan order takes sums from other segments. */
#ifndef COT_CUDA_WINNERS_H
#define COT_CUDA_WINNERS_H

#include "scan.h"

typedef struct winner_op {
    int (*beats)(REAL, REAL);
    REAL (*first)(REAL);
    REAL identity; /* every number beats it except itself */
} winner_op;

COT_FN winner_op cummax_op() { return { X(cummax_beats), X(cummax_first), -(REAL)__builtin_inff() }; }
COT_FN winner_op cummin_op() { return { X(cummin_beats), X(cummin_first), (REAL)__builtin_inff() }; }

COT_FN REAL better(const winner_op &op, REAL a, REAL b) { return op.beats(a, b) ? a : b; }

/* A segment: what is left of its sum after its last winner; then T + E of what comes before it. */
typedef struct winner_end {
    REAL sum;
    uint32_t won;
} winner_end;

/* T + E, one segment after the other, by one thread: both start anew after a winner. Returns the tile's E. */
COT_FN REAL chain_ends(winner_end *ends, uint32_t segments, uint32_t stride, REAL t)
{
    REAL e = (REAL)-0.0;
    for (uint32_t s = 0; s < segments; s++, ends += stride) {
        winner_end end = *ends;
        ends->sum = t + e;
        e = end.won ? end.sum : e + end.sum;
        t = end.won ? (REAL)-0.0 : t;
    }
    return e;
}

/* ---- lines of several tiles: a REAL of each kind for each tile, in the workspace ------------- */

typedef struct line_carries {
    REAL *best;   /* of the tile itself */
    REAL *before; /* the best of those before it in the forward direction */
    REAL *sum;    /* E of the tile, then T */
} line_carries;

COT_FN line_carries carries_at(const cuda_launch &k, int64_t line)
{
    REAL *base = (REAL *)k.workspace + line * k.pitch;
    line_carries c = { base, base + k.pieces, base + 2 * (int64_t)k.pieces };
    return c;
}

/* A tile without a winner adds to its sum, and has only zeros. */
COT_FN bool has_winner(const winner_op &op, const cuda_launch &k, const line_carries &c, uint32_t tile)
{
    return tile == k.pieces - 1 || op.beats(c.best[tile], c.before[tile]);
}

/* The best before each tile: the order does not matter, so lanes share the work. A warp a line. */
COT_FN void winner_bests(const winner_op &op, const cuda_launch &k)
{
    line_carries c = carries_at(k, block_index());
    uint32_t lane = lane_index();
    const REAL identity = op.identity;
    REAL later = identity;
    for (int64_t end = k.pieces; end > 0; end -= LANES) {
        int64_t tile = end - LANES + lane;
        REAL best = tile >= 0 ? c.best[tile] : identity;
        UNROLLED for (uint32_t d = 1; d < LANES; d *= 2)
        {
            REAL other = X(shuffle_down)(best, d);
            best = lane + d < LANES ? better(op, other, best) : best;
        }
        best = better(op, later, best);
        REAL next = X(shuffle_down)(best, 1);
        if (tile >= 0)
            c.before[tile] = lane + 1 < LANES ? next : later;
        later = X(shuffle_from)(best, 0);
    }
}

/* T of each tile, one after the other. A warp a line. */
COT_FN void winner_chain(const winner_op &op, const cuda_launch &k)
{
    SHARED REAL ends[LANES];
    line_carries c = carries_at(k, block_index());
    uint32_t lane = lane_index();
    REAL t = (REAL)-0.0;
    for (uint32_t at = 0; at < k.pieces; at += LANES) {
        bool here = at + lane < k.pieces;
        ends[lane] = here ? c.sum[at + lane] : (REAL)-0.0;
        uint32_t won = vote(here && has_winner(op, k, c, at + lane));
        warp_barrier();
        if (lane == 0)
            UNROLLED for (int i = 0; i < LANES; i++, won >>= 1)
            {
                REAL e = ends[i];
                ends[i] = t;
                t = won & 1 ? e : t + e;
            }
        warp_barrier();
        if (here)
            c.sum[at + lane] = ends[lane];
        warp_barrier();
    }
}

#endif
