/* A walk over the cells of a result, and what its first wrong cell looks like. */
#include "walk.h"
#include "exhibit.h"

#include <math.h>

walk walk_begin(const problem *p, verdict *v) { return (walk){ .p = p, .v = v }; }

static void set_place(verdict *v, const cot_view *view, cot_operand out, int64_t index)
{
    v->operand = out;
    v->element = view->element;
    v->rank = view->rank;
    for (int d = view->rank - 1; d >= 0; d--) {
        v->index[d] = (int32_t)(index % view->shape[d]);
        index /= view->shape[d];
    }
}

static void set_inputs(verdict *v, const problem *p)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        const tensor *t = &p->tensors[o];
        int read = t->memory && !cot_is_output((cot_operand)o);
        v->inputs[o] = read ? cell_value(&t->view, exhibit_place(&t->view, v->index, -1, 0)) : (double)NAN;
        v->has_inputs |= read ? 1u << o : 0;
    }
}

int walk_fail(walk *w, reason why, const char *clause, cot_operand out, int64_t index, double got, double want)
{
    int first = verdict_fail(w->v, why, clause);
    if (w->marks && w->marks[out])
        w->marks[out][index] = 1;
    if (first) {
        set_place(w->v, &w->p->tensors[out].view, out, index);
        set_inputs(w->v, w->p);
        w->v->got = got;
        w->v->want = want;
        w->why = why;
    }
    w->wrong[why].desc = &w->p->c.desc;
    wrong_cells_add(&w->wrong[why], out, index);
    return first;
}

void walk_end(const walk *w)
{
    if (w->why && w->v->reason == w->why)
        w->v->pattern = wrong_cells_pattern(&w->wrong[w->why]);
}

void walk_join(walk *w, const walk *next)
{
    for (int r = 0; r < REASONS; r++)
        wrong_cells_join(&w->wrong[r], &next->wrong[r]);
    if (verdict_join(w->v, next->v))
        w->why = next->why;
}
