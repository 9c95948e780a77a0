/* Reductions and scans under other policies than the spec's own: a thread a line. var and std fold the line first, a
 * warp a tile. */
#include "strategy_sum.h"
#include "core/policy_bits.h"

enum { THREADS = 128 };

static bool has_moments(const cuda_problem *p) { return p->op->kind == COT_KIND_FOLD; }

/* Bytes of the workspace that a line needs, but for var and std, which count in REALs. */
static int64_t line_bytes(const cot_op_info *op, cot_element element, int64_t n)
{
    int64_t real = element == COT_F64 ? 8 : 4;
    if (cot_heeds(op, POLICY_ZEROS)) /* the products of the others */
        return n * real;
    return op->kind == COT_KIND_WINNER ? ceil_div(n, LANES) * 4 : 0;
}

static cuda_grid grid_lines(const cuda_problem *p, cuda_launch *k)
{
    k->count = p->lines;
    k->pieces = (uint32_t)tiles_of(k->n);
    k->pitch = has_moments(p) ? fold_pitch(k->n) : line_bytes(p->op, p->element, k->n);
    return (cuda_grid){ (uint32_t)ceil_div(p->lines, THREADS), THREADS };
}

static size_t line_workspace(const cot_desc *desc)
{
    return (size_t)(desc_lines(desc) * line_bytes(cot_op_get(desc->op), desc->element, desc->shape[desc->axis]));
}

static size_t moments_workspace(const cot_desc *desc)
{
    bool moments = cot_op_get(desc->op)->kind == COT_KIND_FOLD;
    return moments ? (size_t)(desc_lines(desc) * fold_pitch(desc->shape[desc->axis])) * desc_real(desc) : 0;
}

const cuda_strategy cot_cuda_policy[] = {
    { "policy",
      has_moments,
      { { "sums", grid_fold_tiles }, { "levels", grid_fold_levels }, { "line", grid_lines } },
      moments_workspace },
    { "policy", always, { { "line", grid_lines } }, line_workspace },
    { NULL, NULL, { { NULL, NULL } }, NULL },
};
