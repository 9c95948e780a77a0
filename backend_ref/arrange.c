/* From descriptor and views to a ref_problem: dimensions are sorted and merged until few and long ones are left. */
#include "internal.h"
#include "problem.h"

#include <string.h>

enum {
    NARROWEST = 16,        /* fewer lines side by side are better walked one by one */
    SHORT_SCAN = 512,      /* a scan's cells depend on each other: short lines are turned, and walked side by side */
    CACHES = 4 << 20,      /* bytes of results beyond which they are written past the caches */
    WORTH_A_THREAD = 1 << 15, /* cells; waking one costs microseconds */
};

typedef struct dimensions {
    int count;
    int64_t extent[COT_MAX_RANK];
    int64_t stride[COT_MAX_RANK][COT_DB + 1];
} dimensions;

static cot_operand first_output(const ref_problem *p)
{
    return p->operands[COT_DX].data ? COT_DX : COT_DA;
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
    for (int o = 0; o <= COT_DB; o++)
        if (d->stride[outer][o] != d->stride[inner][o] * d->extent[inner])
            return false;
    return true;
}

/* Two dimensions that every operand walks as one become one. */
static void merge(dimensions *d)
{
    int kept = 0;
    for (int i = 1; i < d->count; i++) {
        if (one_run(d, kept, i)) {
            d->extent[i] *= d->extent[kept];
            d->extent[kept] = d->extent[i];
            memcpy(d->stride[kept], d->stride[i], sizeof d->stride[i]);
        } else {
            kept++;
            d->extent[kept] = d->extent[i];
            memcpy(d->stride[kept], d->stride[i], sizeof d->stride[i]);
        }
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
        for (int o = COT_DY; o <= COT_DB; o++)
            d->stride[d->count][o] = views[o] ? views[o]->strides[i] : 0;
        d->count++;
    }
}

/* The innermost dimension of an elementwise op is its line. */
static void take_line(ref_problem *p, dimensions *d)
{
    p->n = d->count ? d->extent[d->count - 1] : 1;
    for (int o = COT_DY; o <= COT_DB && d->count; o++)
        p->operands[o].along = d->stride[d->count - 1][o];
    d->count -= d->count > 0;
}

static void take_others(ref_problem *p, dimensions *d)
{
    p->inner = d->count ? d->extent[d->count - 1] : 1;
    p->outer_rank = d->count ? d->count - 1 : 0;
    p->outer = 1;
    for (int o = COT_DY; o <= COT_DB; o++) {
        p->operands[o].across = d->count ? d->stride[d->count - 1][o] : 0;
        for (int i = 0; i < p->outer_rank; i++)
            p->operands[o].outer[i] = d->stride[i][o];
    }
    for (int i = 0; i < p->outer_rank; i++)
        p->outer *= p->outer_shape[i] = d->extent[i];
}

void cot_ref_arrange(ref_problem *p, const cot_desc *desc, const cot_args *args, int threads)
{
    const cot_op_info *op = cot_op_get(desc->op);
    bool elementwise = cot_elementwise(op->family);
    const cot_view *views[COT_DB + 1] = { 0 };
    dimensions d = { 0 };
    memset(p, 0, sizeof *p);
    p->op = desc->op, p->element = desc->element;
    p->policies = desc->policies;
    p->correction = desc->correction, p->weight = desc->param;
    for (int o = COT_DY; o <= COT_DB; o++)
        if (cot_operand_used(op, (cot_operand)o) && !(o == COT_Y && op->needs & COT_Y_UNREAD)) {
            views[o] = cot_operand_view(args, (cot_operand)o);
            p->operands[o].data = views[o]->data;
        }
    collect(&d, desc, views, elementwise ? -1 : desc->axis);
    sort(&d, first_output(p));
    merge(&d);
    if (elementwise)
        take_line(p, &d);
    else
        p->n = desc->shape[desc->axis];
    for (int o = COT_DY; o <= COT_DB && !elementwise; o++) {
        p->operands[o].along = views[o] ? views[o]->strides[desc->axis] : 0;
        p->operands[o].reduced = op->family == COT_REDUCE && (o == COT_DY || o == COT_Y);
    }
    take_others(p, &d);
    const ref_operand *out = &p->operands[first_output(p)];
    p->backwards = op->family == COT_SCAN && !desc->reverse; /* gradients of scans run against them */
    bool many = !elementwise && p->inner >= NARROWEST, across = p->n == 1 || out->across < out->along;
    p->turned = many && !across && op->order == COT_ORDER_SCAN && p->n <= SHORT_SCAN;
    p->columns = (many && across) || p->turned;
    p->folds = op->order == COT_ORDER_FOLD;
    p->averages = p->folds && op->family == COT_REDUCE;
    p->scans = op->order == COT_ORDER_SCAN;
    int64_t worth = p->n * p->inner * p->outer / WORTH_A_THREAD;
    p->threads = worth < 2 ? 1 : worth < threads ? (int)worth : threads;
    p->stream = p->n * p->inner * p->outer * (int64_t)cot_element_size(p->element) > CACHES;
}
