#include "problem.h"
#include "generate.h"
#include "operand.h"

#include <stdlib.h>
#include <string.h>

const paint first_paint = { 0xA5, 0xFF, 0, 0 }, second_paint = { 0xFF, 0x35, 1, 0 }, bare_paint = { 0xFF, 0x35, 1, 1 }; /* 0xFF: NaN */

/* ---- shapes and layouts ------------------------------------------------------------------------------------------- */

static void set_shape(cot_view *view, const cot_desc *d, cot_operand operand)
{
    view->element = d->element;
    view->rank = d->rank;
    operand_shape(d, operand, view->shape);
}

/* The dimension that a broadcast input repeats: not the axis, whose cells are a line's. -1: there is none. */
static int repeated_dimension(const cot_desc *d)
{
    if (!has_axis(cot_op_get(d->op)) || d->axis > 0)
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
    if (layout == LAYOUT_BROADCAST && !is_output(operand) && repeated >= 0)
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

static void fill(problem *p, cot_operand operand)
{
    cot_view *view = &p->tensors[operand].view;
    const cot_desc *desc = &p->c.desc;
    int axis = has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    int64_t count = cell_count(view), inner = 1;
    for (int d = axis + 1; d < view->rank; d++)
        inner *= view->shape[d];
    for (int64_t i = 0; i < count; i++) {
        draw d = { p->c.seed, operand, desc->element, i, view->shape[axis], i / inner % view->shape[axis], 0 };
        d.line = i / inner / view->shape[axis] * inner + i % inner;
        generate(p->c.generator, &d, cell_at(view, i));
    }
}

/* A saved y is what the forward made of x; a softmax reads y alone, so there it is made in place of what was drawn. A
 * dimension that is repeated is made once. An extremum over no cells does not exist, and is not read either. */
static void fill_saves(problem *p)
{
    keep_y keeps = generator_at(p->c.generator)->keeps_y;
    if (!p->tensors[COT_Y].memory || keeps == KEEP_Y || (keeps == KEEP_SOFTMAX_Y && !p->tensors[COT_X].memory))
        return;
    cot_desc desc = p->c.desc;
    cot_view y = p->tensors[COT_Y].view, x = p->tensors[COT_X].memory ? p->tensors[COT_X].view : y;
    int repeated = repeated_dimension(&desc);
    if (p->c.layout == LAYOUT_BROADCAST && repeated >= 0 && desc.shape[repeated] > 0)
        desc.shape[repeated] = x.shape[repeated] = y.shape[repeated] = 1;
    cot_args forward = { COT_SIZED(cot_args), .x = &x, .y = &y };
    cot_forward(&desc, &forward, NULL);
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

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
    const cot_view **const slots[] = { &p->args.dy, &p->args.x, &p->args.y, &p->args.a,
                                       &p->args.b, &p->args.dx, &p->args.da, &p->args.db };
    p->args.size = sizeof p->args;
    for (int o = COT_DY; o < OPERANDS; o++)
        *slots[o - COT_DY] = p->tensors[o].memory ? &p->tensors[o].view : NULL;
}

/* Of one that owns its memory. */
static void paint_tensor(const problem *p, cot_operand operand, paint colour, unsigned char *image)
{
    const tensor *t = &p->tensors[operand];
    size_t size = cot_element_size(p->c.desc.element);
    int unread = colour.junk && operand == COT_Y && cot_op_get(p->c.desc.op)->needs & COT_Y_UNREAD; /* VAR-SAVE */
    int64_t cells = unread ? 0 : cell_count(&t->view);
    memset(image, colour.guard, t->bytes);
    for (int64_t i = 0; i < cells; i++) {
        size_t at = (size_t)((unsigned char *)cell_at(&t->view, i) - t->memory);
        is_output(operand) ? memset(image + at, colour.unwritten, size) : memmove(image + at, t->memory + at, size);
    }
}

int problem_make(problem *p, const test_case *c)
{
    memset(p, 0, sizeof *p);
    p->c = *c;
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!operand_used(cot_op_get(c->desc.op), (cot_operand)o))
            continue;
        if (make_tensor(p, (cot_operand)o)) {
            problem_free(p);
            return -1;
        }
        if (is_output((cot_operand)o) && p->tensors[o].owner == (cot_operand)o)
            paint_tensor(p, (cot_operand)o, first_paint, p->tensors[o].memory);
        if (is_output((cot_operand)o))
            continue;
        memset(p->tensors[o].memory, first_paint.guard, p->tensors[o].bytes);
        fill(p, (cot_operand)o);
    }
    fill_saves(p);
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

/* ---- what a run sees and leaves ----------------------------------------------------------------------------------- */

unsigned char *problem_image(const problem *p, cot_operand operand, paint colour)
{
    unsigned char *image = malloc(p->tensors[operand].bytes);
    if (image)
        paint_tensor(p, operand, colour, image);
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

int64_t problem_damage(const problem *p, cot_operand operand, paint colour, const unsigned char *after)
{
    const tensor *t = &p->tensors[operand];
    size_t size = cot_element_size(p->c.desc.element);
    unsigned char *expected = problem_image(p, operand, colour);
    if (!expected)
        return -1;
    for (int64_t i = 0, cells = written(p, operand) ? cell_count(&t->view) : 0; i < cells; i++) {
        size_t at = (size_t)((unsigned char *)cell_at(&t->view, i) - t->memory);
        memcpy(expected + at, after + at, size); /* these may change */
    }
    int64_t damage = 0;
    for (size_t i = 0; i < t->bytes; i++)
        damage += expected[i] != after[i];
    free(expected);
    return damage;
}
