/* var, std, softmax, log_softmax: the sum of a line, then its cells. FOLD-ORDER fixes which lane adds which cell, so
 * lanes walk a tile's chunks. Rows and columns share what is here. */
#ifndef COT_CUDA_FOLD_H
#define COT_CUDA_FOLD_H

#include "tiles.h"

/* An op is what it sums and what it makes of a cell. A reduction's cells are x's, and dy and y have one a line; a
 * softmax's are pairs of dy's and y's. */
typedef struct fold_op {
    REAL (*term)(REAL, REAL);
    REAL (*grad)(X(reduced), REAL, REAL);
    bool reduces;
    bool y_in_sum, y_in_cell, y_in_line; /* where y is read */
} fold_op;

/* One line from a cell on: where the cells are, and steps from one to the next that this lane takes. */
typedef struct fold_line {
    const STORE *a, *b;
    STORE *dx;
    int64_t step_a, step_b, step_dx;
} fold_line;

/* `unit`: cells lie side by side, and steps are constants. */
COT_FN fold_line line_at(const fold_op &op, const cuda_launch &k, const line_starts &s, int64_t from, uint32_t lanes,
                         bool unit)
{
    const cuda_operand &a = op.reduces ? k.x : k.dy;
    int64_t along_a = unit ? 1 : a.along, along_b = unit ? 1 : k.y.along, along_dx = unit ? 1 : k.dx.along;
    // clang-format off
    fold_line l = { in(a) + (op.reduces ? s.x : s.dy) + from * along_a, in(k.y) + s.y + from * along_b,
                    out(k.dx) + s.dx + from * along_dx, lanes * along_a, lanes * along_b, lanes * along_dx };
    // clang-format on
    return l;
}

/* What a line's cells share, but for the sum. */
COT_FN X(reduced) facts_of(const fold_op &op, const cuda_launch &k, const line_starts &s)
{
    X(reduced) r = { 0, 0, k.X(numbers).n, k.X(numbers).m, 0 };
    if (op.reduces)
        r.g = load(in(k.dy), s.dy);
    if (op.y_in_line)
        r.y = load(in(k.y), s.y);
    return r;
}

/* A reduction wants the mean. */
COT_FN REAL finished(const fold_op &op, const cuda_launch &k, REAL sum)
{
    return op.reduces ? sum / k.X(numbers).n : sum;
}

/* Are steps constants of the code? */
COT_FN bool is_unit(const fold_op &op, const cuda_launch &k)
{
    return k.dx.along == 1 && (op.reduces ? k.x.along == 1 : k.dy.along == 1 && k.y.along == 1);
}

/* The terms of one lane's cells in a tile: `left` cells from its first one on, TILE if all are there. */
COT_FN REAL sum_lane(const fold_op &op, fold_line l, int32_t left)
{
    REAL sum = (REAL)-0.0;
#pragma unroll 8
    for (int i = 0; i < LANES; i++, l.a += l.step_a, l.b += l.step_b)
        if (i * LANES < left)
            sum += op.term(load(l.a, 0), op.y_in_sum ? load(l.b, 0) : 0);
    return sum;
}

COT_FN void cells_lane(const fold_op &op, fold_line l, int32_t left, const X(reduced) &r)
{
#pragma unroll 4
    for (int i = 0; i < LANES; i++, l.a += l.step_a, l.b += l.step_b, l.dx += l.step_dx)
        if (i * LANES < left)
            store(l.dx, 0, op.grad(r, load(l.a, 0), op.y_in_cell ? load(l.b, 0) : 0));
}

enum { TILE_WARPS = 4 }; /* of a block that takes tiles */

/* ---- lines that several blocks share --------------------------------------------------------- */

/* The workspace holds, for each line, its tiles' sums, the sums of tiles of these, and so on; last the sum of all. */
COT_FN REAL *sums_of(const cuda_launch &k, int64_t line) { return (REAL *)k.workspace + line * k.pitch; }

/* The sum of a tile, by a warp along a row. */
COT_FN void fold_sums(const fold_op &op, const cuda_launch &k)
{
    tile_place at = place_of((int64_t)block_index() * TILE_WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    line_starts s = starts_of(k, at.line);
    int64_t first = at.first + lane_index();
    REAL sum = is_unit(op, k) && k.n >= at.first + TILE
                   ? sum_lane(op, line_at(op, k, s, first, LANES, true), TILE)
                   : sum_lane(op, line_at(op, k, s, first, LANES, false), left_of(k, first));
    sum = fold_lanes(sum, LANES);
    if (lane_index() == 0)
        sums_of(k, at.line)[at.tile] = k.pieces > 1 ? sum : finished(op, k, sum);
}

/* FOLD-TILES: sums are folded like cells, level by level, by a block of `team` warps. */
COT_FN void fold_levels(const fold_op &op, const cuda_launch &k)
{
    REAL *terms = sums_of(k, block_index());
    for (uint32_t count = k.pieces, tiles; count > 1; terms += count, count = tiles) {
        tiles = (count + TILE - 1) / TILE;
        for (uint32_t t = warp_index(); t < tiles; t += k.team) {
            REAL sum = (REAL)-0.0;
            for (uint32_t i = t * TILE + lane_index(); i < (t + 1) * TILE && i < count; i += LANES)
                sum += terms[i];
            sum = fold_lanes(sum, LANES);
            if (lane_index() == 0)
                terms[count + t] = tiles > 1 ? sum : finished(op, k, sum);
        }
        block_barrier();
    }
}

/* ---- the ops --------------------------------------------------------------------------------- */

COT_FN REAL itself(REAL a, REAL b)
{
    (void)b;
    return a;
}

/* From the op table to a fold_op. */
#define FOLD_OP_REDUCE(name, needs) \
    COT_FN REAL name##_cell(X(reduced) r, REAL x, REAL) { return X(name##_grad)(r, x); } \
    COT_FN fold_op name##_op() { return { itself, name##_cell, true, false, false, !((needs)&Y_UNREAD) }; }
#define FOLD_OP_SOFTMAX_FAMILY(name, needs) \
    COT_FN REAL name##_cell(X(reduced) r, REAL g, REAL y) { return X(name##_grad)(g, y, r.mean); } \
    COT_FN fold_op name##_op() { return { X(name##_term), name##_cell, false, !!((needs)&Y_SUMMED), true, false }; }

#define FOLD_FOLD(what, ...) what(__VA_ARGS__)
#define FOLD_NONE(what, ...)
#define FOLD_SCAN(what, ...)
#define FOLD_WINNER(what, ...)
#define FOLD_RECURRENCE(what, ...)
enum { X = 1, Y = 2, A = 4, B = 8, Y_UNREAD = 16, Y_SUMMED = 32 }; /* bits of the op table */
#define OP(family, NAME, name, needs, policies, kind, ...) FOLD_##kind(FOLD_OP_##family, name, needs)
#include "core/ops.def"
#undef OP

#endif
