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

double cot_rounding_bound(const cot_desc *desc)
{
    const cot_op_info *op = cot_op_get(desc->op);
    double rounds = op->roundings;
    if (op->order == COT_ORDER_FOLD)
        rounds += (double)fold_depth(desc->shape[desc->axis]);
    if (op->order == COT_ORDER_SCAN)
        rounds += (double)scan_depth(desc->shape[desc->axis]);
    switch (desc->element) { /* where the result is narrower than the arithmetic, its own rounding counts for most */
    case COT_F16: return 1 + rounds / 8192;
    case COT_BF16: return 1 + rounds / 65536;
    default: return rounds;
    }
}
