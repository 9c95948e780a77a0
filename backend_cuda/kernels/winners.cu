/* cummax and cummin along rows. */
#include "winners.h"
#include "scan_short.h"

enum { THREADS = 128, WARPS = THREADS / LANES };

typedef struct winner_warp {
    REAL cells[LANES * PITCH];
    winner_end ends[LANES];
} winner_warp;

/* A tile of a line as a warp sees it. */
typedef struct winner_tile {
    scan_line line;
    uint32_t chunks;
    int32_t count, last; /* the line's last cell within the tile, or -1 */
} winner_tile;

COT_FN winner_tile tile_at(const cuda_launch &k, const line_starts &s, int64_t first, int direction)
{
    int32_t count = left_of(k, first);
    winner_tile t = { scan_from(k, s, first + lane_index(), LANES, direction), chunks_of(count), count,
                      first + count == k.n ? count - 1 : -1 };
    return t;
}

/* ---- cells in and out ------------------------------------------------------------------------ */

/* Some chunks of an operand into shared memory: `left` cells from this lane's first one on; what is missing is `none`.
 */
template <int chunks> COT_FN void stage_chunks(const STORE *from, int64_t step, int32_t left, REAL none, REAL *cells)
{
    REAL v[chunks];
    UNROLLED for (int i = 0; i < chunks; i++, from += step) v[i] = i * LANES < left ? load(from, 0) : none;
    UNROLLED for (int i = 0; i < chunks; i++) cells[i * PITCH] = v[i];
}

COT_FN void stage_cells(const STORE *from, int64_t step, const winner_tile &t, int direction, REAL none, REAL *cells)
{
    cells += lane_index();
    if (direction && t.count == TILE) {
        stage_chunks<LANES>(from, step, TILE, none, cells);
        return;
    }
    int32_t left = t.count - (int32_t)lane_index();
    BATCHES(at, t.chunks)
    {
        stage_chunks<BATCH>(from, step, left, none, cells);
        from += BATCH * step, left -= BATCH * LANES, cells += BATCH * PITCH;
    }
}

/* A batch of results; chunks without a winner, most of them, are 0. */
COT_FN void write_batch(STORE *dx, int64_t step, int32_t left, const REAL *cells, uint32_t won)
{
    if (won % (1u << BATCH) == 0) {
        UNROLLED for (int i = 0; i < BATCH; i++, dx += step) if (i * LANES < left) store(dx, 0, 0);
        return;
    }
    UNROLLED for (int i = 0; i < BATCH; i++, dx += step) if (i * LANES < left)
        store(dx, 0, won >> i & 1 ? cells[i * PITCH] : 0);
}

COT_FN void write_shares(const winner_tile &t, int direction, const REAL *cells, uint32_t won)
{
    STORE *dx = t.line.dx;
    bool whole = direction && t.count == TILE;
    int32_t left = t.count - (int32_t)lane_index();
    cells += lane_index();
    BATCHES(at, t.chunks)
    {
        if (whole)
            write_batch(dx, t.line.step_dx, TILE, cells, won);
        else
            write_batch(dx, t.line.step_dx, left, cells, won);
        dx += BATCH * t.line.step_dx, left -= BATCH * LANES, cells += BATCH * PITCH, won >>= BATCH;
    }
}

/* ---- winners --------------------------------------------------------------------------------- */

/* What a lane knows of the best: before its segment in the forward direction, as far as the tile goes, and in it. */
typedef struct lane_bests {
    REAL further_on, own, tile;
    bool starts_line; /* the line's first cell in the forward direction, always a winner, is in this segment */
} lane_bests;

COT_FN lane_bests best_of(const winner_op &op, const winner_tile &t, const REAL *segment)
{
    const REAL identity = op.identity;
    uint32_t lane = lane_index();
    lane_bests b = { identity, identity, identity, t.last >= 0 && t.last / LANES == (int32_t)lane };
    if (b.starts_line)
        b.further_on = b.own = op.first(segment[t.last % LANES]);
    if (lane < t.chunks)
        UNROLLED for (int i = 0; i < LANES; i++) b.own = better(op, segment[i], b.own);
    REAL best = b.own;
    UNROLLED for (uint32_t d = 1; d < LANES; d *= 2)
    {
        REAL other = X(shuffle_down)(best, d);
        best = lane + d < LANES ? better(op, other, best) : best;
    }
    REAL next = X(shuffle_down)(best, 1);
    b.further_on = b.starts_line || lane + 1 == LANES ? b.further_on : next;
    b.tile = X(shuffle_from)(best, 0);
    return b;
}

/* The winners of this lane's segment, given the best of the tiles before. */
COT_FN uint32_t find_winners(const winner_op &op, const winner_tile &t, const lane_bests &b, const REAL *segment,
                             REAL before)
{
    REAL best = better(op, before, b.further_on);
    uint32_t won = b.starts_line ? 1u << t.last % LANES : 0;
    if (!op.beats(b.own, best))
        return won;
#pragma unroll 8
    for (int i = LANES - 1; i >= 0; i--)
        if (op.beats(segment[i], best)) {
            best = segment[i];
            won |= 1u << i;
        }
    return won;
}

/* The sum of a segment's dy. Where there are winners, each takes the sum up to it, the others 0; the rest is returned.
 */
COT_FN REAL share_segment(REAL *segment, uint32_t won)
{
    REAL sum = (REAL)-0.0;
    if (!won) {
        UNROLLED for (int i = 0; i < LANES; i++) sum += segment[i];
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

/* Sums of the tile's dy, E left with the ends; returns which segments have winners. */
COT_FN uint32_t share_tile(const winner_tile &t, int direction, uint32_t won, winner_warp *w, REAL *e)
{
    uint32_t lane = lane_index();
    stage_cells(t.line.dy, t.line.step_dy, t, direction, (REAL)-0.0, w->cells);
    warp_barrier();
    if (lane < t.chunks)
        w->ends[lane] = { share_segment(w->cells + lane * PITCH, won), won };
    uint32_t segments = vote(won != 0);
    warp_barrier();
    if (lane == 0)
        *e = chain_ends(w->ends, t.chunks, 1, (REAL)-0.0);
    warp_barrier();
    return segments;
}

/* The first winner of a segment in scan order takes T + E as well; T is that of the tile, gone after the first winner
 * of it. */
COT_FN void finish_tile(const winner_tile &t, int direction, uint32_t won, uint32_t segments, REAL before_tile,
                        winner_warp *w)
{
    uint32_t lane = lane_index();
    if (won) {
        REAL *first = w->cells + lane * PITCH + lowest_bit(won);
        *first = (segments & ((1u << lane) - 1) ? (REAL)-0.0 : before_tile) + w->ends[lane].sum + *first;
    }
    warp_barrier();
    write_shares(t, direction, w->cells, segments);
}

/* ---- lines of up to ON_CHIP tiles: a warp each, or a block of a warp a tile ------------------ */

typedef struct winner_block {
    REAL best[ON_CHIP];
    winner_end ends[ON_CHIP];
} winner_block;

COT_FN void winner_row(const winner_op &op, const cuda_launch &k, int64_t line, uint32_t tile, int direction,
                       winner_warp *w, winner_block *all)
{
    winner_tile t = tile_at(k, starts_of(k, line), (int64_t)tile * TILE, direction);
    const REAL *segment = w->cells + lane_index() * PITCH;
    REAL before = op.identity, before_tile = (REAL)-0.0, e = 0;
    stage_cells(t.line.x, t.line.step_x, t, direction, op.identity, w->cells);
    warp_barrier();
    lane_bests b = best_of(op, t, segment);
    if (k.pieces > 1) {
        if (lane_index() == 0)
            all->best[tile] = b.tile;
        block_barrier();
        for (uint32_t i = tile + 1; i < k.pieces; i++)
            before = better(op, all->best[i], before);
    }
    uint32_t won = find_winners(op, t, b, segment, before);
    warp_barrier();
    uint32_t segments = share_tile(t, direction, won, w, &e);
    if (k.pieces > 1) {
        if (lane_index() == 0)
            all->ends[tile] = { e, segments };
        block_barrier();
        for (uint32_t i = 0; i < tile; i++)
            before_tile = all->ends[i].won ? all->ends[i].sum : before_tile + all->ends[i].sum;
    }
    finish_tile(t, direction, won, segments, before_tile, w);
}

COT_FN void winner_rows(const winner_op &op, const cuda_launch &k)
{
    SHARED winner_warp warps[WARPS];
    SHARED winner_block all;
    bool shared = k.pieces > 1;
    int64_t line = shared ? block_index() : (int64_t)block_index() * WARPS + warp_index();
    uint32_t tile = shared ? warp_index() : 0;
    if (line >= k.count)
        return;
    switch (direction_of(k, true, false)) {
    case 1: winner_row(op, k, line, tile, 1, &warps[warp_index()], &all); break;
    case -1: winner_row(op, k, line, tile, -1, &warps[warp_index()], &all); break;
    default: winner_row(op, k, line, tile, 0, &warps[warp_index()], &all); break;
    }
}

/* ---- longer lines: a warp a tile, in five launches ------------------------------------------- */

/* The best of a tile, with what its line's first cell counts as. */
COT_FN void winner_best(const winner_op &op, const cuda_launch &k)
{
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    winner_tile t = tile_at(k, starts_of(k, at.line), at.first, 0);
    REAL best = op.identity;
#pragma unroll 8
    for (int i = 0; i < LANES; i++, t.line.x += t.line.step_x) {
        int32_t cell = i * LANES + (int32_t)lane_index();
        if (cell < t.count) {
            REAL x = load(t.line.x, 0);
            best = better(op, cell == t.last ? op.first(x) : x, best);
        }
    }
    UNROLLED for (uint32_t d = LANES / 2; d > 0; d /= 2) best = better(op, X(shuffle_xor)(best, d), best);
    if (lane_index() == 0)
        carries_at(k, at.line).best[at.tile] = best;
}

/* What a tile adds to T; or, where T is known, the results. */
COT_FN void winner_tile_of(const winner_op &op, const cuda_launch &k, const tile_place &at, bool look, int direction,
                           winner_warp *w)
{
    line_carries c = carries_at(k, at.line);
    winner_tile t = tile_at(k, starts_of(k, at.line), at.first, direction);
    bool any = has_winner(op, k, c, at.tile);
    const REAL *segment = w->cells + lane_index() * PITCH;
    uint32_t won = 0;
    REAL e = 0;
    if (!look && !any) {
        write_shares(t, direction, w->cells, 0);
        return;
    }
    if (any) {
        stage_cells(t.line.x, t.line.step_x, t, direction, op.identity, w->cells);
        warp_barrier();
        won = find_winners(op, t, best_of(op, t, segment), segment, c.before[at.tile]);
        warp_barrier();
    }
    uint32_t segments = share_tile(t, direction, won, w, &e);
    if (!look)
        finish_tile(t, direction, won, segments, c.sum[at.tile], w);
    else if (lane_index() == 0)
        c.sum[at.tile] = e;
}

COT_FN void winner_tiles(const winner_op &op, const cuda_launch &k, bool look)
{
    SHARED winner_warp warps[WARPS];
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    switch (direction_of(k, true, false)) {
    case 1: winner_tile_of(op, k, at, look, 1, &warps[warp_index()]); break;
    case -1: winner_tile_of(op, k, at, look, -1, &warps[warp_index()]); break;
    default: winner_tile_of(op, k, at, look, 0, &warps[warp_index()]); break;
    }
}

/* ---- lines of up to a segment ---------------------------------------------------------------- */

COT_FN REAL share_of(REAL share, REAL, REAL) { return share; }

COT_FN void winner_short(const winner_op &op, const cuda_launch &k)
{
    SHARED short_warp warps[SHORT_WARPS];
    short_warp *w = &warps[warp_index()];
    short_lines s = take_lines(k, w);
    stage_short(k, s, k.dy, w->dy, w->cells);
    stage_short(k, s, k.x, w->x, w->others);
    warp_barrier();
    REAL *cells = w->cells + lane_index() * PITCH, *x = w->others + lane_index() * PITCH, sum = (REAL)-0.0;
    if (lane_index() < s.lines) {
        REAL best = op.first(x[s.n - 1]);
        uint32_t won = 1u << (s.n - 1);
        for (int i = (int)s.n - 2; i >= 0; i--)
            if (op.beats(x[i], best)) {
                best = x[i];
                won |= 1u << i;
            }
        for (uint32_t i = 0; i < s.n; i++, won >>= 1) {
            sum += cells[i];
            cells[i] = won & 1 ? sum : 0;
            sum = won & 1 ? (REAL)-0.0 : sum;
        }
    }
    warp_barrier();
    write_short(k, s, share_of, false);
}

// clang-format off
#define KERNELS(name) \
    ROW(name, short, SHORT_THREADS, winner_short(op, k))   ROW(name, rows,  THREADS, winner_rows(op, k)) \
    ROW(name, best,  THREADS, winner_best(op, k))          ROW(name, bests, LANES,   winner_bests(op, k)) \
    ROW(name, look,  THREADS, winner_tiles(op, k, true))   ROW(name, chain, LANES,   winner_chain(op, k)) \
    ROW(name, apply, THREADS, winner_tiles(op, k, false))
// clang-format on
KERNELS(cummax)
KERNELS(cummin)
