/* Takes the line that is looked at out of its scene, and asks the judge about it. */
#include "own_line.h"
#include "conformance/judge/judge_clause.h"
#include "conformance/judge/walk.h"
#include "conformance/truth/truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fill(own_line *l, cot_operand o, const double *cells)
{
    tensor *tensor = &l->p.tensors[o];
    cot_element element = l->p.c.desc.element;
    if (operand_make(&l->p.c.desc, o, &tensor->view))
        return -1;
    tensor->owner = o;
    tensor->memory = l->t.memory[o] = tensor->view.data;
    for (int64_t i = 0; i < cell_count(&tensor->view); i++)
        cot_cell_set(element, tensor->memory + (size_t)i * cot_element_size(element), cells[i]);
    if (cot_is_output(o))
        l->t.marks[o] = calloc((size_t)cell_count(&tensor->view) + 1, 1);
    return cot_is_output(o) && !l->t.marks[o] ? -1 : 0;
}

int own_line_make(own_line *l, const scene *s, double *const given[OPERANDS])
{
    int missing = 0;
    *l = (own_line){ .p = { .c = s->c } };
    l->p.c.generator = -1; /* somebody's own numbers: nothing is known of them */
    l->p.c.layout = LAYOUT_CONTIG;
    l->p.c.desc.rank = 1;
    l->p.c.desc.axis = cot_has_axis(cot_op_get(s->c.desc.op)) ? 0 : s->c.desc.axis;
    l->p.c.desc.shape[0] = s->n;
    l->t.p = &l->p;
    l->t.claim = (cot_guarantee){ .order = COT_ORDER_FOLD };
    for (int o = COT_DY; o < OPERANDS && !missing; o++) {
        double *cells = given && given[o] ? given[o] : s->values[o];
        if (cells && cot_operand_used(cot_op_get(s->c.desc.op), (cot_operand)o))
            missing = fill(l, (cot_operand)o, cells);
    }
    return missing;
}

void own_line_free(own_line *l)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        free(l->p.tensors[o].memory);
        free(l->t.marks[o]);
    }
}

/* MAX-TIE, CUMMAX-TIE: no cell shows by itself that it ties, so the judge names these clauses by the whole line. */
static const char *tie_clause(const own_line *l, int cell)
{
    const cot_op_info *op = cot_op_get(l->p.c.desc.op);
    int scans = op->kind == COT_KIND_WINNER, ties = 0;
    if (!scans && op->op != COT_MAX && op->op != COT_MIN)
        return NULL;
    const cot_view *x = &l->p.tensors[COT_X].view;
    double here = cell_value(x, cell);
    int wins = scans || here == cell_value(&l->p.tensors[COT_Y].view, 0);
    for (int64_t i = 0; i < x->shape[0]; i++)
        ties += i != cell && cell_value(x, i) == here;
    return !wins || !ties ? NULL : scans ? "CUMMAX-TIE" : "MAX-TIE";
}

const char *own_line_clause(const own_line *l, cot_operand output, int cell, double want)
{
    verdict v = { 0 };
    walk cells = walk_begin(&l->p, &v);
    double got = isfinite(want) && want != 0 ? -want : 1; /* a number that is wrong in no way that has a name */
    const char *formula = truth_clause(l->p.c.desc.op), *own = formula, *tie = tie_clause(l, cell);
    if (walk_fail(&cells, REASON_EDGE, formula, output, cell, got, want))
        own = cell_clause(&v, LEVEL_B, &l->p);
    walk_end(&cells);
    return tie && !strcmp(own, formula) ? tie : own;
}
