/* Folds along rows: lanes on neighbouring cells. */
#include "fold.h"

enum { WARPS = TILE_WARPS, THREADS = WARPS * LANES, ROUNDS = 4 };

/* One cell a lane, `team` lanes a line. */
COT_FN void fold_cell(const fold_op &op, const cuda_launch &k, const line_starts &s, const fold_line &l, bool here)
{
    X(reduced) r = {};
    REAL a = 0, b = 0, sum = (REAL)-0.0;
    if (here) {
        r = facts_of(op, k, s);
        a = load(l.a, 0);
        b = op.y_in_cell ? load(l.b, 0) : 0;
        sum = op.term(a, b);
    }
    r.mean = finished(op, k, fold_lanes(sum, k.team));
    if (here)
        store(l.dx, 0, op.grad(r, a, b));
}

/* Up to 32 cells: several lines a warp, some rounds of them. Without groups the next line is a step away. */
COT_FN void fold_short(const fold_op &op, const cuda_launch &k)
{
    uint32_t cell = thread_index() & (k.team - 1), apart = THREADS >> k.team_shift;
    int64_t line = (int64_t)block_index() * ROUNDS * apart + (thread_index() >> k.team_shift);
    int64_t step_a = apart * (op.reduces ? k.x : k.dy).across, step_dy = apart * k.dy.across,
            step_y = apart * k.y.across;
    int64_t step_dx = apart * k.dx.across;
    line_starts s = starts_of(k, line);
    fold_line l = line_at(op, k, s, cell, 0, false);
#pragma unroll 1
    for (int i = 0; i < ROUNDS; i++, line += apart) {
        fold_cell(op, k, s, l, line < k.count && cell < k.n);
        s.dy += step_dy, s.y += step_y, l.a += step_a, l.b += step_y, l.dx += step_dx;
        if (k.outer_rank) {
            s = starts_of(k, line + apart);
            l = line_at(op, k, s, cell, 0, false);
        }
    }
}

/* ---- lines of up to ON_CHIP tiles: what is read stays in registers for the cells ------------- */

typedef struct lane_cells {
    REAL a[LANES], b[LANES];
} lane_cells;

COT_FN REAL read_lane(const fold_op &op, const fold_line &l, int32_t left, lane_cells *c)
{
    REAL sum = (REAL)-0.0;
    UNROLLED for (int i = 0; i < LANES; i++) if (i * LANES < left)
    {
        c->a[i] = load(l.a, i * l.step_a);
        if (op.y_in_sum)
            c->b[i] = load(l.b, i * l.step_b);
        sum += op.term(c->a[i], op.y_in_sum ? c->b[i] : 0);
    }
    return sum;
}

COT_FN void write_lane(const fold_op &op, const fold_line &l, int32_t left, const lane_cells *c, const X(reduced) &r)
{
    UNROLLED for (int i = 0; i < LANES; i++) if (i * LANES < left)
    {
        REAL b = op.y_in_sum ? c->b[i] : op.y_in_cell ? load(l.b, i * l.step_b) : 0;
        store(l.dx, i * l.step_dx, op.grad(r, c->a[i], b));
    }
}

/* A warp a line; over a tile, a block a line and a warp a tile. A whole tile needs no comparisons: TILE cells are left.
 */
COT_FN void fold_rows(const fold_op &op, const cuda_launch &k, bool unit)
{
    SHARED REAL parts[ON_CHIP];
    bool shared = k.pieces > 1;
    uint32_t tile = shared ? warp_index() : 0, first = tile * TILE + lane_index();
    int64_t line = shared ? block_index() : (int64_t)block_index() * WARPS + warp_index();
    if (line >= k.count)
        return;
    line_starts s = starts_of(k, line);
    fold_line l = line_at(op, k, s, first, LANES, unit);
    int32_t left = (int32_t)k.n - (int32_t)first;
    bool whole = unit && k.n >= (tile + 1) * TILE;
    lane_cells c;
    REAL sum = fold_lanes(whole ? read_lane(op, l, TILE, &c) : read_lane(op, l, left, &c), LANES);
    if (shared) {
        if (lane_index() == 0)
            parts[tile] = sum;
        block_barrier();
        sum = fold_lanes(lane_index() < k.pieces ? parts[lane_index()] : (REAL)-0.0, LANES);
    }
    X(reduced) r = facts_of(op, k, s);
    r.mean = finished(op, k, sum);
    if (whole)
        write_lane(op, l, TILE, &c, r);
    else
        write_lane(op, l, left, &c, r);
}

/* ---- longer lines: a warp a tile, in three launches ------------------------------------------ */

COT_FN void fold_cells(const fold_op &op, const cuda_launch &k)
{
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    line_starts s = starts_of(k, at.line);
    int64_t first = at.first + lane_index();
    X(reduced) r = facts_of(op, k, s);
    r.mean = sums_of(k, at.line)[k.pitch - 1];
    if (is_unit(op, k) && k.n >= at.first + TILE)
        cells_lane(op, line_at(op, k, s, first, LANES, true), TILE, r);
    else
        cells_lane(op, line_at(op, k, s, first, LANES, false), left_of(k, first), r);
}

// clang-format off
#define KERNELS(name, needs) \
    ROW(name, short,   THREADS, fold_short(op, k))       ROW(name, rows,   THREADS, fold_rows(op, k, true)) \
    ROW(name, strided, THREADS, fold_rows(op, k, false)) ROW(name, sums,   THREADS, fold_sums(op, k)) \
    ROW(name, levels,  TILE,    fold_levels(op, k))      ROW(name, cells,  THREADS, fold_cells(op, k))
// clang-format on
#define OP(family, NAME, name, needs, policies, kind, ...) FOLD_##kind(KERNELS, name, needs)
#include "core/ops.def"
