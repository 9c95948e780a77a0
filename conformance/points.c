#include "points.h"
#include "philox.h"
#include "problem.h"

#include <math.h>
#include <string.h>

lines lines_of(const cot_desc *desc)
{
    lines l = { 1, 1, 1 };
    int axis = has_axis(cot_op_get(desc->op)) ? desc->axis : -1;
    for (int d = 0; d < desc->rank; d++) {
        if (d == axis)
            l.n = desc->shape[d];
        else
            l.count *= desc->shape[d];
        if (d > axis && axis >= 0)
            l.inner *= desc->shape[d];
    }
    return l;
}

int64_t line_cell(const lines *l, int64_t n, int64_t line, int64_t i)
{
    return line / l->inner * l->inner * n + line % l->inner + i * l->inner;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

static uint32_t random_at(uint64_t seed, cot_operand operand, int64_t index)
{
    return philox_at(seed, (uint64_t)operand, (uint64_t)index).word[0];
}

static double away_from_zero(double r) /* +-[0.5, 1.5) */
{
    return r + copysign(0.5, r);
}

/* r is uniform in [-1, 1). */
static double point(cot_op op, cot_operand operand, double r)
{
    switch (operand == COT_DY ? 0 : op) {
    case COT_LOGSUMEXP:
    case COT_LOGCUMSUMEXP:
    case COT_SOFTMAX:
    case COT_LOG_SOFTMAX: return 2 * r;
    case COT_POW: return operand == COT_A ? 1.25 + 0.75 * r : 2 * r; /* log(a) wants a > 0 */
    default: return away_from_zero(r);
    }
}

static void set_cell(const cot_view *view, int64_t index, double value)
{
    cot_cell_set(view->element, (char *)view->data + (size_t)index * cot_element_size(view->element), value);
}

static void fill(const cot_desc *desc, uint64_t seed, const cot_view *view, cot_operand operand)
{
    for (int64_t i = 0; i < view->length; i++)
        set_cell(view, i, point(desc->op, operand, (double)(random_at(seed, operand, i) >> 8) * 0x1p-23 - 1));
}

/* ---- no ties ------------------------------------------------------------------------------------------------------ */

/* maximum, minimum: b is at least half away from a. */
static void keep_apart(const cot_view *a, const cot_view *b)
{
    for (int64_t i = 0; i < b->length; i++)
        set_cell(b, i, cell_value(a, i) + cell_value(b, i));
}

static void swap_cells(const cot_view *view, int64_t i, int64_t j)
{
    double value = cell_value(view, i);
    set_cell(view, i, cell_value(view, j));
    set_cell(view, j, value);
}

/* max and its like: the cells of a line are eighths, each once, shuffled. */
static int spread_line(const lines *l, uint64_t seed, const cot_view *x, int64_t line)
{
    for (int64_t i = 0; i < l->n; i++) {
        double value = (double)(i - l->n / 2) * 0.125;
        int64_t index = line_cell(l, l->n, line, i);
        set_cell(x, index, value);
        if (cell_value(x, index) != value)
            return -1;
    }
    for (int64_t i = l->n - 1; i > 0; i--) {
        int64_t at = line_cell(l, l->n, line, i), other = random_at(seed, COT_X, at) % (i + 1);
        swap_cells(x, at, line_cell(l, l->n, line, other));
    }
    return 0;
}

static int spread_lines(const cot_desc *desc, uint64_t seed, const cot_view *x)
{
    lines l = lines_of(desc);
    int bad = 0;
    for (int64_t line = 0; line < l.count && !bad; line++)
        bad = spread_line(&l, seed, x, line);
    return bad;
}

int fill_points(const cot_desc *desc, uint64_t seed, const cot_view views[OPERANDS])
{
    static const cot_operand inputs[] = { COT_DY, COT_X, COT_A, COT_B };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        fill(desc, seed, &views[inputs[i]], inputs[i]);
    switch (desc->op) {
    case COT_MAX:
    case COT_MIN:
    case COT_CUMMAX:
    case COT_CUMMIN: return spread_lines(desc, seed, &views[COT_X]);
    case COT_MAXIMUM:
    case COT_MINIMUM: keep_apart(&views[COT_A], &views[COT_B]); return 0;
    default: return 0;
    }
}
