/* From descriptor and views to a ref_problem: how its lines are walked. */
#include "core/formula/spec.h"
#include "core/internal.h"
#include "ref_problem.h"

#include <string.h>

enum {
    NARROWEST = 16,   /* fewer lines side by side are better walked one by one */
    SHORT_SCAN = 512, /* a scan's cells depend on each other: short lines are transposed, and walked side by side */
    WORTH_A_THREAD = 1 << 13, /* cells; waking one costs a microsecond or two */
};

/* Lines of a scan that fill whole tiles. A recurrence has no loops for them. */
static bool packs(const ref_problem *p)
{
    for (int o = COT_DY; o < COT_OPERANDS; o++)
        if (p->lines.operands[o].data && (p->lines.operands[o].along != 1 || p->lines.operands[o].across != p->lines.n))
            return false;
    return p->scans && !p->recurs && p->lines.n >= COT_SEGMENT && p->lines.n < COT_TILE && COT_TILE % p->lines.n == 0
           && p->lines.n * p->lines.inner >= COT_TILE;
}

void cot_ref_arrange(ref_problem *p, const cot_desc *desc, const cot_args *args, int threads, int64_t stream)
{
    const cot_op_info *op = cot_op_get(desc->op);
    memset(p, 0, sizeof *p);
    cot_take_lines(&p->lines, desc, args);
    p->op = desc->op, p->element = desc->element;
    p->policies = desc->policies;
    p->correction = desc->correction, p->weight = desc->param;
    const ref_operand *out = &p->lines.operands[p->lines.output];
    p->backwards = cot_op_takes(op, COT_TAKES_REVERSE) && !desc->reverse; /* gradients of scans run against them */
    bool many = cot_has_axis(op) && p->lines.inner >= NARROWEST, across = p->lines.n == 1 || out->across < out->along;
    p->folds = op->order == COT_ORDER_FOLD;
    p->averages = p->folds && cot_operand_reduced(op, COT_DY);
    p->scans = op->order == COT_ORDER_SCAN;
    p->wins = op->kind == COT_KIND_WINNER;
    p->recurs = op->kind == COT_KIND_RECURRENCE;
    p->packed = packs(p);
    p->transposed = many && !across && p->scans && !p->packed && p->lines.n <= SHORT_SCAN;
    p->columns = (many && across) || p->transposed;
    int64_t worth = p->lines.n * p->lines.inner * p->lines.outer / WORTH_A_THREAD;
    p->threads = worth < 2 ? 1 : worth < threads ? (int)worth : threads;
    p->stream = p->lines.n * p->lines.inner * p->lines.outer * (int64_t)cot_element_size(p->element) > stream;
}
