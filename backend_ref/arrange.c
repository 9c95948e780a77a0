/* From descriptor and views to a ref_problem: how its lines are walked. */
#include "internal.h"
#include "problem.h"

#include <string.h>

enum {
    NARROWEST = 16,        /* fewer lines side by side are better walked one by one */
    SHORT_SCAN = 512,      /* a scan's cells depend on each other: short lines are turned, and walked side by side */
    WORTH_A_THREAD = 1 << 13, /* cells; waking one costs a microsecond or two */
};

static void take_lines(ref_problem *p, const cot_lines *lines)
{
    p->n = lines->n, p->inner = lines->inner, p->outer = lines->outer;
    p->outer_rank = lines->outer_rank;
    memcpy(p->outer_shape, lines->outer_shape, sizeof p->outer_shape);
    memcpy(p->operands, lines->operands, sizeof p->operands);
}

/* Lines of a scan that fill tiles of 1,024 cells. A recurrence has no loops for them. */
static bool packs(const ref_problem *p)
{
    for (int o = COT_DY; o <= COT_DB; o++)
        if (p->operands[o].data && (p->operands[o].along != 1 || p->operands[o].across != p->n))
            return false;
    return p->scans && p->op != COT_LOGCUMSUMEXP && p->n >= 32 && p->n < 1024 && 1024 % p->n == 0 && p->n * p->inner >= 1024;
}

void cot_ref_arrange(ref_problem *p, const cot_desc *desc, const cot_args *args, int threads, int64_t stream)
{
    const cot_op_info *op = cot_op_get(desc->op);
    bool elementwise = cot_elementwise(op->family);
    cot_lines lines;
    cot_take_lines(&lines, desc, args);
    memset(p, 0, sizeof *p);
    take_lines(p, &lines);
    p->op = desc->op, p->element = desc->element;
    p->policies = desc->policies;
    p->correction = desc->correction, p->weight = desc->param;
    const ref_operand *out = cot_lines_output(&lines);
    p->backwards = op->family == COT_SCAN && !desc->reverse; /* gradients of scans run against them */
    bool many = !elementwise && p->inner >= NARROWEST, across = p->n == 1 || out->across < out->along;
    p->folds = op->order == COT_ORDER_FOLD;
    p->averages = p->folds && op->family == COT_REDUCE;
    p->scans = op->order == COT_ORDER_SCAN;
    p->wins = p->op == COT_CUMMAX || p->op == COT_CUMMIN;
    p->packed = packs(p);
    p->turned = many && !across && p->scans && !p->packed && p->n <= SHORT_SCAN;
    p->columns = (many && across) || p->turned;
    int64_t worth = p->n * p->inner * p->outer / WORTH_A_THREAD;
    p->threads = worth < 2 ? 1 : worth < threads ? (int)worth : threads;
    p->stream = p->n * p->inner * p->outer * (int64_t)cot_element_size(p->element) > stream;
}
