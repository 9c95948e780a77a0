/* Defects in what is refused. A rule that is missing is the right check of a call in which that rule's matter has been
 * put right. */
#include "mutant_defects.h"

#include <string.h>

/* ---- putting right --------------------------------------------------------------------------- */

/* An address of its own for each operand, which no check ever follows. */
static void *nowhere(int operand)
{
    return (void *)(((uintptr_t)1 << (sizeof(void *) * 8 - 20)) + ((uintptr_t)operand << (sizeof(void *) * 8 - 26)));
}

static void put_right(mutant_plea *p, int operand)
{
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&p->desc, (cot_operand)operand, shape);
    p->views[operand] = cot_contiguous(p->desc.element, p->desc.rank, shape, nowhere(operand));
    p->given[operand] = 1;
}

static int uses(const mutant_plea *p, int operand)
{
    const cot_op_info *op = cot_op_get(p->desc.op);
    return op && cot_operand_used(op, (cot_operand)operand);
}

static void put_all_right(mutant_plea *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (uses(p, o))
            put_right(p, o);
}

void fix_rank(mutant_plea *p)
{
    p->desc.rank = p->desc.rank < 1 ? 1 : p->desc.rank > COT_MAX_RANK ? COT_MAX_RANK : p->desc.rank;
}

void fix_element(mutant_plea *p) { p->desc.element = cot_element_name(p->desc.element) ? p->desc.element : COT_F32; }

void fix_axis(mutant_plea *p)
{
    if (p->desc.axis >= 0 && p->desc.axis < p->desc.rank)
        return;
    p->desc.axis = 0;
    put_all_right(p);
}

void fix_axis_of_family(mutant_plea *p)
{
    const cot_family_info *family = cot_family_get(p->desc.family);
    if (family && !(family->takes & COT_TAKES_AXIS))
        fix_axis(p);
}

void fix_extents(mutant_plea *p)
{
    for (int d = 0; d < COT_MAX_RANK; d++)
        p->desc.shape[d] = 1;
    put_all_right(p);
}

void fix_op(mutant_plea *p)
{
    p->desc.op = cot_op_get(p->desc.op) ? p->desc.op : COT_SUM;
    p->desc.family = 0;
}

void fix_policies(mutant_plea *p) { memset(&p->desc.policies, 0, sizeof p->desc.policies); }

void fix_presence(mutant_plea *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (uses(p, o) && !p->given[o])
            put_right(p, o);
        else if (uses(p, o) && !p->views[o].data)
            p->views[o].data = nowhere(o);
}

void fix_presence_of_view(mutant_plea *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (uses(p, o) && p->given[o] && !cot_cell_count(p->views[o].rank, p->views[o].shape))
            p->views[o].data = p->views[o].data ? p->views[o].data : nowhere(o);
}

void fix_view_elements(mutant_plea *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        p->views[o].element = p->desc.element;
}

void fix_shapes(mutant_plea *p)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        int64_t length = p->views[o].length;
        void *data = p->views[o].data;
        if (uses(p, o) && p->given[o]) {
            put_right(p, o);
            p->views[o].data = data;
            p->views[o].length = length > p->views[o].length ? length : p->views[o].length;
        }
    }
}

void fix_strides(mutant_plea *p) { fix_shapes(p); }

void fix_lengths(mutant_plea *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        p->views[o].length = INT64_MAX / 16;
}

void fix_alignment(mutant_plea *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        p->views[o].data = (char *)p->views[o].data - (uintptr_t)p->views[o].data % cot_element_size(p->desc.element);
}

void fix_self_overlap(mutant_plea *p)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        if (uses(p, o))
            put_right(p, o);
}

void fix_overlap(mutant_plea *p)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        p->views[o].data = nowhere(o);
}

void fix_inputs(mutant_plea *p)
{
    for (int o = COT_DY; o < COT_DX; o++)
        if (uses(p, o))
            put_right(p, o);
}

/* All of the descriptor but its op. */
void fix_before_op(mutant_plea *p)
{
    fix_rank(p);
    fix_element(p);
    fix_axis(p);
    fix_extents(p);
}

/* ---- checking -------------------------------------------------------------------------------- */

static int whole(const cot_desc *desc) { return desc && desc->size >= sizeof *desc; }

/* The right answer to the call as `repair` would have it. */
static cot_status check_repaired(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    mutant_plea p = { .desc = *desc };
    cot_args repaired = { COT_SIZED(cot_args) };
    for (int o = COT_DY; args && o < OPERANDS; o++)
        if ((p.given[o] = args_view(args, (cot_operand)o) != NULL))
            p.views[o] = *args_view(args, (cot_operand)o);
    p.desc.size = sizeof p.desc;
    self->m->repair(&p);
    for (int o = COT_DY; o < OPERANDS; o++)
        *args_slot(&repaired, (cot_operand)o) = p.given[o] ? &p.views[o] : NULL;
    return check_unbroken(self, &p.desc, args ? &repaired : NULL, error);
}

/* A rule is missing; or, with a status, it is there and says that. */
cot_status rule_missed(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_error other;
    cot_status status = check_unbroken(self, desc, args, error);
    if (!status || !whole(desc))
        return status;
    if (!self->m->with)
        return check_repaired(self, desc, args, error);
    if (check_repaired(self, desc, args, &other) == status && other.operand == error->operand
        && other.got == error->got)
        return status;
    return error->code = (cot_status)self->m->with;
}

/* What `repair` leaves is looked at before the rest. */
cot_status checked_too_early(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    if (!whole(desc) || !cot_op_get(desc->op))
        return check_unbroken(self, desc, args, error);
    cot_status status = check_repaired(self, desc, args, error);
    return status ? status : check_unbroken(self, desc, args, error);
}

cot_status op_checked_first(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = whole(desc) && !args ? check_repaired(self, desc, NULL, error) : COT_OK;
    return status ? status : check_unbroken(self, desc, args, error);
}

cot_status size_called_unsupported(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = check_unbroken(self, desc, args, error);
    return whole(desc) || !error ? status : (error->code = COT_UNSUPPORTED);
}

cot_status detail_swapped(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = check_unbroken(self, desc, args, error);
    if (status && error) {
        int64_t needed = error->needed;
        error->needed = error->got;
        error->got = needed;
    }
    return status;
}

cot_status operand_unnamed(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = check_unbroken(self, desc, args, error);
    if (status && args && error)
        error->operand = COT_ARGS;
    return status;
}

/* Nothing to do, so nothing to check; `with`: only where dy has cells. */
cot_status empty_unchecked(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = check_unbroken(self, desc, args, error);
    if (!args || cot_cell_count(desc->rank, desc->shape))
        return status;
    return self->m->with && desc->shape[desc->axis] ? status : COT_OK;
}

/* Accepts every call, and says at synchronise that one was wrong. */
cot_status refused_late(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = check_unbroken(self, desc, args, error);
    if (!args)
        return status;
    self->late = status;
    return COT_OK;
}
