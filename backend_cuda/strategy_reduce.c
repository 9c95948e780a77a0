/* Reductions without a sum: rows, columns, or cell by cell. */
#include "strategy.h"

enum { THREADS = 256, COLUMN_THREADS = 128, DEPTH = 32, WARP = 32 }; /* as in reduce.cu */

static const int64_t most_blocks = INT32_MAX;

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t each_of(const cuda_problem *p) { return p->op->roundings >= 4 ? 2 : 4; }

/* Threads for a line of so many vectors: a warp at least, a block at most. */
static int64_t team_for(const cuda_problem *p, int64_t vectors)
{
    int64_t team = WARP;
    while (team < THREADS && team * each_of(p) < vectors)
        team *= 2;
    return team;
}

static int64_t row_items(const cuda_problem *p, int64_t vector)
{
    int64_t run = team_for(p, ceil_div(p->launch.n, vector)) * each_of(p) * vector;
    return p->lines * ceil_div(p->launch.n, run);
}

static bool neighbours(const cuda_problem *p)
{
    return p->launch.dx.along == 1 && (!p->launch.x.data || p->launch.x.along == 1);
}

static bool is_rows(const cuda_problem *p)
{
    const cuda_launch *k = &p->launch;
    return neighbours(p) && k->n >= WARP * p->vector && row_items(p, p->vector) < most_blocks
           && cot_cuda_vector_rows(p, &k->dx) && (!k->x.data || cot_cuda_vector_rows(p, &k->x));
}

/* Rows of another alignment are taken a cell at a time, which packed does better where it can. */
static bool is_rows1(const cuda_problem *p)
{
    return neighbours(p) && p->launch.n >= WARP && row_items(p, 1) < most_blocks;
}

static cuda_grid by_teams(const cuda_problem *p, cuda_launch *k, int64_t vector)
{
    int64_t team = team_for(p, ceil_div(k->n, vector));
    k->team = (uint32_t)team;
    k->team_shift = log2_ceil(team);
    k->pieces = (uint32_t)ceil_div(k->n, team * each_of(p) * vector);
    k->count = p->lines * k->pieces;
    return (cuda_grid){ (uint32_t)ceil_div(k->count, THREADS / team), THREADS };
}

static cuda_grid rows_shape(const cuda_problem *p, cuda_launch *k) { return by_teams(p, k, p->vector); }

static cuda_grid rows1_shape(const cuda_problem *p, cuda_launch *k) { return by_teams(p, k, 1); }

/* Lines one after the other without a gap. */
static bool is_packed(const cuda_problem *p)
{
    const cuda_launch *k = &p->launch;
    bool dense = neighbours(p) && k->dx.across == k->n && (!k->x.data || k->x.across == k->n);
    bool one = p->lines == 1;
    uintptr_t past = (uintptr_t)k->dx.data | (uintptr_t)k->x.data;
    return !p->wide && k->outer_rank == 0 && (one ? neighbours(p) : dense) && past % VECTOR_BYTES == 0;
}

static cuda_grid packed_shape(const cuda_problem *p, cuda_launch *k)
{
    k->count = k->n * p->lines;
    return (cuda_grid){ (uint32_t)ceil_div(k->count, THREADS * p->vector), THREADS };
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The blocks side by side, and below each other. */
static cuda_grid by_columns(cuda_launch *k, int64_t vector)
{
    int64_t wide = ceil_div(k->inner, vector), team = 1;
    while (team < wide && team < COLUMN_THREADS)
        team *= 2;
    k->team = (uint32_t)team;
    k->team_shift = log2_ceil(team);
    k->pieces = (uint32_t)ceil_div(wide, team);
    k->count = ceil_div(k->n, COLUMN_THREADS / team * DEPTH);
    return (cuda_grid){ (uint32_t)(k->outer * k->count * k->pieces), COLUMN_THREADS };
}

static bool few_blocks(const cuda_problem *p, int64_t vector)
{
    int64_t lines = p->launch.outer * ceil_div(p->launch.inner, vector); /* each at most one block a DEPTH */
    return p->launch.inner < most_blocks && lines <= most_blocks / ceil_div(p->launch.n, DEPTH);
}

static bool side_by_side(const cuda_problem *p)
{
    const cuda_launch *k = &p->launch;
    return k->dx.across == 1 && k->dy.across == 1 && (!k->x.data || k->x.across == 1)
           && (!k->y.data || k->y.across == 1);
}

static bool is_columns(const cuda_problem *p)
{
    const cuda_operand *const all[] = { &p->launch.dx, &p->launch.dy, &p->launch.x, &p->launch.y };
    if (!side_by_side(p) || p->launch.inner % p->vector || !few_blocks(p, p->vector))
        return false;
    for (int i = 0; i < 4; i++) {
        cuda_operand o = *all[i];
        if (i % 2 || p->launch.n == 1)
            o.along = 0; /* has one cell along the axis: no stride there counts */
        if (o.data && !cot_cuda_vector_columns(p, &o))
            return false;
    }
    return true;
}

static bool is_columns1(const cuda_problem *p) { return side_by_side(p) && few_blocks(p, 1); }

static cuda_grid columns_shape(const cuda_problem *p, cuda_launch *k) { return by_columns(k, p->vector); }

static cuda_grid columns1_shape(const cuda_problem *p, cuda_launch *k)
{
    (void)p;
    return by_columns(k, 1);
}

const cuda_strategy cot_cuda_reduce[] = {
    { "reduce", is_rows, { { "rows", rows_shape } }, NULL },
    { "reduce", is_columns, { { "columns", columns_shape } }, NULL },
    { "reduce", is_packed, { { "packed", packed_shape } }, NULL },
    { "reduce", is_rows1, { { "rows1", rows1_shape } }, NULL },
    { "reduce", is_columns1, { { "columns1", columns1_shape } }, NULL },
    { "reduce", is_narrow, { { "general32", cell_by_cell } }, NULL },
    { "reduce", always, { { "general64", cell_by_cell } }, NULL },
    { 0 },
};
