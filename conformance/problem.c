#include "problem.h"
#include "generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, GUARD_BYTE = 0xA5, UNWRITTEN_BYTE = 0xFF }; /* a NaN in every element type */

int is_output(cot_operand operand)
{
    return operand >= COT_DX;
}

/* ---- shapes and layouts ------------------------------------------------------------------------------------------- */

static int uses(const cot_op_info *op, cot_operand operand)
{
    int elementwise = op->family == COT_BINARY || op->family == COT_BINARY_PARAM;
    switch (operand) {
    case COT_DY: return 1;
    case COT_X: return !!(op->needs & COT_NEEDS_X);
    case COT_Y: return !!(op->needs & COT_NEEDS_Y);
    case COT_A: return !!(op->needs & COT_NEEDS_A);
    case COT_B: return !!(op->needs & COT_NEEDS_B);
    default: return elementwise == (operand != COT_DX);
    }
}

static void set_shape(cot_view *view, const cot_desc *d, cot_operand operand)
{
    view->element = d->element;
    view->rank = d->rank;
    memcpy(view->shape, d->shape, sizeof view->shape);
    if (cot_op_get(d->op)->family == COT_REDUCE && (operand == COT_DY || operand == COT_Y))
        view->shape[d->axis] = 1;
}

static void set_strides(cot_view *view, case_layout layout, cot_operand operand, int axis)
{
    int64_t next = layout == LAYOUT_SLICED ? 2 : 1;
    for (int i = 0; i < view->rank; i++) {
        int d = layout == LAYOUT_TRANSPOSED ? i : view->rank - 1 - i;
        view->strides[d] = next;
        next *= view->shape[d] ? view->shape[d] : 1;
        next = layout == LAYOUT_SLICED ? 2 * next : next;
    }
    if (layout == LAYOUT_BROADCAST && !is_output(operand))
        view->strides[axis == 0 && view->rank > 1 ? 1 : 0] = 0;
}

static int64_t reach(const cot_view *view)
{
    int64_t last = 0;
    for (int d = 0; d < view->rank; d++) {
        if (view->shape[d] == 0)
            return 0;
        last += (view->shape[d] - 1) * view->strides[d];
    }
    return last + 1;
}

int64_t cell_count(const cot_view *view)
{
    int64_t count = 1;
    for (int d = 0; d < view->rank; d++)
        count *= view->shape[d];
    return count;
}

int64_t cell_offset(const cot_view *view, int64_t index)
{
    int64_t offset = 0;
    for (int d = view->rank - 1; d >= 0; d--) {
        offset += index % view->shape[d] * view->strides[d];
        index /= view->shape[d];
    }
    return offset;
}

static void *cell_at(const cot_view *view, int64_t index)
{
    return (char *)view->data + (size_t)cell_offset(view, index) * cot_element_size(view->element);
}

double cell_value(const cot_view *view, int64_t index)
{
    return cot_cell_get(view->element, cell_at(view, index));
}

/* ---- filling ------------------------------------------------------------------------------------------------------ */

static int64_t along_axis(const cot_view *view, int axis, int64_t index)
{
    for (int d = view->rank - 1; d > axis; d--)
        index /= view->shape[d];
    return index % view->shape[axis];
}

static void fill(problem *p, cot_operand operand)
{
    cot_view *view = &p->tensors[operand].view;
    const cot_desc *desc = &p->c.desc;
    int64_t count = cell_count(view);
    for (int64_t i = 0; i < count; i++) {
        draw d = { p->c.seed, operand, desc->element, i, desc->shape[desc->axis], along_axis(view, desc->axis, i) };
        cot_cell_set(view->element, cell_at(view, i), generator_at(p->c.generator)->value(&d));
    }
}

/* The saved extremum must be one: NaN where a line holds one, as every framework's forward has it. */
static void save_extremum(problem *p, double sign)
{
    const cot_view *x = &p->tensors[COT_X].view, *y = &p->tensors[COT_Y].view;
    int axis = p->c.desc.axis;
    int64_t inner = 1, n = x->shape[axis], lines = cell_count(y);
    for (int d = axis + 1; d < x->rank; d++)
        inner *= x->shape[d];
    for (int64_t line = 0; line < lines && n > 0; line++) {
        int64_t first = line / inner * inner * n + line % inner;
        double best = cell_value(x, first);
        for (int64_t i = 1; i < n; i++) {
            double v = cell_value(x, first + i * inner);
            best = isnan(v) || sign * v > sign * best ? v : best;
        }
        cot_cell_set(y->element, cell_at(y, line), best);
    }
}

static void fill_saves(problem *p)
{
    if (p->c.desc.op == COT_MAX)
        save_extremum(p, 1);
    if (p->c.desc.op == COT_MIN)
        save_extremum(p, -1);
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

static int make_tensor(problem *p, cot_operand operand)
{
    tensor *t = &p->tensors[operand];
    size_t size = cot_element_size(p->c.desc.element), shift = p->c.layout == LAYOUT_OFFSET ? size : 0;
    set_shape(&t->view, &p->c.desc, operand);
    set_strides(&t->view, p->c.layout, operand, p->c.desc.axis);
    t->view.length = reach(&t->view);
    t->bytes = 2 * GUARD + shift + (size_t)t->view.length * size;
    t->memory = malloc(t->bytes);
    t->before = malloc(t->bytes);
    if (!t->memory || !t->before)
        return -1;
    memset(t->memory, GUARD_BYTE, t->bytes);
    t->view.data = t->memory + GUARD + shift;
    return 0;
}

static void point_args(problem *p)
{
    const cot_view **const slots[] = { &p->args.dy, &p->args.x, &p->args.y, &p->args.a,
                                       &p->args.b, &p->args.dx, &p->args.da, &p->args.db };
    p->args.size = sizeof p->args;
    for (int o = COT_DY; o <= COT_DB; o++)
        *slots[o - COT_DY] = p->tensors[o].memory ? &p->tensors[o].view : NULL;
}

int problem_make(problem *p, const test_case *c)
{
    memset(p, 0, sizeof *p);
    p->c = *c;
    for (int o = COT_DY; o <= COT_DB; o++) {
        if (!uses(cot_op_get(c->desc.op), (cot_operand)o))
            continue;
        if (make_tensor(p, (cot_operand)o)) {
            problem_free(p);
            return -1;
        }
        if (!is_output((cot_operand)o))
            fill(p, (cot_operand)o);
        else
            for (int64_t i = 0, n = cell_count(&p->tensors[o].view); i < n; i++)
                memset(cell_at(&p->tensors[o].view, i), UNWRITTEN_BYTE, cot_element_size(c->desc.element));
    }
    fill_saves(p);
    for (int o = COT_DY; o <= COT_DB; o++)
        if (p->tensors[o].memory)
            memcpy(p->tensors[o].before, p->tensors[o].memory, p->tensors[o].bytes);
    point_args(p);
    return 0;
}

void problem_free(problem *p)
{
    for (int o = COT_DY; o <= COT_DB; o++) {
        free(p->tensors[o].memory);
        free(p->tensors[o].before);
    }
    memset(p, 0, sizeof *p);
}

int64_t problem_damage(const problem *p)
{
    int64_t damage = 0;
    size_t size = cot_element_size(p->c.desc.element);
    for (int o = COT_DY; o <= COT_DB; o++) {
        const tensor *t = &p->tensors[o];
        if (!t->memory)
            continue;
        unsigned char *expected = t->before;
        for (int64_t i = 0, n = is_output((cot_operand)o) ? cell_count(&t->view) : 0; i < n; i++) {
            size_t at = (size_t)((unsigned char *)cell_at(&t->view, i) - t->memory);
            memcpy(expected + at, t->memory + at, size); /* an output's own cells may change */
        }
        for (size_t i = 0; i < t->bytes; i++)
            damage += expected[i] != t->memory[i];
    }
    return damage;
}
