/* SCAN-RECURRENCE of pairs (A, B), with the term, weight and gradient of an op (logcumsumexp: LCSE-LINEAR). Of y only
 * the anchor is needed once the term is made, and an anchor's anchor is itself. */
#ifndef COT_CUDA_RECURRENCE_H
#define COT_CUDA_RECURRENCE_H

#include "core/formula/only.h"
#include "scan.h"

/* What a piece of the line does to what comes before it: b + a * T. */
typedef struct pair {
    REAL a, b;
} pair;

typedef REAL of_two(REAL, REAL);
typedef REAL of_three(REAL, REAL, REAL);

/* Anchors hardly ever change, so the exponential stands apart. */
// clang-format off
#define FAR_WEIGHT(name) \
    static __attribute__((device)) __attribute__((noinline)) REAL name##_far_weight(REAL here, REAL there) \
    { return X(name##_weight)(here, there); }
#define OP(family, NAME, name, needs, policies, kind, ...) COT_ONLY(RECURRENCE, kind, FAR_WEIGHT(name))
#include "core/ops.def"
#undef OP
// clang-format on

/* What an op brings to a kernel: its term of dy and y, its weight where anchors differ, its gradient of x, y and the
 * sum. */
#define RECURRENCE_OF(name) X(name##_term), name##_far_weight, X(name##_grad)
#define FOR_AN_OP template <of_two *term, of_two *far_weight, of_three *grad>
#define KERNEL_BY_OP(threads, name, strategy) \
    KERNEL_OF(threads, name, strategy) { recurrence_##strategy<RECURRENCE_OF(name)>(k); }

template <of_two *far_weight> COT_FN REAL weight(REAL here, REAL there)
{
    return here == there ? 1 : far_weight(here, there);
}

/* `later` after `earlier`. */
COT_FN pair joined(pair later, pair earlier)
{
    pair p = { later.a * earlier.a, later.b + later.a * earlier.b };
    return p;
}

/* What stands before a segment: nothing in the line's first one. */
typedef struct prior {
    bool exists;
    REAL value;
} prior;

COT_FN REAL after(pair p, const prior &before) { return before.exists ? p.b + p.a * before.value : p.b; }

/* The workspace of a line that several blocks share: for each tile its pair, then T in b; and the anchor before it,
 * kept before anything is written over it. */
typedef struct tile_carry {
    pair e;
    REAL anchor;
} tile_carry;

COT_FN tile_carry *carries_at(const cuda_launch &k, int64_t line) { return (tile_carry *)k.workspace + line * k.pitch; }

/* T of each tile. A warp a line. */
COT_FN void recurrence_chain(const cuda_launch &k)
{
    SHARED pair ends[LANES];
    tile_carry *carries = carries_at(k, block_index());
    uint32_t lane = lane_index();
    prior t = { false, 0 };
    for (uint32_t at = 0; at < k.pieces; at += LANES) {
        if (at + lane < k.pieces)
            ends[lane] = carries[at + lane].e;
        warp_barrier();
        if (lane == 0)
            for (uint32_t i = 0; i < LANES && at + i < k.pieces; i++) {
                pair e = ends[i];
                ends[i].b = t.value;
                t = { true, after(e, t) };
            }
        warp_barrier();
        if (at + lane < k.pieces)
            carries[at + lane].e.b = ends[lane].b;
        warp_barrier();
    }
}

#endif
