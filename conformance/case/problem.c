/* A case's operands: laid out, filled, with guards around them, and compared with what a run has left. */
#include "problem.h"
#include "generate.h"
#include "operand.h"

#include <stdlib.h>
#include <string.h>

const fill_pattern first_fill = { 0xA5, 0xFF, 0, 0 }, second_fill = { 0xFF, 0x35, 1, 0 },
                   bare_fill = { 0xFF, 0x35, 1, 1 }; /* 0xFF: NaN */

/* ---- shapes and layouts ---------------------------------------------------------------------- */

static void set_shape(cot_view *view, const cot_desc *d, cot_operand operand)
{
    view->element = d->element;
    view->rank = d->rank;
    cot_operand_shape(d, operand, view->shape);
}

/* The dimension that a broadcast input repeats: not the axis, whose cells are a line's. -1: there is none. */
static int repeated_dimension(const cot_desc *d)
{
    if (!cot_has_axis(cot_op_get(d->op)) || d->axis > 0)
        return 0;
    return d->rank > 1 ? 1 : -1;
}

static void set_strides(cot_view *view, case_layout layout, cot_operand operand, int repeated)
{
    int64_t next = layout == LAYOUT_SLICED ? 2 : 1;
    for (int i = 0; i < view->rank; i++) {
        int d = layout == LAYOUT_TRANSPOSED ? i : view->rank - 1 - i;
        view->strides[d] = next;
        next *= view->shape[d] ? view->shape[d] : 1;
        next = layout == LAYOUT_SLICED ? 2 * next : next;
    }
    if (layout == LAYOUT_BROADCAST && !cot_is_output(operand) && repeated >= 0)
        view->strides[repeated] = 0;
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

static void *cell_at(const cot_view *view, int64_t index)
{
    return (char *)view->data + (size_t)cot_cell_offset(view, index) * cot_element_size(view->element);
}

double cell_value(const cot_view *view, int64_t index) { return cot_cell_get(view->element, cell_at(view, index)); }

/* Cells one after the other that lie at equal distances: the innermost dimension that has more than one of them. */
typedef struct row {
    int64_t count;
    ptrdiff_t step; /* in bytes */
} row;

static row row_of(const cot_view *view)
{
    int d = view->rank - 1;
    while (d > 0 && view->shape[d] == 1)
        d--;
    return (row){ view->shape[d], (ptrdiff_t)view->strides[d] * (ptrdiff_t)cot_element_size(view->element) };
}

/* ---- filling --------------------------------------------------------------------------------- */

static void fill(problem *p, cot_operand operand)
{
    cot_view *view = &p->tensors[operand].view;
    const cot_desc *desc = &p->c.desc;
    int axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    int64_t count = cell_count(view), inner = cot_cell_count(view->rank - axis - 1, view->shape + axis + 1);
    int64_t n = view->shape[axis];
    for (int64_t i = 0, line = 0; i < count; line += inner)
        for (int64_t along = 0; along < n; along++)
            for (int64_t k = 0; k < inner; k++, i++) {
                draw d = { p->c.seed, operand, desc->element, i, n, along, line + k };
                generate(p->c.generator, &d, cell_at(view, i));
            }
}

/* A saved y is what the forward made of x; a softmax reads y alone, so there it is made in place of what was drawn. A
 * dimension that is repeated is made once. An extremum over no cells does not exist, and is not read either. Not 0:
 * there is no memory for it. */
static int fill_saves(problem *p)
{
    keep_y keeps = generator_at(p->c.generator)->keeps_y;
    if (!p->tensors[COT_Y].memory || keeps == KEEP_Y || (keeps == KEEP_SOFTMAX_Y && !p->tensors[COT_X].memory))
        return 0;
    cot_desc desc = p->c.desc;
    cot_view y = p->tensors[COT_Y].view, x = p->tensors[COT_X].memory ? p->tensors[COT_X].view : y;
    int repeated = repeated_dimension(&desc);
    if (p->c.layout == LAYOUT_BROADCAST && repeated >= 0 && desc.shape[repeated] > 0)
        desc.shape[repeated] = x.shape[repeated] = y.shape[repeated] = 1;
    cot_args forward = { COT_SIZED(cot_args), .x = &x, .y = &y };
    return cot_forward(&desc, &forward, NULL) == COT_INTERNAL;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int aliased(const problem *p, cot_operand operand)
{
    return p->c.alias && operand == alias_output(cot_op_get(p->c.desc.op), p->c.alias);
}

static int make_tensor(problem *p, cot_operand operand)
{
    tensor *t = &p->tensors[operand];
    size_t size = cot_element_size(p->c.desc.element), shift = p->c.layout == LAYOUT_OFFSET ? size : 0;
    set_shape(&t->view, &p->c.desc, operand);
    if (aliased(p, operand)) {
        *t = p->tensors[p->c.alias];
        return 0;
    }
    set_strides(&t->view, p->c.layout, operand, repeated_dimension(&p->c.desc));
    t->owner = operand;
    t->view.length = reach(&t->view);
    t->bytes = 2 * GUARD + shift + (size_t)t->view.length * size;
    t->memory = malloc(t->bytes);
    t->view.data = t->memory + GUARD + shift;
    return t->memory ? 0 : -1;
}

static void point_tensors(problem *p)
{
    p->args.size = sizeof p->args;
    for (int o = COT_DY; o < OPERANDS; o++)
        *args_slot(&p->args, (cot_operand)o) = p->tensors[o].memory ? &p->tensors[o].view : NULL;
}

/* Of one that owns its memory. */
static void fill_tensor(const problem *p, cot_operand operand, fill_pattern fill, unsigned char *image)
{
    const tensor *t = &p->tensors[operand];
    size_t size = cot_element_size(p->c.desc.element);
    int unread = fill.junk && operand == COT_Y && cot_op_get(p->c.desc.op)->needs & COT_Y_UNREAD; /* VAR-SAVE */
    int64_t cells = unread ? 0 : cell_count(&t->view);
    row r = row_of(&t->view);
    memset(image, fill.guard, t->bytes);
    for (int64_t i = 0; i < cells; i += r.count) {
        ptrdiff_t at = (unsigned char *)cell_at(&t->view, i) - t->memory;
        for (int64_t k = 0; k < r.count; k++, at += r.step)
            cot_is_output(operand) ? memset(image + at, fill.unwritten, size)
                                   : memmove(image + at, t->memory + at, size);
    }
}

int problem_make(problem *p, const test_case *c)
{
    memset(p, 0, sizeof *p);
    p->c = *c;
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!cot_operand_used(cot_op_get(c->desc.op), (cot_operand)o))
            continue;
        if (make_tensor(p, (cot_operand)o)) {
            problem_free(p);
            return -1;
        }
        if (cot_is_output((cot_operand)o) && p->tensors[o].owner == (cot_operand)o)
            fill_tensor(p, (cot_operand)o, first_fill, p->tensors[o].memory);
        if (cot_is_output((cot_operand)o))
            continue;
        memset(p->tensors[o].memory, first_fill.guard, p->tensors[o].bytes);
        fill(p, (cot_operand)o);
    }
    if (fill_saves(p)) {
        problem_free(p);
        return -1;
    }
    point_tensors(p);
    return 0;
}

void problem_free(problem *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (p->tensors[o].owner == (cot_operand)o)
            free(p->tensors[o].memory);
    memset(p, 0, sizeof *p);
}

/* ---- what a run sees and leaves -------------------------------------------------------------- */

unsigned char *problem_image(const problem *p, cot_operand operand, fill_pattern fill)
{
    unsigned char *image = malloc(p->tensors[operand].bytes);
    if (image)
        fill_tensor(p, operand, fill, image);
    return image;
}

/* Whether a run may write the cells of this memory: an output's, and an input's that an output is. */
static int written(const problem *p, cot_operand operand)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        if (p->tensors[o].memory && p->tensors[o].owner == operand)
            return 1;
    return 0;
}

static int64_t differences(const unsigned char *one, const unsigned char *other, size_t bytes)
{
    int64_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += one[i] != other[i];
    return count;
}

int64_t problem_damage(const problem *p, cot_operand operand, const unsigned char *before, const unsigned char *after)
{
    const tensor *t = &p->tensors[operand];
    int64_t damage = differences(before, after, t->bytes);
    size_t size = cot_element_size(p->c.desc.element);
    row r = row_of(&t->view);
    for (int64_t i = 0, cells = written(p, operand) ? cell_count(&t->view) : 0; i < cells; i += r.count) {
        ptrdiff_t at = (unsigned char *)cell_at(&t->view, i) - t->memory;
        for (int64_t k = 0; k < r.count; k++, at += r.step)
            damage -= differences(before + at, after + at, size); /* these may change */
    }
    return damage;
}
