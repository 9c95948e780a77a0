/* The family table as data: which operands an op has, and what shape each must have. */
#include "internal.h"

/* The words of the columns. */
enum {
    AXIS = COT_TAKES_AXIS,
    REVERSE = COT_TAKES_REVERSE,
    PARAM = COT_TAKES_PARAM,
#define OPERAND(NAME, name, needs, about) NAME = COT_BIT(COT_##NAME),
#include "operands.def"
#undef OPERAND
};

static const cot_family_info families[] = {
#define FAMILY(NAME, name, takes, inputs, outputs, reduced, shared) \
    [COT_##NAME - 1] = { COT_##NAME, #name, takes, inputs, outputs, reduced, shared },
#include "families.def"
#undef FAMILY
};

/* What some family's gradient writes. */
static const uint32_t written = 0
#define FAMILY(NAME, name, takes, inputs, outputs, reduced, shared) | (outputs)
#include "families.def"
#undef FAMILY
    ;

const cot_family_info *cot_family_at(size_t index)
{
    return index < sizeof families / sizeof *families ? &families[index] : NULL;
}

const cot_family_info *cot_family_get(cot_family family)
{
    return family < 1 ? NULL : cot_family_at((size_t)family - 1);
}

const char *cot_family_name(cot_family family)
{
    const cot_family_info *info = cot_family_get(family);
    return info ? info->name : NULL;
}

int cot_op_takes(const cot_op_info *op, uint32_t what) { return (cot_family_get(op->family)->takes & what) != 0; }

int cot_has_axis(const cot_op_info *op) { return cot_op_takes(op, COT_TAKES_AXIS); }

int cot_is_output(cot_operand operand) { return (written & COT_BIT(operand)) != 0; }

int cot_operand_used(const cot_op_info *op, cot_operand operand)
{
    static const uint32_t saves[COT_OPERANDS] = {
#define OPERAND(NAME, name, needs, about) [COT_##NAME] = (needs),
#include "operands.def"
#undef OPERAND
    };
    if (operand == COT_DY)
        return 1;
    if (cot_is_output(operand))
        return (cot_family_get(op->family)->outputs & COT_BIT(operand)) != 0;
    return (size_t)operand < COT_OPERANDS && (op->needs & saves[operand]) != 0;
}

int cot_operand_reduced(const cot_op_info *op, cot_operand operand)
{
    return (cot_family_get(op->family)->reduced & COT_BIT(operand)) != 0;
}

int cot_operand_shared(const cot_op_info *op, cot_operand operand)
{
    return (cot_family_get(op->family)->shared & COT_BIT(operand)) != 0;
}

void cot_operand_shape(const cot_desc *desc, cot_operand operand, int32_t shape[COT_MAX_RANK])
{
    const cot_op_info *op = cot_op_get(desc->op);
    int reduced = cot_operand_reduced(op, operand), shared = cot_operand_shared(op, operand);
    for (int d = 0; d < desc->rank; d++)
        shape[d] = (d == desc->axis ? reduced : shared) ? 1 : desc->shape[d];
}

void cot_dy_shape(const cot_desc *desc, int32_t shape[COT_MAX_RANK]) { cot_operand_shape(desc, COT_DY, shape); }
