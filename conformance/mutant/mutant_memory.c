/* Defects around a call: what it is asked, where it reads and writes, what it says and promises. */
#include "mutant_defects.h"

#include <stdlib.h>
#include <string.h>

/* ---- what it is asked ------------------------------------------------------------------------ */

void reverse_ignored(mutant_call *c) { c->desc.reverse = 0; }

void correction_fixed(mutant_call *c) { c->desc.correction = c->m->with; }

void correction_not_negative(mutant_call *c) { c->desc.correction = c->desc.correction < 0 ? 0 : c->desc.correction; }

/* The other end's axis, in more dimensions than a kernel has been tried with. */
void axis_turned_in_high_rank(mutant_call *c)
{
    if (c->desc.rank > 4)
        c->desc.axis = c->desc.rank - 1 - c->desc.axis;
}

/* With POLICY_SWAP(offset, value, instead): one value of a policy is taken for another. */
void policy_mistaken(mutant_call *c)
{
    uint8_t *value = (uint8_t *)&c->desc.policies + (c->m->with & 255);
    if (*value == (c->m->with >> 8 & 255))
        *value = (uint8_t)(c->m->with >> 16);
}

void outputs_cleared_first(mutant_call *c)
{
    for (int o = COT_DX; o < OPERANDS; o++) {
        const cot_view *view = args_view(c->args, (cot_operand)o);
        for (int64_t i = 0, n = view ? call_cells(c, (cot_operand)o) : 0; i < n; i++)
            cot_cell_set(view->element, view_cell(view, i), 0);
    }
}

/* ---- where it reads -------------------------------------------------------------------------- */

static int repeats(const cot_view *view)
{
    for (int d = 0; d < view->rank; d++)
        if (view->shape[d] > 1 && view->strides[d] == 0)
            return 1;
    return 0;
}

/* Cells one after the other, whatever the strides say; `with`: only where a stride is 0. */
void strides_ignored(mutant_call *c)
{
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *view = args_view(c->args, (cot_operand)o);
        if (!c->cells[o] || (c->m->with && !repeats(view)))
            continue;
        for (int64_t i = 0, n = call_cells(c, (cot_operand)o); i < n; i++) {
            int64_t at = i < view->length ? i : view->length - 1;
            c->cells[o][i] =
                cot_cell_get(view->element, (char *)view->data + at * (int64_t)cot_element_size(view->element));
        }
    }
}

void last_read_past_end(mutant_call *c)
{
    const cot_view *view = c->args->dy;
    int64_t past = view->length * (int64_t)cot_element_size(view->element);
    c->cells[COT_DY][call_cells(c, COT_DY) - 1] = cot_cell_get(view->element, (char *)view->data + past);
}

/* ---- where it writes ------------------------------------------------------------------------- */

int row_tail_skipped(const mutant_call *c, cot_operand out, int64_t index)
{
    (void)out;
    return index / c->inner % c->n >= c->n / c->m->with * c->m->with;
}

int everything_skipped(const mutant_call *c, cot_operand out, int64_t index)
{
    (void)c, (void)out, (void)index;
    return 1;
}

static void write_at(const cot_view *view, int64_t element)
{
    cot_cell_set(view->element, (char *)view->data + element * (int64_t)cot_element_size(view->element), 1);
}

static const cot_view *first_output(const mutant_call *c) { return c->args->dx ? c->args->dx : c->args->da; }

void past_end_written(mutant_call *c) { write_at(first_output(c), first_output(c)->length); }

void before_start_written(mutant_call *c) { write_at(first_output(c), -1); }

/* Two cells at once, though the second is none of the output's. */
void gaps_written(mutant_call *c)
{
    const cot_view *view = first_output(c);
    if (view->strides[view->rank - 1] > 1 && view->shape[view->rank - 1] > 1)
        write_at(view, 1);
}

void input_written(mutant_call *c)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        if (args_view(c->args, (cot_operand)o) && args_view(c->args, (cot_operand)o)->data == c->args->dy->data)
            return;
    cot_cell_set(c->args->dy->element, view_cell(c->args->dy, 0), 0.125);
}

/* ---- its workspace --------------------------------------------------------------------------- */

double workspace_read_first(const mutant_call *c, const mutant_spot *s)
{
    return *(const unsigned char *)c->workspace & 2 ? units_off(c, s) : s->reference;
}

void workspace_overrun(mutant_call *c) { memset(c->workspace, 0, c->workspace_bytes + 1); }

cot_status workspace_demanded(const mutant_call *c, cot_error *error)
{
    return c->workspace && c->workspace_bytes ? COT_OK
                                              : mutant_fail(error, COT_WORKSPACE_TOO_SMALL, COT_WORKSPACE, 64, 0,
                                                            "a workspace is needed, though none was asked for");
}

cot_status workspace_alignment_demanded(const mutant_call *c, cot_error *error)
{
    uintptr_t off = (uintptr_t)c->workspace % 64;
    return off ? mutant_fail(error, COT_MISALIGNED, COT_WORKSPACE, 64, (int64_t)off,
                             "the workspace is not a multiple of 64")
               : COT_OK;
}

/* ---- what it says ---------------------------------------------------------------------------- */

cot_status strides_called_invalid(const mutant_call *c, cot_error *error)
{
    return repeats(c->args->dy) ? mutant_fail(error, COT_INVALID_PROBLEM, COT_DY, 1, 0, "a stride of 0") : COT_OK;
}

cot_status alias_refused(const mutant_call *c, cot_error *error)
{
    for (int o = COT_DY; o < COT_DX; o++)
        if (args_view(c->args, (cot_operand)o) && args_view(c->args, (cot_operand)o)->data == first_output(c)->data)
            return mutant_fail(error, COT_INVALID_PROBLEM, c->args->dx ? COT_DX : COT_DA, 0, 1,
                               "an output is an input");
    return COT_OK;
}

/* A save that the op does not need is checked all the same. */
cot_status ignored_save_checked(const mutant_call *c, cot_error *error)
{
    const cot_view *save = c->args->x ? c->args->x : c->args->a;
    return save && save->rank != c->desc.rank
               ? mutant_fail(error, COT_INVALID_PROBLEM, COT_X, c->desc.rank, save->rank, "a save has another rank")
               : COT_OK;
}

cot_status settles_late(mutant_self *self, cot_error *error)
{
    cot_status late = self->late;
    self->late = COT_OK;
    return late ? mutant_fail(error, late, COT_NO_OPERAND, 0, 0, "something was wrong with an earlier call") : COT_OK;
}

static int extents_of_zero(const cot_desc *desc)
{
    int zeros = 0;
    for (int d = 0; d < desc->rank; d++)
        zeros += desc->shape[d] == 0;
    return zeros;
}

cot_status empty_refused(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)sku;
    return extents_of_zero(desc) ? mutant_fail(error, COT_INVALID_PROBLEM, COT_DESC, 1, 0, "there is nothing to do")
                                 : COT_OK;
}

cot_status empty_axis_refused(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)sku;
    return extents_of_zero(desc) == 1 && desc->shape[desc->axis] == 0
               ? mutant_fail(error, COT_INVALID_PROBLEM, COT_DESC, 1, 0, "a reduction of nothing")
               : COT_OK;
}

/* Every second plan says what the first did not. */
cot_status promise_wavers(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)desc, (void)error;
    if (self->asked++ % 2)
        sku->guarantee.deterministic = sku->guarantee.bit_stable = sku->guarantee.bit_identical = 0;
    return COT_OK;
}

cot_status memory_called_workspace(size_t bytes, void **memory, cot_error *error)
{
    *memory = bytes > SIZE_MAX / 8 ? NULL : malloc(bytes ? bytes : 1);
    return *memory ? COT_OK
                   : mutant_fail(error, COT_WORKSPACE_TOO_SMALL, COT_WORKSPACE, (int64_t)(bytes / 2), 0,
                                 "not enough memory");
}
