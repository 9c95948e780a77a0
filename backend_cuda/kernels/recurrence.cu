/* Recurrences along rows: logcumsumexp. */
#include "recurrence.h"
#include "scan_short.h"

enum { WARPS = sizeof(REAL) == 8 ? 2 : 4, THREADS = WARPS * LANES };

typedef struct pair_tile {
    REAL b[LANES * PITCH]; /* terms, then B within the segment, then sums */
    REAL anchors[LANES * PITCH];
    pair ends[LANES]; /* of segments; then b is what comes before */
} pair_tile;

template <of_two *term> COT_FN void stage_terms(scan_line l, uint32_t chunks, int32_t left, pair_tile *w)
{
    uint32_t at = lane_index();
    for (uint32_t i = 0; i < chunks; i++, at += PITCH, left -= LANES, l = next_cell(l))
        if (left > 0) {
            REAL y = load(l.y, 0);
            w->b[at] = term(load(l.dy, 0), y);
            w->anchors[at] = X(anchor)(y);
        }
}

/* The pair of a segment of `count` cells after the anchor before it. B is left in place. */
template <of_two *far_weight> COT_FN pair chain_segment(REAL *b, const REAL *anchors, int32_t count, REAL anchor)
{
    pair p = { weight<far_weight>(anchors[0], anchor), b[0] };
    for (int i = 1; i < count; i++) {
        pair cell = { weight<far_weight>(anchors[i], anchors[i - 1]), b[i] };
        p = joined(cell, p);
        b[i] = p.b;
    }
    return p;
}

/* The sums of a segment, from B and what comes before. */
template <of_two *far_weight>
COT_FN void sum_segment(REAL *b, const REAL *anchors, int32_t count, REAL anchor, REAL before)
{
    REAL a = 1;
    for (int i = 0; i < count; i++) {
        a = weight<far_weight>(anchors[i], i ? anchors[i - 1] : anchor) * a;
        b[i] = b[i] + a * before;
    }
}

/* E of finished segments, by one lane: what comes before each is left in b. Returns the tile's pair. */
COT_FN pair chain_ends(pair *ends, uint32_t segments, const prior &t)
{
    pair e = ends[0];
    ends[0].b = t.value;
    for (uint32_t s = 1; s < segments; s++) {
        pair end = ends[s];
        ends[s].b = after(e, t);
        e = joined(end, e);
    }
    return e;
}

template <of_three *grad> COT_FN void write_sums(scan_line l, uint32_t chunks, int32_t left, const pair_tile *w)
{
    uint32_t at = lane_index();
    for (uint32_t i = 0; i < chunks; i++, at += PITCH, left -= LANES, l = next_cell(l))
        if (left > 0)
            store(l.dx, 0, grad(load(l.x, 0), w->anchors[at], w->b[at]));
}

/* A tile of a line: `anchor` is that of the cell before it, which lane 0 knows, as it does T. Lane 0 returns the pair.
 */
FOR_AN_OP COT_FN pair scan_tile(const cuda_launch &k, const line_starts &s, int64_t first, REAL anchor, const prior &t,
                                bool writes, pair_tile *w)
{
    uint32_t lane = lane_index();
    scan_line l = scan_from(k, s, first + lane, LANES, 0);
    int32_t count = left_of(k, first), own = count - (int32_t)lane * LANES;
    uint32_t chunks = (uint32_t)(count + LANES - 1) / LANES;
    own = own < LANES ? own : LANES;
    stage_terms<term>(l, chunks, count - (int32_t)lane, w);
    warp_barrier();
    REAL *b = w->b + lane * PITCH, *anchors = w->anchors + lane * PITCH;
    pair e = {};
    if (own > 0) {
        if (lane > 0)
            anchor = anchors[LANES - 1 - PITCH];
        w->ends[lane] = chain_segment<far_weight>(b, anchors, own, anchor);
    }
    warp_barrier();
    if (lane == 0)
        e = chain_ends(w->ends, chunks, t);
    warp_barrier();
    if (!writes)
        return e;
    if (own > 0 && (lane > 0 || t.exists))
        sum_segment<far_weight>(b, anchors, own, anchor, w->ends[lane].b);
    warp_barrier();
    write_sums<grad>(l, chunks, count - (int32_t)lane, w);
    return e;
}

/* A warp walks a line. */
FOR_AN_OP COT_FN void recurrence_rows(const cuda_launch &k)
{
    SHARED pair_tile tiles[WARPS];
    pair_tile *w = &tiles[warp_index()];
    int64_t line = (int64_t)block_index() * WARPS + warp_index();
    if (line >= k.count)
        return;
    line_starts s = starts_of(k, line);
    prior t = { false, 0 };
    REAL anchor = 0;
    for (int64_t first = 0; first < k.n; first += TILE) {
        pair e = scan_tile<term, far_weight, grad>(k, s, first, anchor, t, true, w);
        t = { true, after(e, t) };
        anchor = first + TILE < k.n ? w->anchors[(LANES - 1) * PITCH + LANES - 1] : 0;
        warp_barrier();
    }
}

/* ---- few long lines: a warp a tile, in three launches ---------------------------------------- */

FOR_AN_OP COT_FN void recurrence_look(const cuda_launch &k)
{
    SHARED pair_tile tiles[WARPS];
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    line_starts s = starts_of(k, at.line);
    REAL anchor = at.tile > 0 ? X(anchor)(load(scan_from(k, s, at.first - 1, 0, 0).y, 0)) : 0;
    pair e = scan_tile<term, far_weight, grad>(k, s, at.first, anchor, { false, 0 }, false, &tiles[warp_index()]);
    if (lane_index() == 0)
        carries_at(k, at.line)[at.tile] = { e, anchor };
}

FOR_AN_OP COT_FN void recurrence_apply(const cuda_launch &k)
{
    SHARED pair_tile tiles[WARPS];
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    const tile_carry *c = carries_at(k, at.line) + at.tile;
    scan_tile<term, far_weight, grad>(k, starts_of(k, at.line), at.first, c->anchor, { at.tile > 0, c->e.b }, true,
                                      &tiles[warp_index()]);
}

/* ---- lines of up to a segment ---------------------------------------------------------------- */

template <of_three *grad> COT_FN REAL short_cell_grad(REAL sum, REAL anchor, REAL x) { return grad(x, anchor, sum); }

/* A line of one segment: B alone. */
FOR_AN_OP COT_FN void recurrence_short(const cuda_launch &k)
{
    SHARED short_warp warps[SHORT_WARPS];
    short_warp *w = &warps[warp_index()];
    short_lines s = take_lines(k, w);
    stage_short(k, s, k.dy, w->dy, w->cells);
    stage_short(k, s, k.y, w->y, w->others);
    warp_barrier();
    REAL *cells = w->cells + lane_index() * PITCH, *others = w->others + lane_index() * PITCH, sum = 0, last = 0;
    if (lane_index() < s.lines)
        for (uint32_t i = 0; i < s.n; i++) {
            REAL t = term(cells[i], others[i]), anchor = X(anchor)(others[i]);
            cells[i] = sum = i ? t + weight<far_weight>(anchor, last) * sum : t;
            others[i] = last = anchor;
        }
    warp_barrier();
    write_short(k, s, short_cell_grad<grad>, true);
}

// clang-format off
#define KERNELS(name) \
    KERNEL_BY_OP(SHORT_THREADS, name, short) KERNEL_BY_OP(THREADS, name, rows) KERNEL_BY_OP(THREADS, name, look) \
    KERNEL_OF(LANES, name, chain) { recurrence_chain(k); } KERNEL_BY_OP(THREADS, name, apply)
#define OP(family, NAME, name, needs, policies, kind, ...) COT_ONLY(RECURRENCE, kind, KERNELS(name))
#include "core/ops.def"
// clang-format on
