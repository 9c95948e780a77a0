/* Reductions and scans under other policies than the spec's own: a thread walks a line (core/formula/policy_lines.inc).
 * Conventions are for comparing; the fast kernels stay free of them. */
#include "core/cotangent.h"
#include "core/formula/heeds.h"
#include "fold.h"
#include "core/formula/policy.inc"
#include "core/formula/policy_steps.inc"
#include "scan.h"

enum { THREADS = 128 };

/* A line from its first cell in the direction of the walk: for a scan, against the forward direction. */
typedef struct X(line) {
    cot_policies policies;
    int64_t n;
    X(reduced) reduced;
    REAL shift;
    scan_line at;
    void *memory; /* of the workspace */
} X(line);

COT_FN REAL X(dy_at)(const X(line) *l, int64_t i) { return load(l->at.dy, i * l->at.step_dy); }
COT_FN REAL X(x_at)(const X(line) *l, int64_t i) { return load(l->at.x, i * l->at.step_x); }
COT_FN REAL X(y_at)(const X(line) *l, int64_t i) { return load(l->at.y, i * l->at.step_y); }
COT_FN void X(put)(const X(line) *l, int64_t i, REAL v) { store(l->at.dx, i * l->at.step_dx, v); }
COT_FN void *X(scratch)(const X(line) *l) { return l->memory; }

#define ROLLED _Pragma("unroll 1")
#include "core/formula/policy_lines.inc"

/* ---- kernels --------------------------------------------------------------------------------- */

COT_FN int64_t own_line(void) { return (int64_t)block_index() * THREADS + thread_index(); }

COT_FN cot_policies policies_of(const cuda_launch &k)
{
    cot_policies p;
    __builtin_memcpy(&p, k.policies, sizeof p);
    return p;
}

/* `pitch` bytes of the workspace belong to a line. */
COT_FN X(line) take_line(const cuda_launch &k, int64_t line)
{
    return { policies_of(k),
             k.n,
             { 0, 0, 0, 0, 0 },
             0,
             scan_from(k, starts_of(k, line), 0, 1, 0),
             (char *)k.workspace + line * k.pitch };
}

/* What a reduced cell knows. */
COT_FN X(line) take_reduced(unsigned needs, const cuda_launch &k, int64_t line)
{
    X(line) l = take_line(k, line);
    l.reduced.g = load(l.at.dy, 0);
    l.reduced.y = needs & Y && !(needs & Y_UNREAD) ? load(l.at.y, 0) : 0;
    l.reduced.n = k.X(numbers).n;
    return l;
}

/* The sum of a tile, by a warp, of what POLICY-CENTRE leaves of its cells. */
COT_FN void centred_sums(const fold_op &op, const cuda_launch &k)
{
    tile_place at = place_of((int64_t)block_index() * TILE_WARPS + warp_index(), k.pieces);
    if (at.line >= k.count)
        return;
    int64_t start = starts_of(k, at.line).x, first = at.first + lane_index();
    REAL sum = (REAL)-0.0, shift = X(shift_under)(policies_of(k), load(in(k.x), start));
    ROLLED
    for (int64_t i = first; i < at.first + TILE && i < k.n; i += LANES)
        sum += load(in(k.x), start + i * k.x.along) - shift;
    sum = fold_lanes(sum, LANES);
    if (lane_index() == 0)
        sums_of(k, at.line)[at.tile] = k.pieces > 1 ? sum : finished(op, k, sum);
}

/* POLICY-DIVISOR. The mean is the fold's, and the workspace holds it. */
COT_FN X(line) take_moments(unsigned needs, const cuda_launch &k, int64_t line)
{
    X(line) l = take_reduced(needs, k, line);
    if (X(dead_under)(l.policies.divisor, k.n, (int32_t)k.correction))
        l.reduced.g = 0;
    l.reduced.m = X(divisor_under)(l.policies.divisor, k.n, (int32_t)k.correction);
    l.reduced.mean = sums_of(k, line)[k.pitch - 1];
    l.shift = X(shift_under)(l.policies, X(x_at)(&l, 0));
    return l;
}

// clang-format off
#define LINE_KERNEL(name, take) \
    KERNEL_OF(THREADS, name, line) { if (own_line() < k.count) { X(line) l = take; X(name##_line)(&l); } }
// clang-format on

/* A row of the op table that heeds a policy has its kernels, by its family and the kind of its sum. */
#define KERNELS_spec(row, name, needs)
#define KERNELS_under(row, name, needs) KERNELS_##row(name, needs)
#define KERNELS_REDUCE_NONE(name, needs) LINE_KERNEL(name, take_reduced(needs, k, own_line()))
#define KERNELS_REDUCE_FOLD(name, needs) \
    KERNEL_OF(TILE_WARPS *LANES, name, sums) { centred_sums(name##_op(), k); } \
    KERNEL_OF(TILE, name, levels) { fold_levels(name##_op(), k); } \
    LINE_KERNEL(name, take_moments(needs, k, own_line()))
#define KERNELS_SCAN_SCAN(name, needs) LINE_KERNEL(name, take_line(k, own_line()))
#define KERNELS_SCAN_WINNER(name, needs) LINE_KERNEL(name, take_line(k, own_line()))
#define KERNELS_BINARY_NONE(name, needs) /* policy_binary.cu */
#define KERNELS_BINARY_PARAM_NONE(name, needs)
#define OP(family, NAME, name, needs, policies, kind, ...) \
    COT_ROW(KERNELS_, COT_HEEDS(policies))(family##_##kind, name, needs)
#include "core/ops.def"
