/* Forward operations: what a gradient is of. */
#include "core/builtin.h"
#include "core/formula/spec.h"
#include "core/math/half.h"
#include "core/internal.h"
#include "core/math/math.h"
#include "ref_problem.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = COT_LANES, TILE = COT_TILE };

/* All lines along the axis, first of the inputs, then of y. */
typedef struct forward_walk {
    const cot_desc *desc;
    int axis;
    bool reversed;
    int64_t n, lines;
    const cot_view *first, *second, *y; /* second: NULL where there is one input */
} forward_walk;

/* The i-th cell of a line, in the direction of the scan. Lines are counted over all dimensions but the axis. */
static void *cell_at(const forward_walk *w, const cot_view *view, int64_t line, int64_t i)
{
    int64_t extent = view->shape[w->axis];
    int64_t offset = (w->reversed ? extent - 1 - i : i) * view->strides[w->axis];
    for (int d = view->rank - 1; d >= 0; d--) {
        if (d == w->axis)
            continue;
        offset += line % view->shape[d] * view->strides[d];
        line /= view->shape[d];
    }
    return (char *)view->data + offset * (int64_t)cot_element_size(view->element);
}

static inline bool sign_bit_f(float v) { return bits_f(v) >> 31; }
static inline bool sign_bit_d(double v) { return bits_d(v) >> 63; }

#define TWICE "forward.inc"
#include "twice.inc"

int cot_ref_forward(const cot_desc *desc, const cot_args *args)
{
    bool pair = !cot_has_axis(cot_op_get(desc->op));
    forward_walk w = { .desc = desc, .axis = pair ? desc->rank - 1 : desc->axis, .y = args->y };
    w.first = pair ? args->a : args->x;
    w.second = pair ? args->b : NULL;
    w.n = desc->shape[w.axis];
    w.lines = cot_cell_count(w.axis, desc->shape) * cot_cell_count(desc->rank - w.axis - 1, desc->shape + w.axis + 1);
    w.reversed = desc->reverse && cot_op_takes(cot_op_get(desc->op), COT_TAKES_REVERSE);
    char saved[COT_REF_ENVIRONMENT_SIZE];
    cot_ref_enter(saved);
    int failed = desc->element == COT_F64 ? forward_lines_d(&w) : forward_lines_f(&w);
    cot_ref_leave(saved);
    return failed;
}
