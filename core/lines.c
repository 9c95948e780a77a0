/* From descriptor and views to lines. */
#include "lines.h"
#include "internal.h"

#include <string.h>

typedef struct dimensions {
    int count;
    int64_t extent[COT_MAX_RANK];
    int64_t stride[COT_MAX_RANK][COT_OPERANDS];
} dimensions;

/* The first that has a cell for every cell. */
static cot_operand first_output(const cot_op_info *op)
{
    int o = COT_FIRST_OPERAND;
    while (!cot_is_output((cot_operand)o) || !cot_operand_used(op, (cot_operand)o)
           || cot_operand_shared(op, (cot_operand)o))
        o++;
    return (cot_operand)o;
}

static void swap(dimensions *d, int i, int j)
{
    dimensions old = *d;
    d->extent[i] = old.extent[j], d->extent[j] = old.extent[i];
    memcpy(d->stride[i], old.stride[j], sizeof old.stride[j]);
    memcpy(d->stride[j], old.stride[i], sizeof old.stride[i]);
}

/* Outermost first, as the output has them. */
static void sort(dimensions *d, cot_operand out)
{
    for (int i = 1; i < d->count; i++)
        for (int j = i; j > 0 && d->stride[j - 1][out] < d->stride[j][out]; j--)
            swap(d, j - 1, j);
}

static bool one_run(const dimensions *d, int outer, int inner)
{
    for (int o = 0; o < COT_OPERANDS; o++)
        if (d->stride[outer][o] != d->stride[inner][o] * d->extent[inner])
            return false;
    return true;
}

/* Two dimensions that every operand walks as one become one. */
static void merge(dimensions *d)
{
    int kept = 0;
    for (int i = 1; i < d->count; i++) {
        int64_t extent = d->extent[i];
        if (one_run(d, kept, i))
            extent *= d->extent[kept];
        else
            kept++;
        d->extent[kept] = extent;
        memmove(d->stride[kept], d->stride[i], sizeof d->stride[i]);
    }
    d->count = d->count ? kept + 1 : 0;
}

/* Every dimension but the axis (-1: every one), without those of extent 1. */
static void collect(dimensions *d, const cot_desc *desc, const cot_view *const *views, int axis)
{
    for (int i = 0; i < desc->rank; i++) {
        if (i == axis || desc->shape[i] == 1)
            continue;
        d->extent[d->count] = desc->shape[i];
        for (int o = COT_DY; o < COT_OPERANDS; o++)
            d->stride[d->count][o] = views[o] && views[o]->shape[i] != 1 ? views[o]->strides[i] : 0;
        d->count++;
    }
}

/* The innermost dimension of an elementwise op is its line. */
static void take_innermost(cot_lines *lines, dimensions *d)
{
    lines->n = d->count ? d->extent[d->count - 1] : 1;
    for (int o = COT_DY; o < COT_OPERANDS && d->count; o++)
        lines->operands[o].along = d->stride[d->count - 1][o];
    d->count -= d->count > 0;
}

static void take_axis(cot_lines *lines, const cot_desc *desc, const cot_view *const *views)
{
    const cot_op_info *op = cot_op_get(desc->op);
    lines->n = desc->shape[desc->axis];
    for (int o = COT_DY; o < COT_OPERANDS; o++) {
        lines->operands[o].along = views[o] ? views[o]->strides[desc->axis] : 0;
        lines->operands[o].reduced = cot_operand_reduced(op, (cot_operand)o);
    }
}

static void take_others(cot_lines *lines, const dimensions *d)
{
    lines->inner = d->count ? d->extent[d->count - 1] : 1;
    lines->outer_rank = d->count ? d->count - 1 : 0;
    lines->outer = 1;
    for (int o = COT_DY; o < COT_OPERANDS; o++) {
        lines->operands[o].across = d->count ? d->stride[d->count - 1][o] : 0;
        for (int i = 0; i < lines->outer_rank; i++)
            lines->operands[o].outer[i] = d->stride[i][o];
    }
    for (int i = 0; i < lines->outer_rank; i++)
        lines->outer *= lines->outer_shape[i] = d->extent[i];
}

void cot_take_lines(cot_lines *lines, const cot_desc *desc, const cot_args *args)
{
    const cot_op_info *op = cot_op_get(desc->op);
    bool has_axis = cot_has_axis(op);
    const cot_view *views[COT_OPERANDS] = { 0 };
    dimensions d = { 0 };
    memset(lines, 0, sizeof *lines);
    for (int o = COT_DY; o < COT_OPERANDS; o++)
        if (cot_operand_used(op, (cot_operand)o) && !(o == COT_Y && op->needs & COT_Y_UNREAD)) {
            views[o] = cot_operand_view(args, (cot_operand)o);
            lines->operands[o].data = views[o]->data;
        }
    collect(&d, desc, views, has_axis ? desc->axis : -1);
    cot_operand output = first_output(op);
    sort(&d, output);
    merge(&d);
    if (has_axis)
        take_axis(lines, desc, views);
    else
        take_innermost(lines, &d);
    take_others(lines, &d);
    lines->output = output;
}
