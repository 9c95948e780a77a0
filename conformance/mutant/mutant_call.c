/* A mutant's call: cells as doubles in and out, the arithmetic of the spec, and the run of the reference in between. */
#include "mutant_defects.h"
#include "conformance/case/device_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- geometry -------------------------------------------------------------------------------- */

void *view_cell(const cot_view *view, int64_t index)
{
    return (char *)view->data + cot_cell_offset(view, index) * (int64_t)cot_element_size(view->element);
}

int64_t call_cells(const mutant_call *c, cot_operand operand)
{
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&c->desc, operand, shape);
    return cot_cell_count(c->desc.rank, shape);
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

/* ---- arithmetic of the spec ------------------------------------------------------------------ */

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

static double in_type(cot_element type, double value)
{
    double cell;
    cot_cell_set(type, &cell, value);
    return cot_cell_get(type, &cell);
}

double call_accumulate(const mutant_call *c, double value)
{
    double sum = call_round(c, value);
    if (c->m->with & (IN_F16 | IN_BF16))
        return in_type(c->m->with & IN_F16 ? COT_F16 : COT_BF16, sum);
    return c->m->with & IN_ELEMENT ? call_store(c, sum) : sum;
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
    cot_desc desc = { COT_SIZED(cot_desc),
                      .op = COT_LOGSUMEXP,
                      .element = element,
                      .rank = 2,
                      .shape = { (int32_t)count, 1 },
                      .axis = 1 };
    cot_view views[OPERANDS] = { 0 };
    const cot_operand used[] = { COT_DY, COT_X, COT_Y, COT_DX };
    int missing = 0;
    for (int o = 0; o < 4; o++)
        missing |= operand_make(&desc, used[o], &views[used[o]]);
    for (int64_t i = 0; i < count && !missing; i++) {
        cot_cell_set(element, view_cell(&views[COT_DY], i), 1);
        cot_cell_set(element, view_cell(&views[COT_X], i), values[i]);
    }
    if (!missing)
        device_execute(c->self->reference, &desc, views, NULL);
    for (int64_t i = 0; i < count && !missing; i++)
        values[i] = cot_cell_get(element, view_cell(&views[COT_DX], i));
    for (int o = 0; o < 4; o++)
        free(views[used[o]].data);
}

double call_exp1(const mutant_call *c, double value)
{
    call_exp(c, &value, 1);
    return value;
}

/* ---- a call's way ---------------------------------------------------------------------------- */

static int read_operand(mutant_call *c, cot_operand operand)
{
    const cot_view *view = args_view(c->args, operand);
    int64_t count = call_cells(c, operand);
    c->cells[operand] = calloc((size_t)count + 1, sizeof(double));
    if (!c->cells[operand])
        return -1;
    for (int64_t i = 0; i < count && !cot_is_output(operand); i++)
        c->cells[operand][i] = cot_cell_get(view->element, view_cell(view, i));
    return 0;
}

int call_read(mutant_call *c)
{
    const cot_op_info *op = cot_op_get(c->desc.op);
    line_shape l = lines_of(&c->desc);
    c->axis = l.axis, c->n = l.n, c->inner = l.inner, c->lines = l.count;
    for (int o = COT_DY; o < OPERANDS; o++)
        if (cot_operand_used(op, (cot_operand)o) && read_operand(c, (cot_operand)o))
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
    cot_status status = pack(c, views) ? mutant_fail(error, COT_INTERNAL, COT_NO_OPERAND, 0, 0, "out of memory")
                                       : device_execute(c->self->reference, &c->desc, views, error);
    if (!status)
        unpack(c, views);
    for (int o = COT_DY; o < OPERANDS; o++)
        free(views[o].data);
    return status;
}

static void apply_cells(const mutant_call *c, cot_operand out)
{
    for (int64_t l = 0; l < c->lines; l++)
        for (int64_t i = 0; i < c->n; i++) {
            // clang-format off
            mutant_spot s = { out, l, i, call_get(c, COT_DY, l, i), call_get(c, COT_X, l, i), call_get(c, COT_Y, l, i),
                              call_get(c, COT_A, l, i), call_get(c, COT_B, l, i), *call_at(c, out, l, i) };
            // clang-format on
            *call_at(c, out, l, i) = c->m->cell(c, &s);
        }
}

/* Under the spec's own policies: the defects' formulas know no others, unless a row says where it applies. */
void call_apply(mutant_call *c)
{
    enum { LONGEST = 8192 };
    if (!c->m->where && !cot_uses_spec_policies(c->desc.op, &c->desc.policies))
        return;
    if (c->m->slow && c->n > LONGEST)
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
