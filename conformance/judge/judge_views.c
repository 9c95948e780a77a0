/* Results in the host's memory, judged as if a backend had just written them. */
#include "judge_views.h"
#include "judge_clause.h"
#include "judge_lines.h"

static cot_status judge_as(const cot_desc *desc, const cot_view views[OPERANDS], cot_order claimed,
                           unsigned char *const marks[OPERANDS], verdict *v)
{
    /* no generator: nothing is known of the numbers */
    problem p = { .c = { .desc = *desc, .generator = -1 } };
    trial t = { .p = &p, .claim = { .order = claimed } };
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!cot_operand_used(cot_op_get(desc->op), (cot_operand)o))
            continue;
        t.memory[o] = views[o].data;
        t.marks[o] = marks[o];
        p.tensors[o] = (tensor){ .view = views[o], .memory = views[o].data, .owner = (cot_operand)o };
    }
    *v = (verdict){ 0 };
    cot_status status = judge_lines(&t, LEVEL_B, v);
    blame_by_line(&t, v);
    return status;
}

cot_status judge_and_mark(const cot_desc *desc, const cot_view views[OPERANDS], unsigned char *marks[OPERANDS],
                          verdict *v)
{
    return judge_as(desc, views, COT_ORDER_ANOTHER, marks, v);
}

cot_status judge_claimed(const cot_desc *desc, const cot_view views[OPERANDS], cot_order claimed, verdict *v)
{
    unsigned char *none[OPERANDS] = { 0 };
    return judge_as(desc, views, claimed, none, v);
}

cot_status judge_views(const cot_desc *desc, const cot_view views[OPERANDS], verdict *v)
{
    return judge_claimed(desc, views, COT_ORDER_ANOTHER, v);
}
