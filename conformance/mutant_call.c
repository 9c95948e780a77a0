#include "mutant_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- geometry ------------------------------------------------------------------------------------------------------- */

const cot_view *args_view(const cot_args *args, cot_operand operand)
{
    const cot_view *const views[] = { args->dy, args->x, args->y, args->a, args->b, args->dx, args->da, args->db };
    return operand >= COT_DY && operand <= COT_DB ? views[operand - COT_DY] : NULL;
}

void *view_cell(const cot_view *view, int64_t index)
{
    int64_t offset = 0;
    for (int d = view->rank - 1; d >= 0; d--) {
        offset += index % view->shape[d] * view->strides[d];
        index /= view->shape[d];
    }
    return (char *)view->data + offset * (int64_t)cot_element_size(view->element);
}

int64_t call_cells(const mutant_call *c, cot_operand operand)
{
    int32_t shape[COT_MAX_RANK];
    int64_t count = 1;
    operand_shape(&c->desc, operand, shape);
    for (int d = 0; d < c->desc.rank; d++)
        count *= shape[d];
    return count;
}

double *call_at(const mutant_call *c, cot_operand operand, int64_t line, int64_t i)
{
    int reduced = cot_op_get(c->desc.op)->family == COT_REDUCE && (operand == COT_DY || operand == COT_Y);
    return &c->cells[operand][reduced ? line : line / c->inner * c->inner * c->n + line % c->inner + i * c->inner];
}

double call_get(const mutant_call *c, cot_operand operand, int64_t line, int64_t i)
{
    return c->cells[operand] ? *call_at(c, operand, line, i) : (double)NAN;
}

/* ---- arithmetic of the spec ------------------------------------------------------------------------------------------ */

double call_round(const mutant_call *c, double value)
{
    return c->desc.element == COT_F64 ? value : (double)(float)value;
}

double call_store(const mutant_call *c, double value)
{
    double cell;
    cot_cell_set(c->desc.element, &cell, value);
    return cot_cell_get(c->desc.element, &cell);
}

double call_divisor(const mutant_call *c)
{
    int64_t m = c->n - c->desc.correction;
    return call_round(c, m > 0 ? (double)m : 1.0);
}

/* logsumexp's gradient is g * exp(x - y): with g = 1 and y = 0 it is the reference's exp. */
void call_exp(const mutant_call *c, double *values, int64_t count)
{
    cot_element element = c->desc.element == COT_F64 ? COT_F64 : COT_F32;
    cot_desc desc = { COT_SIZED(cot_desc), .op = COT_LOGSUMEXP, .element = element, .rank = 2, .shape = { (int32_t)count, 1 }, .axis = 1 };
    cot_view views[OPERANDS] = { 0 };
    cot_plan *plan = NULL;
    cot_args args;
    const cot_operand used[] = { COT_DY, COT_X, COT_Y, COT_DX };
    int missing = 0;
    for (int o = 0; o < 4; o++)
        missing |= operand_make(&desc, used[o], &views[used[o]]);
    for (int64_t i = 0; i < count && !missing; i++) {
        cot_cell_set(element, view_cell(&views[COT_DY], i), 1);
        cot_cell_set(element, view_cell(&views[COT_X], i), values[i]);
    }
    point_args(&args, views);
    if (!missing && !cot_select(c->self->honest, &desc, NULL, &plan, NULL))
        cot_run(plan, NULL, NULL, 0, &args, NULL);
    for (int64_t i = 0; i < count && !missing; i++)
        values[i] = cot_cell_get(element, view_cell(&views[COT_DX], i));
    cot_plan_free(plan);
    for (int o = 0; o < 4; o++)
        free(views[used[o]].data);
}

double call_exp1(const mutant_call *c, double value)
{
    call_exp(c, &value, 1);
    return value;
}

/* ---- a call's way ---------------------------------------------------------------------------------------------------- */

static int read_operand(mutant_call *c, cot_operand operand)
{
    const cot_view *view = args_view(c->args, operand);
    int64_t count = call_cells(c, operand);
    c->cells[operand] = calloc((size_t)count + 1, sizeof(double));
    if (!c->cells[operand])
        return -1;
    for (int64_t i = 0; i < count && !is_output(operand); i++)
        c->cells[operand][i] = cot_cell_get(view->element, view_cell(view, i));
    return 0;
}

int call_read(mutant_call *c)
{
    const cot_op_info *op = cot_op_get(c->desc.op);
    c->axis = has_axis(op) ? c->desc.axis : c->desc.rank - 1;
    c->n = c->desc.shape[c->axis];
    c->inner = 1;
    for (int d = c->axis + 1; d < c->desc.rank; d++)
        c->inner *= c->desc.shape[d];
    c->lines = call_cells(c, has_axis(op) ? COT_DX : COT_DA) / c->n;
    for (int o = COT_DY; o < OPERANDS; o++)
        if (operand_used(op, (cot_operand)o) && read_operand(c, (cot_operand)o))
            return -1;
    return 0;
}

void call_free(mutant_call *c)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(c->cells[o]);
}

static int pack(const mutant_call *c, cot_view views[OPERANDS])
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!c->cells[o])
            continue;
        if (operand_make(&c->desc, (cot_operand)o, &views[o]))
            return -1;
        for (int64_t i = 0; i < views[o].length; i++)
            cot_cell_set(c->desc.element, view_cell(&views[o], i), c->cells[o][i]);
    }
    return 0;
}

static void unpack(mutant_call *c, const cot_view views[OPERANDS])
{
    for (int o = COT_DX; o < OPERANDS; o++)
        for (int64_t i = 0; c->cells[o] && i < views[o].length; i++)
            c->cells[o][i] = cot_cell_get(c->desc.element, view_cell(&views[o], i));
}

cot_status call_run(mutant_call *c, cot_error *error)
{
    cot_view views[OPERANDS] = { 0 };
    cot_plan *plan = NULL;
    cot_args args;
    cot_status status = cot_select(c->self->honest, &c->desc, NULL, &plan, error);
    if (!status && pack(c, views))
        status = mutant_fail(error, COT_INTERNAL, COT_NO_OPERAND, 0, 0, "out of memory");
    point_args(&args, views);
    if (!status)
        status = cot_run(plan, NULL, NULL, 0, &args, error);
    if (!status)
        unpack(c, views);
    cot_plan_free(plan);
    for (int o = COT_DY; o < OPERANDS; o++)
        free(views[o].data);
    return status;
}

static void apply_cells(const mutant_call *c, cot_operand out)
{
    for (int64_t l = 0; l < c->lines; l++)
        for (int64_t i = 0; i < c->n; i++) {
            mutant_spot s = { out, l, i, call_get(c, COT_DY, l, i), call_get(c, COT_X, l, i), call_get(c, COT_Y, l, i),
                              call_get(c, COT_A, l, i), call_get(c, COT_B, l, i), *call_at(c, out, l, i) };
            *call_at(c, out, l, i) = c->m->cell(c, &s);
        }
}

/* Under the spec's own policies: the faults' formulas know no others. And on lines of a few tiles: a fault may look at a whole
 * line for each of its cells. */
void call_apply(mutant_call *c)
{
    enum { LONGEST = 8192 };
    static const cot_policies own;
    if (memcmp(&c->desc.policies, &own, sizeof own) || c->n > LONGEST)
        return;
    for (int o = COT_DX; o < OPERANDS && c->m->cell; o++)
        if (c->cells[o])
            apply_cells(c, (cot_operand)o);
    for (int64_t l = 0; l < c->lines && c->m->line; l++)
        c->m->line(c, l);
}

void call_write(const mutant_call *c)
{
    for (int o = COT_DX; o < OPERANDS; o++) {
        const cot_view *view = args_view(c->args, (cot_operand)o);
        int64_t count = c->cells[o] ? call_cells(c, (cot_operand)o) : 0;
        for (int64_t i = 0; i < count; i++)
            if (!c->m->skip || !c->m->skip(c, (cot_operand)o, i))
                cot_cell_set(view->element, view_cell(view, i), c->cells[o][i]);
    }
}
