/* Makes a case real for the page, and edits it a cell at a time. */
#include "scene.h"
#include "conformance/case/device_run.h"
#include "conformance/case/digest.h"
#include "conformance/case/generate.h"
#include "conformance/case/problem.h"
#include "conformance/judge/verdict.h"

#include <stdlib.h>
#include <string.h>

/* ---- geometry -------------------------------------------------------------------------------- */

static int64_t extent(const scene *s, cot_operand operand)
{
    return s->view[operand].rank ? s->view[operand].shape[s->axis] : 0;
}

int64_t scene_count(const scene *s, cot_operand operand) { return s->lines ? extent(s, operand) : 0; }

static void *cell_of(const scene *s, cot_operand operand, int64_t i)
{
    int64_t index = s->line / s->inner * s->inner * extent(s, operand) + s->line % s->inner + i * s->inner;
    return (char *)s->view[operand].data + (size_t)index * cot_element_size(s->c.desc.element);
}

static void measure(scene *s)
{
    line_shape l = lines_of(&s->c.desc);
    s->axis = l.axis, s->n = l.n, s->lines = l.count;
    s->inner = l.inner ? l.inner : 1; /* a divisor */
}

/* ---- filling --------------------------------------------------------------------------------- */

/* The case's own numbers. In a problem of the suite some cells may share their memory, and the last one drawn counts:
 * so the numbers take the same way here, through a view of that layout. */
static void draw_cells(const scene *s, cot_operand drawn, const cot_view *laid_out)
{
    int64_t extent_here = laid_out->shape[s->axis];
    for (int64_t i = 0, count = cell_count(laid_out); i < count; i++) {
        draw d = { s->c.seed, drawn, s->c.desc.element, i, extent_here, i / s->inner % extent_here, 0 };
        d.line = i / s->inner / extent_here * s->inner + i % s->inner;
        generate(s->c.generator, &d,
                 (char *)laid_out->data + (size_t)cot_cell_offset(laid_out, i) * cot_element_size(s->c.desc.element));
    }
}

static void copy_cells(const cot_view *from, const cot_view *to)
{
    size_t size = cot_element_size(from->element);
    for (int64_t i = 0, count = cell_count(from); i < count; i++)
        cot_cell_set(to->element, (char *)to->data + (size_t)i * size, cell_value(from, i));
}

/* A softmax keeps y alone, and the suite makes it of what it drew for y: that was x. */
static int recover_x(scene *s, const problem *p)
{
    cot_view drawn = p->tensors[COT_Y].view;
    drawn.data = calloc((size_t)drawn.length + 1, cot_element_size(drawn.element));
    if (!drawn.data)
        return -1;
    draw_cells(s, COT_Y, &drawn);
    copy_cells(&drawn, &s->view[COT_X]);
    free(drawn.data);
    return 0;
}

/* Some cases save another y than the forward's. It is then an input. */
static void keep_foreign_y(scene *s, const problem *p)
{
    cot_args args;
    const tensor *saved = &p->tensors[COT_Y];
    point_args(&args, s->view);
    if (!saved->memory || !s->n || cot_forward(&s->c.desc, &args, NULL))
        return;
    for (int64_t i = 0, count = cell_count(&saved->view); i < count; i++)
        s->y_given |= !same_number(cell_value(&saved->view, i), cell_value(&s->view[COT_Y], i));
    if (s->y_given)
        copy_cells(&saved->view, &s->view[COT_Y]);
}

static int fill_inputs(scene *s)
{
    static const cot_operand inputs[] = { COT_DY, COT_X, COT_A, COT_B };
    problem p;
    int failed = problem_make(&p, &s->c);
    for (int i = 0; i < 4 && !failed; i++) {
        cot_operand operand = inputs[i];
        if (!s->view[operand].rank)
            continue;
        if (p.tensors[operand].memory)
            copy_cells(&p.tensors[operand].view, &s->view[operand]);
        else if (operand == COT_X && p.tensors[COT_Y].memory)
            failed = recover_x(s, &p);
        else
            draw_cells(s, operand, &s->view[operand]);
    }
    if (!failed)
        keep_foreign_y(s, &p);
    problem_free(&p);
    return failed;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int shown(const cot_op_info *op, cot_operand operand)
{
    switch (operand) {
    case COT_DY:
    case COT_Y: return 1;
    case COT_X:
    case COT_DX: return cot_has_axis(op);
    default: return !cot_has_axis(op);
    }
}

static int allocate(scene *s)
{
    int missing = 0;
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!shown(cot_op_get(s->c.desc.op), (cot_operand)o))
            continue;
        missing |= operand_make(&s->c.desc, (cot_operand)o, &s->view[o]);
        missing |= !(s->values[o] = calloc((size_t)s->n + 1, sizeof(double)));
    }
    return missing;
}

int scene_open(scene *s, const char *id, char why[CASE_ID_SIZE])
{
    scene made = { .line = 0 };
    if (case_parse(id, &made.c, why))
        return -1;
    if (made.c.bad[0].row) {
        strcpy(why, "this case is a call that must be refused, so it has no numbers to show");
        return -1;
    }
    measure(&made);
    if (allocate(&made) || fill_inputs(&made)) {
        scene_close(&made);
        strcpy(why, "too large for this page's memory");
        return -1;
    }
    scene_close(s);
    *s = made;
    return 0;
}

void scene_close(scene *s)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        free(s->view[o].data);
        free(s->values[o]);
    }
    memset(s, 0, sizeof *s);
}

/* ---- cells ----------------------------------------------------------------------------------- */

void scene_set(scene *s, cot_operand operand, int64_t i, double value)
{
    cot_cell_set(s->c.desc.element, cell_of(s, operand, i), value);
}

uint64_t scene_bits(const scene *s, cot_operand operand, int64_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, cell_of(s, operand, i), cot_element_size(s->c.desc.element));
    return bits;
}

void scene_look(scene *s, int64_t line)
{
    s->line = line;
    for (int o = COT_DY; o < OPERANDS; o++)
        for (int64_t i = 0, count = scene_count(s, (cot_operand)o); i < count; i++)
            s->values[o][i] = cot_cell_get(s->c.desc.element, cell_of(s, (cot_operand)o, i));
}

/* An extremum over no cells does not exist; its gradient has no cells either. */
static cot_status forward(scene *s, cot_error *error)
{
    cot_args args;
    point_args(&args, s->view);
    return s->n && !s->y_given ? cot_forward(&s->c.desc, &args, error) : COT_OK;
}

cot_status scene_compute(scene *s, cot_backend *backend, cot_error *error)
{
    cot_status status = forward(s, error);
    if (!status)
        status = device_execute(backend, &s->c.desc, s->view, error);
    scene_look(s, s->line);
    return status;
}

/* ---- bits ------------------------------------------------------------------------------------ */

uint64_t scene_digest(const scene *s)
{
    uint64_t digest = DIGEST_OF_NOTHING;
    const cot_op_info *op = cot_op_get(s->c.desc.op);
    for (int o = COT_Y; o < OPERANDS; o++) {
        if (!cot_operand_used(op, (cot_operand)o) || (o != COT_Y && !cot_is_output((cot_operand)o)))
            continue;
        const cot_view *view = &s->view[o];
        for (int64_t i = 0; i < view->length; i++)
            digest = digest_cell(
                digest, cot_cell_get(view->element, (char *)view->data + (size_t)i * cot_element_size(view->element)));
    }
    return digest;
}
