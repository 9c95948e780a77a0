/* Makes the cases that a failed one is compared with, each different in one thing. */
#include "circumstances.h"
#include "exhibit.h"

#include <string.h>

int leave_out_foreign(const test_case *c, test_case *plain)
{
    const cot_op_info *op = cot_op_get(c->desc.op);
    const cot_policy_info *policy;
    *plain = *c;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (!(op->policies >> i & 1))
            ((uint8_t *)&plain->desc.policies)[policy->offset] = policy->conventions[COT_CONVENTION_SPEC];
    if (!cot_op_takes(op, COT_TAKES_REVERSE))
        plain->desc.reverse = 0;
    if (!cot_op_takes(op, COT_TAKES_PARAM))
        plain->desc.param = 0;
    if (!(op->traits & COT_OP_CORRECTS))
        plain->desc.correction = 0;
    return memcmp(&plain->desc, &c->desc, sizeof c->desc) != 0;
}

static void copy_line(const problem *p, const verdict *v, int axis, problem *q)
{
    size_t size = cot_element_size(p->c.desc.element);
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *from = &p->tensors[o].view, *to = &q->tensors[o].view;
        for (int64_t i = 0, cells = q->tensors[o].memory ? cell_count(to) : 0; i < cells; i++)
            memcpy((char *)to->data + (size_t)cot_cell_offset(to, i) * size,
                   (char *)from->data + (size_t)cot_cell_offset(from, exhibit_place(from, v->index, axis, i)) * size,
                   size);
    }
}

int take_line_alone(const problem *p, const verdict *v, problem *q)
{
    test_case c = p->c;
    int axis = cot_has_axis(cot_op_get(c.desc.op)) ? c.desc.axis : -1;
    int32_t n = axis < 0 ? 1 : c.desc.shape[axis];
    *q = (problem){ 0 };
    if (cot_cell_count(c.desc.rank, c.desc.shape) == n && c.desc.rank == 1)
        return 0;
    c.desc.rank = 1;
    c.desc.axis = 0;
    c.desc.shape[0] = n;
    c.layout = LAYOUT_CONTIG;
    c.alias = COT_NO_OPERAND;
    if (problem_make(q, &c))
        return -1;
    copy_line(p, v, axis, q);
    return 1;
}
