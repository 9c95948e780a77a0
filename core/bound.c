/* How many roundings lie between a call's operands and its results (clause BOUND). */
#include "internal.h"
#include "policy_bits.h"

#include "core/formula/spec.h"

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Additions on the longest path through a tile of the fold: down a lane, then across the lanes. */
static int64_t tile_depth(int64_t terms)
{
    int64_t depth = ceil_div(terms, COT_LANES) - 1;
    for (int64_t lanes = terms < COT_LANES ? terms : COT_LANES; lanes > 1; lanes = ceil_div(lanes, 2))
        depth++;
    return depth;
}

static int64_t fold_depth(int64_t terms)
{
    int64_t depth = 0;
    for (; terms > 1; terms = ceil_div(terms, COT_TILE))
        depth += tile_depth(terms < COT_TILE ? terms : COT_TILE);
    return depth;
}

/* Within a segment, over the segments of a tile, over the tiles, and the two additions that join them. */
static int64_t scan_depth(int64_t terms)
{
    int64_t segments = ceil_div(terms, COT_SEGMENT);
    int64_t tile = COT_TILE / COT_SEGMENT; /* its segments */
    int64_t local = terms < COT_SEGMENT ? terms : COT_SEGMENT;
    int64_t within = segments < tile ? segments : tile;
    return terms > 0 ? local - 1 + within - 1 + ceil_div(segments, tile) - 1 + 2 : 0;
}

/* Halving until one is left. */
static int64_t tree_depth(int64_t terms)
{
    int64_t depth = 0;
    for (; terms > 1; terms = ceil_div(terms, 2))
        depth++;
    return depth;
}

/* Any order within blocks of a tile's size, and any order of their sums. */
static int64_t blocked_depth(int64_t terms)
{
    return terms > COT_TILE ? COT_TILE - 1 + ceil_div(terms, COT_TILE) - 1 : terms - 1;
}

/* Additions on the longest path. A running sum's results are trees that share their parts: up, and down again. */
static double sum_depth(int64_t terms, const cot_op_info *op, cot_order claimed)
{
    bool scans = op->order == COT_ORDER_SCAN;
    if (op->order == COT_ORDER_NONE || terms < 1)
        return 0;
    switch (claimed) {
    case COT_ORDER_FOLD:
    case COT_ORDER_SCAN: return (double)(scans ? scan_depth(terms) : fold_depth(terms));
    case COT_ORDER_PAIRWISE: return (double)(scans ? 2 * tree_depth(terms) : tree_depth(terms));
    case COT_ORDER_BLOCKED: return (double)(scans ? blocked_depth(terms) + 1 : blocked_depth(terms));
    case COT_ORDER_NONE:
    case COT_ORDER_ANOTHER:
    case COT_ORDER_SEQUENTIAL: return (double)(terms - 1);
    }
    return (double)(terms - 1);
}

static bool is_spec_order(cot_order claimed) { return claimed == COT_ORDER_FOLD || claimed == COT_ORDER_SCAN; }

static bool heeds(const cot_desc *desc, int policy) { return cot_heeds(cot_op_get(desc->op), policy); }

static bool takes_exact_products(const cot_desc *desc)
{
    return heeds(desc, POLICY_ZEROS) && desc->policies.zeros != COT_ZEROS_LITERAL;
}

static bool splits_ties(const cot_desc *desc)
{
    return heeds(desc, POLICY_TIES) && desc->policies.ties == COT_TIES_SPLIT;
}

/* What a policy adds. A product of n cells has n - 1 roundings in every order; careful, atan2 divides by hypot twice
 * and not once by a sum of squares; a shifted cell is rounded. */
static double policy_roundings(const cot_desc *desc)
{
    bool shifts = heeds(desc, POLICY_CENTRE) && desc->policies.centre == COT_CENTRE_SHIFTED;
    bool twice = heeds(desc, POLICY_ATAN2_ZERO) && desc->policies.quotient == COT_QUOTIENT_CAREFUL;
    return takes_exact_products(desc) ? (double)desc->shape[desc->axis] : splits_ties(desc) + shifts + 6 * twice;
}

/* Roundings of one step of a sum: a recurrence multiplies as well, by a factor that is a function. */
static double step_roundings(const cot_desc *desc, const cot_op_info *op)
{
    return op->kind == COT_KIND_RECURRENCE ? 4 : takes_exact_products(desc) ? 2 : 1;
}

cot_bound cot_bound_under(const cot_desc *desc, cot_order claimed)
{
    const cot_op_info *op = cot_op_get(desc->op);
    bool spec = is_spec_order(claimed);
    int64_t terms = op->order == COT_ORDER_NONE ? 0 : desc->shape[desc->axis]; /* others may ignore the axis */
    cot_bound bound = { op->roundings + policy_roundings(desc), sum_depth(terms, op, claimed) };
    if (!spec) {
        bound.roundings += op->spare + splits_ties(desc); /* by a reciprocal */
        bound.depth *= step_roundings(desc, op);
    }
    return bound;
}

double cot_rounding_bound(const cot_desc *desc)
{
    cot_bound own = cot_bound_under(desc, COT_ORDER_FOLD);
    double rounds = own.roundings + own.depth;
    switch (desc->element) { /* where the result is narrower than the arithmetic, its own rounding counts for most */
    case COT_F16: return 1 + rounds / 8192;
    case COT_BF16: return 1 + rounds / 65536;
    default: return rounds;
    }
}
