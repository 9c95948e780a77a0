#include "judge_files.h"
#include "judge_lines.h"

cot_status judge_views(const cot_desc *desc, const cot_view views[OPERANDS], verdict *v)
{
    problem p = { .c = { .desc = *desc } };
    trial t = { .p = &p };
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!operand_used(cot_op_get(desc->op), (cot_operand)o))
            continue;
        t.memory[o] = views[o].data;
        p.tensors[o] = (tensor){ .view = views[o], .memory = views[o].data, .owner = (cot_operand)o };
    }
    *v = (verdict){ 0 };
    return judge_lines(&t, LEVEL_B, v);
}
