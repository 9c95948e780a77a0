/* Points where an op is smooth, as its row says: random numbers, and lines without ties. */
#include "points.h"
#include "conformance/case/philox.h"
#include "conformance/case/problem.h"

#include <math.h>
#include <string.h>

line_shape lines_to_check(const cot_desc *desc)
{
    if (cot_has_axis(cot_op_get(desc->op)))
        return lines_of(desc);
    return (line_shape){ .n = 1, .inner = 1, .count = cot_cell_count(desc->rank, desc->shape) };
}

int64_t line_cell(const line_shape *l, int64_t n, int64_t line, int64_t i)
{
    return line / l->inner * l->inner * n + line % l->inner + i * l->inner;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t random_at(uint64_t seed, cot_operand operand, int64_t index)
{
    return philox_at(seed, (uint64_t)operand, (uint64_t)index).word[0];
}

static double away_from_zero(double r) /* +-[0.5, 1.5) */ { return r + copysign(0.5, r); }

/* r is uniform in [-1, 1). */
static double point(cot_points points, cot_operand operand, double r)
{
    switch (operand == COT_DY ? COT_POINTS_NONZERO : points) {
    case COT_POINTS_ANY: return 2 * r;
    case COT_POINTS_POSITIVE_A: return operand == COT_A ? 1.25 + 0.75 * r : 2 * r;
    case COT_POINTS_NONZERO:
    case COT_POINTS_DISTINCT: break;
    }
    return away_from_zero(r);
}

static void set_cell(const cot_view *view, int64_t index, double value)
{
    cot_cell_set(view->element, (char *)view->data + (size_t)index * cot_element_size(view->element), value);
}

static void fill(const cot_desc *desc, uint64_t seed, const cot_view *view, cot_operand operand)
{
    cot_points points = cot_op_get(desc->op)->points;
    for (int64_t i = 0; i < view->length; i++)
        set_cell(view, i, point(points, operand, (double)(random_at(seed, operand, i) >> 8) * 0x1p-23 - 1));
}

/* ---- no ties --------------------------------------------------------------------------------- */

/* b is at least half away from a. */
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

/* The cells of a line are eighths, each once, shuffled. */
static int spread_line(const line_shape *l, uint64_t seed, const cot_view *x, int64_t line)
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
    line_shape l = lines_to_check(desc);
    int bad = 0;
    for (int64_t line = 0; line < l.count && !bad; line++)
        bad = spread_line(&l, seed, x, line);
    return bad;
}

int fill_points(const cot_desc *desc, uint64_t seed, const cot_view views[OPERANDS])
{
    static const cot_operand inputs[] = { COT_DY, COT_X, COT_A, COT_B };
    const cot_op_info *op = cot_op_get(desc->op);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        fill(desc, seed, &views[inputs[i]], inputs[i]);
    if (op->points == COT_POINTS_DISTINCT && cot_has_axis(op))
        return spread_lines(desc, seed, &views[COT_X]);
    if (op->points == COT_POINTS_DISTINCT)
        keep_apart(&views[COT_A], &views[COT_B]);
    return 0;
}
