/* Recurrences down columns: logcumsumexp. Neighbouring threads on neighbouring lines, `team` segments of a line one
 * above the other. A thread keeps its segment's anchors and B. */
#include "recurrence.h"

enum { THREADS = sizeof(REAL) == 8 ? 256 : 512 };

typedef struct segment_cells {
    REAL b[LANES], anchors[LANES];
} segment_cells;

/* The pair of a segment of `left` cells; B and anchors are kept. */
template <of_two *term, of_two *far_weight>
COT_FN pair read_segment(scan_line l, int32_t left, REAL anchor, segment_cells *c)
{
    pair p = {};
    UNROLLED for (int i = 0; i < LANES; i++, l = next_cell(l)) if (i < left)
    {
        REAL y = load(l.y, 0);
        c->anchors[i] = X(anchor)(y);
        pair cell = { weight<far_weight>(c->anchors[i], i ? c->anchors[i - 1] : anchor), term(load(l.dy, 0), y) };
        p = i ? joined(cell, p) : cell;
        c->b[i] = p.b;
    }
    return p;
}

template <of_two *far_weight, of_three *grad>
COT_FN void write_segment(scan_line l, int32_t left, REAL anchor, const segment_cells *c, const prior &before)
{
    REAL a = 1;
    UNROLLED for (int i = 0; i < LANES; i++, l = next_cell(l)) if (i < left)
    {
        a = weight<far_weight>(c->anchors[i], i ? c->anchors[i - 1] : anchor) * a;
        pair p = { a, c->b[i] };
        store(l.dx, 0, grad(load(l.x, 0), c->anchors[i], after(p, before)));
    }
}

/* E of finished segments, by the thread of a line's first one; what comes before each is left in b. */
COT_FN pair chain_ends(pair *ends, uint32_t segments, uint32_t stride, const prior &t)
{
    pair e = ends[0];
    ends[0].b = t.value;
    for (uint32_t s = 1; s < segments; s++) {
        pair end = ends[s * stride];
        ends[s * stride].b = after(e, t);
        e = joined(end, e);
    }
    return e;
}

/* A tile. `anchor` is that of the cell before it. Threads of first segments return the tile's pair. */
FOR_AN_OP COT_FN pair scan_tile(const cuda_launch &k, const column_place &p, int64_t first, REAL anchor, const prior &t,
                                bool writes, pair *ends)
{
    int64_t cell = first + p.part * LANES;
    scan_line l = scan_from(k, p.starts, cell, 1, 0);
    int32_t left = p.here ? left_of(k, cell) : 0, segments = left_of(k, first);
    segment_cells c;
    pair e = {};
    if (p.part > 0 && left > 0)
        anchor = X(anchor)(load(l.y - l.step_y, 0));
    ends[thread_index()] = read_segment<term, far_weight>(l, left, anchor, &c);
    block_barrier();
    if (p.part == 0)
        e = chain_ends(ends + p.column, (uint32_t)(segments + LANES - 1) / LANES, k.columns, t);
    block_barrier();
    if (writes)
        write_segment<far_weight, grad>(l, left, anchor, &c, { p.part > 0 || t.exists, ends[thread_index()].b });
    return e;
}

/* Only the first segment needs the anchor before a tile; it is read before the tile before it is written over. */
COT_FN REAL anchor_before(const cuda_launch &k, const column_place &p, int64_t first)
{
    bool reads = p.here && p.part == 0 && first > 0 && first < k.n;
    return reads ? X(anchor)(load(scan_from(k, p.starts, first - 1, 0, 0).y, 0)) : 0;
}

FOR_AN_OP COT_FN void recurrence_columns(const cuda_launch &k)
{
    SHARED pair ends[THREADS];
    column_place p = column_of(k, block_index());
    prior t = { false, 0 };
    REAL anchor = 0;
    for (int64_t first = 0; first < k.n; first += TILE) {
        REAL next = anchor_before(k, p, first + TILE);
        pair e = scan_tile<term, far_weight, grad>(k, p, first, anchor, t, true, ends);
        t = { true, after(e, t) };
        anchor = next;
    }
}

/* ---- few long lines: a block a tile, in three launches --------------------------------------- */

FOR_AN_OP COT_FN void recurrence_look(const cuda_launch &k)
{
    SHARED pair ends[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    REAL anchor = anchor_before(k, p, at.first);
    pair e = scan_tile<term, far_weight, grad>(k, p, at.first, anchor, { false, 0 }, false, ends);
    if (p.here && p.part == 0)
        carries_at(k, p.line)[at.tile] = { e, anchor };
}

FOR_AN_OP COT_FN void recurrence_apply(const cuda_launch &k)
{
    SHARED pair ends[THREADS];
    tile_place at = place_of(block_index(), k.pieces);
    column_place p = column_of(k, at.line);
    tile_carry c = {};
    if (p.here && p.part == 0)
        c = carries_at(k, p.line)[at.tile];
    scan_tile<term, far_weight, grad>(k, p, at.first, c.anchor, { at.tile > 0, c.e.b }, true, ends);
}

// clang-format off
#define KERNELS(name) \
    KERNEL_BY_OP(THREADS, name, columns) KERNEL_BY_OP(THREADS, name, look) \
    KERNEL_OF(LANES, name, chain) { recurrence_chain(k); } KERNEL_BY_OP(THREADS, name, apply)
#define OP(family, NAME, name, needs, policies, kind, ...) COT_ONLY(RECURRENCE, kind, KERNELS(name))
#include "core/ops.def"
// clang-format on
