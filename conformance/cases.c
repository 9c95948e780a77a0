#include "cases.h"
#include "generate.h"
#include "operand.h"

#include <fnmatch.h>
#include <string.h>

typedef struct shape {
    int rank;
    int32_t extent[COT_MAX_RANK];
} shape;

static const shape shapes[] = {
    { 1, { 1 } }, { 1, { 33 } }, { 1, { 1025 } }, { 1, { 2100 } }, { 2, { 5, 37 } }, { 2, { 37, 5 } },
    { 3, { 3, 32, 2 } }, { 2, { 0, 3 } }, { 2, { 3, 0 } }, { 5, { 2, 1, 3, 2, 2 } },
};

typedef struct walk {
    const case_range *range;
    int (*visit)(void *self, const test_case *c);
    void *self;
} walk;

static int visit(const walk *w, test_case c)
{
    c.seed += w->range->seed;
    return w->visit(w->self, &c);
}

/* The variants of a case that its op has a use for. */
static int visit_variants(const walk *w, test_case c)
{
    int stop = visit(w, c);
    if (cot_op_get(c.desc.op)->family == COT_SCAN && !stop) {
        c.desc.reverse = 1;
        stop = visit(w, c);
    }
    if (c.desc.op == COT_VAR || c.desc.op == COT_STD) {
        const int32_t n = c.desc.shape[c.desc.axis], corrections[] = { 1, n + 1, -2 }; /* past n: VAR-CLAMP */
        for (int i = 0; i < 3 && !stop; i++) {
            c.desc.correction = corrections[i];
            stop = visit(w, c);
        }
    }
    return stop;
}

/* A long line alone is contiguous or strided; other layouts of it would say the same again. */
static int worth_it(const shape *s, case_layout layout)
{
    return s->extent[0] < 1000 || layout == LAYOUT_CONTIG || layout == LAYOUT_SLICED;
}

/* Where a special value falls in a tile decides much in a scan: long lines of one are drawn several times. */
static uint64_t draws(cot_op op, const shape *s)
{
    return cot_op_get(op)->family == COT_SCAN && s->extent[0] > 2000 ? 5 : 1;
}

static int visit_layout(const walk *w, cot_op op, cot_element element, const shape *s, int axis, case_layout layout)
{
    int stop = 0;
    for (int g = 0; generator_at(g) && !stop; g++) {
        test_case c = { { COT_SIZED(cot_desc), .op = op, .element = element, .rank = s->rank, .axis = axis,
                          .param = op == COT_LERP ? 0.3 : 0 },
                        layout, g, 1, COT_NO_OPERAND };
        memcpy(c.desc.shape, s->extent, sizeof c.desc.shape);
        for (c.seed = 1; c.seed <= draws(op, s) && !stop; c.seed++)
            stop = visit_variants(w, c);
    }
    return stop;
}

static int visit_shape(const walk *w, cot_op op, cot_element element, const shape *s)
{
    int axes = has_axis(cot_op_get(op)) ? s->rank : 1, stop = 0;
    for (int axis = 0; axis < axes; axis++)
        for (int layout = 0; layout_name((case_layout)layout) && !stop; layout++)
            if (worth_it(s, (case_layout)layout))
                stop = visit_layout(w, op, element, s, axis, (case_layout)layout);
    return stop;
}

static int visit_op(const walk *w, cot_op op)
{
    int stop = 0;
    for (int e = COT_F16; e <= COT_F64; e++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes && !stop; s++)
            if (!w->range->element || w->range->element == (cot_element)e)
                stop = visit_shape(w, op, (cot_element)e, &shapes[s]);
    return stop;
}

int cases_visit(const case_range *range, int (*visitor)(void *self, const test_case *c), void *self)
{
    walk w = { range, visitor, self };
    const cot_op_info *op;
    int stop = 0;
    for (size_t i = 0; (op = cot_op_at(i)) && !stop; i++)
        if (!range->op_glob || !fnmatch(range->op_glob, op->name, 0))
            stop = visit_op(&w, op->op);
    return stop;
}
