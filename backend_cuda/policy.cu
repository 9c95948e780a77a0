/* Reductions and scans under other policies than the spec's own: a thread walks a line, with O(1) work per cell and the spec's
 * orders. Conventions are for comparing; the fast kernels stay free of them. */
#include "cotangent.h"
#include "fold.h"
#include "policy.inc"
#include "scan.h"

enum { THREADS = 128 };

/* A line from its first cell in the direction of the walk: for a scan, against the forward direction. */
typedef struct whole_line {
    cot_policies policies;
    scan_line at;
    int64_t n;
    void *memory; /* of the workspace */
} whole_line;

COT_FN cot_policies policies_of(const cuda_launch &k)
{
    cot_policies p;
    __builtin_memcpy(&p, k.policies, sizeof p);
    return p;
}

COT_FN REAL x_at(const whole_line &l, int64_t i) { return load(l.at.x, i * l.at.step_x); }
COT_FN void put(const whole_line &l, int64_t i, REAL v) { store(l.at.dx, i * l.at.step_dx, v); }

/* What a reduced cell knows; POLICY-DIVISOR. */
COT_FN X(reduced) facts_under(const cuda_launch &k, cot_policies p, REAL g, REAL y)
{
    bool dead = X(dead_under)(p.divisor, k.n, (int32_t)k.correction);
    X(reduced) r = { dead ? 0 : g, y, k.X(numbers).n, X(divisor_under)(p.divisor, k.n, (int32_t)k.correction), 0 };
    return r;
}

/* ---- max, min: POLICY-TIES, POLICY-MAX-NAN ------------------------------------------------------------------------- */

/* Which cells may take g, where y is a number and where it is NaN. */
COT_FN bool is_candidate(const whole_line &l, REAL y, REAL x)
{
    return y != y ? l.policies.max_nan == COT_MAX_NAN_FIRST && x != x : x == y;
}

COT_FN void extremum_line(const whole_line &l)
{
    REAL g = load(l.at.dy, 0), y = load(l.at.y, 0);
    bool nan = y != y;
    int ties = nan && l.policies.max_nan == COT_MAX_NAN_FIRST ? COT_TIES_FIRST : l.policies.ties;
    int64_t count = 0, first = -1, last = -1;
#pragma unroll 1
    for (int64_t i = 0; i < l.n; i++)
        if (is_candidate(l, y, x_at(l, i))) {
            first = count++ ? first : i;
            last = i;
        }
    REAL share = ties == COT_TIES_SPLIT ? g / (REAL)count : g, nothing = nan && l.policies.max_nan == COT_MAX_NAN_SPREAD ? y : 0;
#pragma unroll 1
    for (int64_t i = 0; i < l.n; i++) {
        bool chosen = ties == COT_TIES_FIRST ? i == first : ties == COT_TIES_LAST ? i == last : is_candidate(l, y, x_at(l, i));
        put(l, i, chosen ? share : nothing);
    }
}

/* ---- prod, cumprod: POLICY-ZEROS-PROD, POLICY-ZEROS-CUMPROD -------------------------------------------------------- */

/* A scan of products in progress: SCAN-ORDER with products for sums. */
typedef struct products {
    REAL tiles, segments, local;
} products;

COT_FN REAL times(products *p, int64_t i, REAL x)
{
    if (i % LANES == 0)
        p->segments = p->segments * p->local, p->local = 1;
    if (i % TILE == 0)
        p->tiles = p->tiles * p->segments, p->segments = 1;
    p->local = p->local * x;
    return p->tiles * p->segments * p->local;
}

/* The products of each cell and those after it, from the line's end. */
COT_FN void products_from_end(const whole_line &l, REAL *after)
{
    products p = { 1, 1, 1 };
#pragma unroll 1
    for (int64_t i = 0; i < l.n; i++)
        after[l.n - 1 - i] = times(&p, i, x_at(l, l.n - 1 - i));
}

COT_FN void prod_line(const whole_line &l)
{
    REAL *after = (REAL *)l.memory, g = load(l.at.dy, 0), before = 1;
    products p = { 1, 1, 1 };
    products_from_end(l, after);
#pragma unroll 1
    for (int64_t i = 0; i < l.n; i++) {
        REAL x = x_at(l, i);
        put(l, i, g * (before * (i < l.n - 1 ? after[i + 1] : 1)));
        before = times(&p, i, x);
    }
}

/* What a run of cells does to the H before it: b + a * H (SCAN-RECURRENCE). A run of no cells is left out. */
typedef struct effect {
    REAL a, b;
    bool exists;
} effect;

COT_FN effect then(effect before, effect after)
{
    effect both = { after.a * before.a, after.b + after.a * before.b, true };
    return before.exists ? both : after;
}

/* Applied to a number instead of a run. */
COT_FN effect upon(effect before, effect after)
{
    if (before.exists && after.exists)
        after.b = after.b + after.a * before.b;
    return after.exists ? after : before;
}

/* The line lies against the forward direction, so the cells before one are those after it here. */
COT_FN void cumprod_line(const whole_line &l)
{
    REAL *after = (REAL *)l.memory, next = 1;
    effect tiles = { 0, 0, false }, segments = tiles, local = tiles;
    products_from_end(l, after);
#pragma unroll 1
    for (int64_t i = 0; i < l.n; i++) {
        if (i % LANES == 0) {
            segments = local.exists ? then(segments, local) : segments;
            local.exists = false;
        }
        if (i % TILE == 0) {
            tiles = upon(tiles, segments);
            segments.exists = false;
        }
        effect cell = { next, load(l.at.dy, i * l.at.step_dy), true };
        local = then(local, cell);
        next = x_at(l, i);
        put(l, i, (i < l.n - 1 ? after[i + 1] : 1) * upon(upon(tiles, segments), local).b);
    }
}

/* ---- cummax, cummin: POLICY-SCAN-TIES, POLICY-SCAN-NAN ------------------------------------------------------------- */

/* A bit for each cell that takes over, found in the forward direction. */
COT_FN void mark_line(const whole_line &l, bool maximum, uint32_t *won)
{
    REAL winner = 0;
    uint32_t word = 0;
#pragma unroll 1
    for (int64_t i = l.n - 1; i >= 0; i--) {
        REAL x = x_at(l, i);
        if (i == l.n - 1 || X(takes_over_under)(l.policies, maximum, x, winner)) {
            winner = x;
            word |= 1u << i % LANES;
        }
        if (i % LANES == 0) {
            won[i / LANES] = word;
            word = 0;
        }
    }
}

COT_FN void winners_line(const whole_line &l, bool maximum)
{
    const REAL none = (REAL)-0.0;
    uint32_t *won = (uint32_t *)l.memory;
    REAL tiles = none, segments = none, local = none;
    mark_line(l, maximum, won);
#pragma unroll 1
    for (int64_t i = 0; i < l.n; i++) { /* SCAN-SEGMENTED */
        if (i % LANES == 0)
            segments += local, local = none;
        if (i % TILE == 0)
            tiles += segments, segments = none;
        local += load(l.at.dy, i * l.at.step_dy);
        bool wins = won[i / LANES] >> i % LANES & 1;
        put(l, i, wins ? tiles + segments + local : 0);
        if (wins)
            tiles = segments = local = none;
    }
}

/* ---- norm2, var, std ----------------------------------------------------------------------------------------------- */

COT_FN void cells_line(REAL (*grad)(cot_policies, X(reduced), REAL), const whole_line &l, const X(reduced) &r)
{
#pragma unroll 1
    for (int64_t i = 0; i < l.n; i++)
        put(l, i, grad(l.policies, r, x_at(l, i)));
}

/* ---- kernels ------------------------------------------------------------------------------------------------------- */

/* `pitch` bytes of the workspace belong to a line. */
COT_FN bool take_line(const cuda_launch &k, whole_line *l)
{
    int64_t line = (int64_t)block_index() * THREADS + thread_index();
    if (line >= k.count)
        return false;
    *l = { policies_of(k), scan_from(k, starts_of(k, line), 0, 1, 0), k.n, (char *)k.workspace + line * k.pitch };
    return true;
}

#define LINE_KERNEL(name, ...) \
    KERNEL_OF(THREADS, name, line) { whole_line l; if (take_line(k, &l)) __VA_ARGS__; }
LINE_KERNEL(max, extremum_line(l))
LINE_KERNEL(min, extremum_line(l))
LINE_KERNEL(prod, prod_line(l))
LINE_KERNEL(cumprod, cumprod_line(l))
LINE_KERNEL(cummax, winners_line(l, true))
LINE_KERNEL(cummin, winners_line(l, false))
LINE_KERNEL(norm2, cells_line(X(norm2_under), l, facts_under(k, l.policies, load(l.at.dy, 0), load(l.at.y, 0))))

/* A mean is the fold's; the workspace holds it. */
COT_FN void moments_line(REAL (*grad)(cot_policies, X(reduced), REAL), const cuda_launch &k, bool reads_y)
{
    whole_line l;
    int64_t line = (int64_t)block_index() * THREADS + thread_index();
    if (!take_line(k, &l))
        return;
    X(reduced) r = facts_under(k, l.policies, load(l.at.dy, 0), reads_y ? load(l.at.y, 0) : 0);
    r.mean = sums_of(k, line)[k.pitch - 1];
    cells_line(grad, l, r);
}

#define MOMENT_KERNELS(name, reads_y) \
    KERNEL_OF(TILE_WARPS * LANES, name, sums) { fold_sums(name##_op(), k); } KERNEL_OF(TILE, name, levels) { fold_levels(name##_op(), k); } \
    KERNEL_OF(THREADS, name, line) { moments_line(X(name##_under), k, reads_y); }
MOMENT_KERNELS(var, false)
MOMENT_KERNELS(std, true)
