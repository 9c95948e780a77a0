/* From descriptor and views to what kernels are handed: cot_lines once more, with its groups the other way round, in a
 * struct whose layout is part of the kernels' PTX. */
#include "core/internal.h"
#include "core/lines.h"
#include "strategy.h"

#include <string.h>

/* Kernels count groups with the fastest dimension first. */
static void take_operand(cuda_operand *to, const cot_line_operand *from, int outer_rank)
{
    to->data = from->data;
    to->along = from->along;
    to->across = from->across;
    for (int i = 0; i < outer_rank; i++)
        to->outer[i] = from->outer[outer_rank - 1 - i];
}

static void take_operands(cuda_launch *k, const cot_lines *lines)
{
    cuda_operand *const to[COT_OPERANDS] = {
        [COT_DY] = &k->dy, [COT_X] = &k->x,   [COT_Y] = &k->y,   [COT_A] = &k->a,
        [COT_B] = &k->b,   [COT_DX] = &k->dx, [COT_DA] = &k->da, [COT_DB] = &k->db
    };
    for (int o = COT_DY; o < COT_OPERANDS; o++)
        if (to[o])
            take_operand(to[o], &lines->operands[o], lines->outer_rank);
}

/* To nearest even, whatever the caller's mode is. */
static float to_float(double value)
{
    float single;
    cot_cell_set(COT_F32, &single, value);
    return single;
}

/* ARITH-COUNT, VAR-CORRECTION, VAR-CLAMP, LERP-WEIGHT. Counts are exact in binary64. */
static void take_numbers(cuda_launch *k, const cot_desc *desc)
{
    int64_t m = k->n - desc->correction;
    float weight = to_float(desc->param);
    k->numbers_f = (cuda_numbers_f){ to_float((double)k->n), m > 0 ? to_float((double)m) : 1, weight };
    k->numbers_d = (cuda_numbers_d){ (double)k->n, m > 0 ? (double)m : 1, cot_cell_get(COT_F32, &weight) };
}

/* Beyond the last cell that is addressed, in elements. */
static int64_t reach(const cot_lines *lines, const cot_line_operand *o)
{
    int64_t last = (o->reduced ? 0 : (lines->n - 1) * o->along) + (lines->inner - 1) * o->across;
    for (int i = 0; i < lines->outer_rank; i++)
        last += (lines->outer_shape[i] - 1) * o->outer[i];
    return last + 1;
}

/* Offsets must fit 31 bits, and so must the cells with a margin for a grid's last block. */
static bool is_wide(const cot_lines *lines)
{
    const int64_t most = INT32_MAX - (1 << 16);
    if (lines->n * lines->inner * lines->outer > most)
        return true;
    for (int o = COT_DY; o < COT_OPERANDS; o++)
        if (lines->operands[o].data && reach(lines, &lines->operands[o]) > most)
            return true;
    return false;
}

void cot_cuda_arrange(cuda_problem *p, const cot_desc *desc, const cot_args *args)
{
    cot_lines lines;
    cuda_launch *k = &p->launch;
    cot_take_lines(&lines, desc, args);
    memset(p, 0, sizeof *p);
    p->op = cot_op_get(desc->op);
    p->element = desc->element;
    p->vector = VECTOR_BYTES / (int64_t)cot_element_size(desc->element);
    p->lines = lines.inner * lines.outer;
    p->wide = is_wide(&lines);
    k->n = lines.n, k->inner = lines.inner, k->outer = lines.outer;
    k->outer_rank = (uint32_t)lines.outer_rank;
    for (int i = 0; i < lines.outer_rank; i++)
        k->outer_shape[i] = lines.outer_shape[lines.outer_rank - 1 - i];
    k->backwards = p->op->family == COT_SCAN && !desc->reverse; /* gradients of scans run against them */
    memcpy(k->policies, &desc->policies, sizeof k->policies);
    k->param = desc->param, k->correction = desc->correction;
    take_operands(k, &lines);
    take_numbers(k, desc);
}

/* ---- what strategies ask --------------------------------------------------------------------- */

static bool groups_aligned(const cuda_problem *p, const cuda_operand *o)
{
    for (uint32_t i = 0; i < p->launch.outer_rank; i++)
        if (o->outer[i] % p->vector)
            return false;
    return (uintptr_t)o->data % VECTOR_BYTES == 0;
}

bool cot_cuda_vector_rows(const cuda_problem *p, const cuda_operand *o)
{
    return (o->along == 1 || p->launch.n == 1) && o->across % p->vector == 0 && groups_aligned(p, o);
}

bool cot_cuda_vector_columns(const cuda_problem *p, const cuda_operand *o)
{
    return (o->across == 1 || p->launch.inner == 1) && o->along % p->vector == 0 && groups_aligned(p, o);
}
