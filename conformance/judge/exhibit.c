/* Takes a line out of its tensors, and judges it as the answer to other questions. */
#include "exhibit.h"
#include "judge_lines.h"

#include <math.h>
#include <stdlib.h>

enum {
    LONGEST = 1 << 18, /* cells of a line that is looked at for its sum */
    JUDGED = 1 << 16,  /* and of one that is judged a dozen times over */
    AROUND = 128       /* cells to either side of a wrong one, where each is a problem of its own */
};

/* ---- a line ---------------------------------------------------------------------------------- */

int64_t exhibit_place(const cot_view *view, const int32_t *index, int axis, int64_t along)
{
    int64_t cell = 0;
    for (int d = 0; d < view->rank; d++)
        cell = cell * view->shape[d] + (view->shape[d] == 1 ? 0 : d == axis ? along : index[d]);
    return cell;
}

/* Along the axis; without one the cells around the wrong one, each a problem of its own. */
static int take(exhibit *e, const cot_view *view, cot_operand o, const verdict *v, int axis)
{
    int64_t n = axis < 0 ? e->n : view->shape[axis];
    int64_t first = axis < 0 ? exhibit_place(view, v->index, -1, 0) - e->at : 0;
    double *cells = e->cells[o] = calloc((size_t)n + 1, sizeof *cells);
    for (int64_t i = 0; cells && i < n; i++)
        cells[i] = cell_value(view, axis < 0 ? first + i : exhibit_place(view, v->index, axis, i));
    return cells ? 0 : -1;
}

static exhibit measure(const cot_desc *desc, const verdict *v, int axis)
{
    exhibit e = { .desc = *desc };
    int64_t cells = cot_cell_count(desc->rank, desc->shape), cell = 0;
    for (int d = 0; d < desc->rank; d++)
        cell = cell * desc->shape[d] + v->index[d];
    e.at = axis < 0 ? cell < AROUND ? cell : AROUND : v->index[axis];
    e.n = axis < 0 ? e.at + (cells - cell < AROUND ? cells - cell : AROUND) : desc->shape[axis];
    e.desc.rank = 1;
    e.desc.axis = 0;
    e.desc.shape[0] = (int32_t)e.n;
    return e;
}

int exhibit_make(exhibit *e, const trial *t, const verdict *v)
{
    const cot_desc *desc = &t->p->c.desc;
    int axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : -1, missing = 0,
        longest = v->reason == REASON_SUM ? LONGEST : JUDGED;
    *e = measure(desc, v, axis);
    for (int o = COT_DY; o < OPERANDS && e->n <= longest; o++) {
        cot_view result = t->p->tensors[o].view;
        if (t->p->tensors[o].memory && cot_is_output((cot_operand)o))
            result = trial_view(t, (cot_operand)o);
        if (t->p->tensors[o].memory)
            missing |= take(e, &result, (cot_operand)o, v, axis);
    }
    return missing || e->n > longest ? -1 : 0;
}

void exhibit_free(exhibit *e)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(e->cells[o]);
    *e = (exhibit){ 0 };
}

double exhibit_cell(const exhibit *e, cot_operand operand, int64_t i)
{
    int reduced = cot_op_get(e->desc.op)->family == COT_REDUCE && (operand == COT_DY || operand == COT_Y);
    return e->cells[operand] ? e->cells[operand][reduced ? 0 : i] : (double)NAN;
}

/* ---- other questions ------------------------------------------------------------------------- */

static int lay_out(const exhibit *e, const cot_desc *desc, exhibit_change *change, problem *p, trial *t)
{
    size_t size = cot_element_size(desc->element);
    for (int o = COT_DY; o < OPERANDS; o++) {
        cot_view *view = &p->tensors[o].view;
        if (!e->cells[o])
            continue;
        if (operand_make(desc, (cot_operand)o, view))
            return -1;
        p->tensors[o].memory = t->memory[o] = view->data;
        p->tensors[o].owner = (cot_operand)o;
        for (int64_t i = 0; i < cell_count(view); i++) {
            double number = e->cells[o][i];
            int changes = change && !cot_is_output((cot_operand)o);
            cot_cell_set(desc->element, (char *)view->data + (size_t)i * size, changes ? change(desc, number) : number);
        }
    }
    return 0;
}

int exhibit_is_right_for(const exhibit *e, const cot_desc *desc, exhibit_change *change)
{
    problem p = { .c = { .desc = *desc } };
    trial t = { .p = &p };
    verdict v = { 0 };
    int right = e->n <= JUDGED && !lay_out(e, desc, change, &p, &t) && !judge_lines(&t, LEVEL_B, &v) && v.cells
                && !v.failed && v.unjudged_cells < v.cells;
    for (int o = COT_DY; o < OPERANDS; o++)
        free(p.tensors[o].memory);
    return right;
}
