/* How scans are shared out. Lines of up to a segment: a lane each. Others: a warp each, which walks it tile by tile;
 * down columns a thread a segment. Few long lines: a warp or a block a tile, in three launches (what a tile does to
 * what follows; what comes before each tile; the results). cummax and cummin must look at a whole line first, which
 * takes two more. */
#include "strategy_sum.h"

enum {
    THREADS = 128,
    COLUMN_THREADS = 512,
    SLIM_THREADS = 256, /* f64's logcumsumexp keeps more in registers and in shared memory */
    FEW = 1024,         /* lines; more keep a device busy with a warp or a column each */
};

static bool is_sum(const cuda_problem *p) { return p->op->kind == COT_KIND_SCAN; }
static bool is_winner(const cuda_problem *p) { return p->op->kind == COT_KIND_WINNER; }
static bool is_slim(const cuda_problem *p) { return p->op->kind == COT_KIND_RECURRENCE && p->element == COT_F64; }

static bool is_short(const cuda_problem *p) { return p->launch.n <= LANES; }

static bool needs_tiles(const cuda_problem *p)
{
    return is_winner(p) ? p->launch.n > ON_CHIP * TILE : p->launch.n > ON_CHIP * TILE && p->lines < FEW;
}

static bool sum_short(const cuda_problem *p) { return is_sum(p) && is_short(p); }
static bool winner_short(const cuda_problem *p) { return is_winner(p) && is_short(p); }
static bool sum_columns(const cuda_problem *p) { return is_sum(p) && lines_are_closer(p); }
static bool sum_columns_tiles(const cuda_problem *p) { return sum_columns(p) && needs_tiles(p); }
static bool sum_tiles(const cuda_problem *p) { return is_sum(p) && needs_tiles(p); }
static bool winner_columns(const cuda_problem *p) { return is_winner(p) && lines_are_closer(p); }
static bool winner_columns_tiles(const cuda_problem *p) { return winner_columns(p) && p->launch.n > TILE; }
static bool winner_tiles(const cuda_problem *p) { return is_winner(p) && needs_tiles(p); }
static bool columns_tiles(const cuda_problem *p) { return lines_are_closer(p) && needs_tiles(p); }

/* ---- grids ----------------------------------------------------------------------------------- */

static int64_t threads_of(const cuda_problem *p) { return is_slim(p) ? THREADS / 2 : THREADS; }
static int64_t column_threads(const cuda_problem *p) { return is_slim(p) ? SLIM_THREADS : COLUMN_THREADS; }

/* A line's part of the workspace, in REALs of its tiles or in records of its tiles. */
static void set_pieces(const cuda_problem *p, cuda_launch *k)
{
    k->pieces = (uint32_t)tiles_of(k->n);
    k->pitch = is_winner(p) ? 3 * (int64_t)k->pieces : k->pieces;
    k->count = p->lines;
}

static cuda_grid grid_of(const cuda_problem *p, int64_t warps)
{
    int64_t threads = threads_of(p);
    return (cuda_grid){ (uint32_t)ceil_div(warps * LANES, threads), (uint32_t)threads };
}

static cuda_grid grid_short(const cuda_problem *p, cuda_launch *k)
{
    k->count = p->lines;
    int64_t threads = p->element == COT_F64 ? THREADS / 2 : THREADS;
    return (cuda_grid){ (uint32_t)ceil_div(p->lines, threads), (uint32_t)threads };
}

static cuda_grid grid_rows(const cuda_problem *p, cuda_launch *k)
{
    k->count = p->lines;
    return grid_of(p, p->lines);
}

/* A warp a line; over a tile, a block a line and a warp a tile. */
static cuda_grid grid_winners(const cuda_problem *p, cuda_launch *k)
{
    set_pieces(p, k);
    return k->pieces > 1 ? (cuda_grid){ (uint32_t)p->lines, k->pieces * LANES } : grid_of(p, p->lines);
}

static cuda_grid grid_tiles(const cuda_problem *p, cuda_launch *k)
{
    set_pieces(p, k);
    return grid_of(p, p->lines * k->pieces);
}

static cuda_grid grid_chain(const cuda_problem *p, cuda_launch *k)
{
    set_pieces(p, k);
    return (cuda_grid){ (uint32_t)p->lines, LANES };
}

static cuda_grid grid_columns(const cuda_problem *p, cuda_launch *k)
{
    return column_grid(p, k, ceil_div(k->n, LANES), column_threads(p), 1);
}

static cuda_grid grid_column_tiles(const cuda_problem *p, cuda_launch *k)
{
    set_pieces(p, k);
    return column_grid(p, k, LANES, column_threads(p), k->pieces);
}

/* ---- the table ------------------------------------------------------------------------------- */

static size_t workspace(const cot_desc *desc)
{
    int64_t n = desc->shape[desc->axis], lines = desc_lines(desc);
    cot_kind kind = cot_op_get(desc->op)->kind;
    bool tiles = kind == COT_KIND_WINNER ? n > TILE : n > ON_CHIP * TILE && lines < FEW;
    return tiles ? (size_t)(lines * tiles_of(n) * (kind == COT_KIND_SCAN ? 1 : 3)) * desc_real(desc) : 0;
}

// clang-format off
#define THREE(grid) { { "look", grid }, { "chain", grid_chain }, { "apply", grid } }
// clang-format on
#define FIVE(grid) \
    { \
        { "best", grid }, { "bests", grid_chain }, { "look", grid }, { "chain", grid_chain }, { "apply", grid } \
    }

const cuda_strategy cot_cuda_scan[] = {
    { "scan_columns", sum_columns_tiles, THREE(grid_column_tiles), workspace },
    { "scan_columns", sum_columns, { { "columns", grid_columns } }, NULL },
    { "scan", sum_short, { { "short", grid_short } }, NULL },
    { "scan", sum_tiles, THREE(grid_tiles), workspace },
    { "scan", is_sum, { { "rows", grid_rows } }, NULL },
    { "winners_columns", winner_columns_tiles, FIVE(grid_column_tiles), workspace },
    { "winners_columns", winner_columns, { { "columns", grid_columns } }, NULL },
    { "winners", winner_short, { { "short", grid_short } }, NULL },
    { "winners", winner_tiles, FIVE(grid_tiles), workspace },
    { "winners", is_winner, { { "rows", grid_winners } }, NULL },
    { "recurrence_columns", columns_tiles, THREE(grid_column_tiles), workspace },
    { "recurrence_columns", lines_are_closer, { { "columns", grid_columns } }, NULL },
    { "recurrence", is_short, { { "short", grid_short } }, NULL },
    { "recurrence", needs_tiles, THREE(grid_tiles), workspace },
    { "recurrence", always, { { "rows", grid_rows } }, NULL },
    { NULL, NULL, { { NULL, NULL } }, NULL },
};
