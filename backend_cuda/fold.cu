/* Folds along rows: lanes on neighbouring cells. */
#include "fold.h"

enum { THREADS = 128, WARPS = THREADS / LANES };

/* Up to 32 cells: `team` lanes a line. */
COT_FN void fold_short(const fold_op &op, const cuda_launch &k)
{
    int64_t line = ((int64_t)block_index() * THREADS + thread_index()) >> k.team_shift;
    uint32_t cell = thread_index() & (k.team - 1);
    bool here = line < k.count && cell < k.n;
    REAL a = 0, b = 0, sum = (REAL)-0.0;
    X(reduced) r = {};
    fold_line l = {};
    if (here) {
        line_starts s = starts_of(k, line);
        l = line_at(op, k, s, cell, 0, false);
        r = facts_of(op, k, s);
        a = load(l.a, 0);
        b = op.y_in_cell ? load(l.b, 0) : 0;
        sum = op.term(a, b);
    }
    r.mean = finished(op, k, fold_lanes(sum, k.team));
    if (here)
        store(l.dx, 0, op.grad(r, a, b));
}

/* ---- lines of up to ON_CHIP tiles: what is read stays in registers for the cells ---------------------------------- */

typedef struct lane_cells {
    REAL a[LANES], b[LANES];
} lane_cells;

COT_FN REAL read_lane(const fold_op &op, const fold_line &l, int32_t left, lane_cells *c)
{
    REAL sum = (REAL)-0.0;
    UNROLLED for (int i = 0; i < LANES; i++)
        if (i * LANES < left) {
            c->a[i] = load(l.a, i * l.step_a);
            if (op.y_in_sum)
                c->b[i] = load(l.b, i * l.step_b);
            sum += op.term(c->a[i], c->b[i]);
        }
    return sum;
}

COT_FN void write_lane(const fold_op &op, const fold_line &l, int32_t left, lane_cells *c, const X(reduced) &r)
{
    UNROLLED for (int i = 0; i < LANES; i++)
        if (i * LANES < left) {
            if (op.y_in_cell && !op.y_in_sum)
                c->b[i] = load(l.b, i * l.step_b);
            store(l.dx, i * l.step_dx, op.grad(r, c->a[i], c->b[i]));
        }
}

/* A warp a line; over a tile, a block a line and a warp a tile. A whole tile needs no comparisons: TILE cells are left. */
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
        meet_block();
        sum = fold_lanes(lane_index() < k.pieces ? parts[lane_index()] : (REAL)-0.0, LANES);
    }
    X(reduced) r = facts_of(op, k, s);
    r.mean = finished(op, k, sum);
    if (whole)
        write_lane(op, l, TILE, &c, r);
    else
        write_lane(op, l, left, &c, r);
}

/* ---- longer lines: a warp a tile, in three launches --------------------------------------------------------------- */

COT_FN void fold_sums(const fold_op &op, const cuda_launch &k)
{
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    fold_line l = line_at(op, k, starts_of(k, at.line), at.first + lane_index(), LANES, false);
    REAL sum = fold_lanes(sum_lane(op, l, left_of(k, at.first + lane_index())), LANES);
    if (lane_index() == 0)
        sums_of(k, at.line)[at.tile] = sum;
}

COT_FN void fold_cells(const fold_op &op, const cuda_launch &k)
{
    tile_place at = place_of((int64_t)block_index() * WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    line_starts s = starts_of(k, at.line);
    fold_line l = line_at(op, k, s, at.first + lane_index(), LANES, false);
    X(reduced) r = facts_of(op, k, s);
    r.mean = sums_of(k, at.line)[k.pitch - 1];
    cells_lane(op, l, left_of(k, at.first + lane_index()), r);
}

#define KERNELS(name, needs) \
    KERNEL_OF(THREADS, name, short) { fold_short(name##_op(), k); } \
    KERNEL_OF(THREADS, name, rows) { fold_rows(name##_op(), k, true); } KERNELS_TOO(name)
#define KERNELS_TOO(name) \
    KERNEL_OF(THREADS, name, strided) { fold_rows(name##_op(), k, false); } KERNELS_LONG(name)
#define KERNELS_LONG(name) \
    KERNEL_OF(THREADS, name, sums) { fold_sums(name##_op(), k); } \
    KERNEL_OF(TILE, name, levels) { fold_levels(name##_op(), k); } KERNEL_OF(THREADS, name, cells) { fold_cells(name##_op(), k); }
#define OP(family, NAME, name, needs, policies, order, ...) FOLD_##order(KERNELS, name, needs)
#include "ops.def"
