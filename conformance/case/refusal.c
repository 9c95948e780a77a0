/* Bad calls by the name of what is wrong with them, one or two at a time. */
#include "refusal.h"

#include <string.h>

int refusal_find(const char *name)
{
    for (int row = 0; refusal_at(row); row++)
        if (!strcmp(refusal_at(row)->name, name))
            return row;
    return -1;
}

int refusal_is_of(const refusal *r, const cot_op_info *op, cot_operand operand)
{
    switch (r->kind) {
    case REFUSAL_OPERAND: return operand >= COT_DY && cot_operand_used(op, operand);
    case REFUSAL_OUTPUT: return operand >= COT_DX && cot_operand_used(op, operand);
    default: return operand == COT_NO_OPERAND;
    }
}

void bad_call_begin(bad_call *to, const cot_desc *desc)
{
    *to = (bad_call){ .good = *desc, .desc.known = *desc, .preference.known = { COT_SIZED(cot_preference) } };
    for (int o = COT_DY; o < OPERANDS; o++) {
        int32_t shape[COT_MAX_RANK];
        if (!cot_operand_used(cot_op_get(desc->op), (cot_operand)o))
            continue;
        cot_operand_shape(desc, (cot_operand)o, shape);
        to->views[o] = cot_contiguous(desc->element, desc->rank, shape, NULL);
    }
    point_args(&to->args.known, to->views);
}

static int spoil(const refusal *r, bad_call *to, cot_operand operand)
{
    return r->spoil ? r->spoil(to) : r->spoil_operand(to, operand);
}

/* The mistake that is found first is made last, so that what it wants stands. */
int refusal_apply(const test_case *c, bad_call *to)
{
    for (int i = CASE_REFUSALS - 1; i >= 0; i--)
        if (c->bad[i].row && !spoil(refusal_at(c->bad[i].row - 1), to, c->bad[i].operand))
            return -1;
    return 0;
}

int refusal_fits(const test_case *c)
{
    static const cot_guarantee none;
    static double somewhere[2];
    bad_call alone, both;
    test_case first = *c;
    first.bad[1].row = 0;
    bad_call_begin(&alone, &c->desc);
    bad_call_begin(&both, &c->desc);
    alone.promise = both.promise = &none;
    alone.workspace = both.workspace = (char *)somewhere;
    for (int o = COT_DY; o < OPERANDS; o++)
        alone.views[o].data = both.views[o].data = somewhere;
    if (refusal_apply(&first, &alone) || refusal_apply(c, &both))
        return 0;
    const refusal *a = refusal_at(c->bad[0].row - 1), *b = c->bad[1].row ? refusal_at(c->bad[1].row - 1) : NULL;
    int same_place =
        b && a->kind == REFUSAL_OUTPUT && b->kind == REFUSAL_OUTPUT && c->bad[0].operand == c->bad[1].operand;
    return !b || (alone.wanted.code && a->kind != REFUSAL_PREFERENCE && b->kind != REFUSAL_MEMORY && !same_place);
}
