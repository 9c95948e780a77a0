/* How many roundings lie between a call's operands and its results (clause BOUND). */
#include "internal.h"

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Additions on the longest path through a tile of the fold: down a lane, then across the lanes. */
static int64_t tile_depth(int64_t terms)
{
    int64_t depth = ceil_div(terms, 32) - 1;
    for (int64_t lanes = terms < 32 ? terms : 32; lanes > 1; lanes = ceil_div(lanes, 2))
        depth++;
    return depth;
}

static int64_t fold_depth(int64_t terms)
{
    int64_t depth = 0;
    for (; terms > 1; terms = ceil_div(terms, 1024))
        depth += tile_depth(terms < 1024 ? terms : 1024);
    return depth;
}

/* Within a segment, over the segments of a tile, over the tiles, and the two additions that join them. */
static int64_t scan_depth(int64_t terms)
{
    int64_t segments = ceil_div(terms, 32);
    int64_t local = terms < 32 ? terms : 32;
    int64_t within = segments < 32 ? segments : 32;
    return terms > 0 ? local - 1 + within - 1 + ceil_div(segments, 32) - 1 + 2 : 0;
}

static double sum_depth(const cot_desc *desc, cot_order order)
{
    if (order == COT_ORDER_FOLD)
        return (double)fold_depth(desc->shape[desc->axis]);
    return order == COT_ORDER_SCAN ? (double)scan_depth(desc->shape[desc->axis]) : 0;
}

/* What a policy adds. A product of n cells has n - 1 roundings in every order. */
static double policy_roundings(const cot_desc *desc)
{
    bool exact = desc->policies.zeros == COT_ZEROS_EXACT;
    switch (desc->op) {
    case COT_MAX:
    case COT_MIN: return desc->policies.ties == COT_TIES_SPLIT;
    case COT_PROD:
    case COT_CUMPROD: return exact ? (double)desc->shape[desc->axis] : 0;
    default: return 0;
    }
}

double cot_rounding_bound(const cot_desc *desc)
{
    const cot_op_info *op = cot_op_get(desc->op);
    double rounds = op->roundings + sum_depth(desc, op->order) + policy_roundings(desc);
    switch (desc->element) { /* where the result is narrower than the arithmetic, its own rounding counts for most */
    case COT_F16: return 1 + rounds / 8192;
    case COT_BF16: return 1 + rounds / 65536;
    default: return rounds;
    }
}
