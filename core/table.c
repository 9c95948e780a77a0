/* The op table and the policy table as data, and look-ups in them. */
#include "internal.h"
#include "policy_bits.h"

#include <string.h>

/* The order of every kind of sum. */
enum {
    ORDER_OF_NONE = COT_ORDER_NONE,
    ORDER_OF_FOLD = COT_ORDER_FOLD,
    ORDER_OF_SCAN = COT_ORDER_SCAN,
    ORDER_OF_WINNER = COT_ORDER_SCAN,
    ORDER_OF_RECURRENCE = COT_ORDER_SCAN
};

/* The words of the columns `needs` and `traits`. */
enum {
#define OPERAND(NAME, name, needs, about) NAME = (needs),
#include "operands.def"
#undef OPERAND
    Y_UNREAD = COT_Y_UNREAD,
    Y_SUMMED = COT_Y_SUMMED,
    EXACT = COT_OP_EXACT,
    MIRRORS = COT_OP_MIRRORS,
    RELATIVE = COT_OP_RELATIVE,
    CORRECTS = COT_OP_CORRECTS,
    NONEMPTY = COT_OP_NONEMPTY,
    SLOW = COT_OP_SLOW
};

// clang-format off
static const cot_op_info ops[] = {
#define P(NAME) (1u << POLICY_##NAME)
#define OP(family, NAME, name, needs, policies, kind, rounds, spare, points, traits, forward, gradient) \
    [COT_##NAME - 1] = { COT_##NAME, COT_##family, #name, needs, policies, (cot_order)ORDER_OF_##kind, rounds, spare, \
                         forward, gradient, COT_KIND_##kind, COT_POINTS_##points, traits },
#include "ops.def"
#undef OP
};
// clang-format on

/* The names of each policy's values. */
static const char *const value_names[POLICY_COUNT][8] = {
#define POLICY(NAME, name, spec, torch, jax, accurate, about)
#define VALUE(POLICY, NAME, name) [POLICY_##POLICY][COT_##POLICY##_##NAME] = #name,
#include "policies.def"
#undef POLICY
#undef VALUE
};

// clang-format off
static const cot_policy_info policies[] = {
#define POLICY(NAME, name, spec, torch, jax, accurate, about) \
    { #name, offsetof(cot_policies, name), value_names[POLICY_##NAME], \
      { COT_##NAME##_##spec, COT_##NAME##_##torch, COT_##NAME##_##jax, COT_##NAME##_##accurate }, about },
#define VALUE(POLICY, NAME, name)
#include "policies.def"
#undef POLICY
#undef VALUE
};
// clang-format on

const cot_op_info *cot_op_at(size_t index) { return index < sizeof ops / sizeof *ops ? &ops[index] : NULL; }

size_t cot_op_count(void) { return sizeof ops / sizeof *ops; }

const cot_op_info *cot_op_get(cot_op op) { return op < 1 ? NULL : cot_op_at((size_t)op - 1); }

const cot_op_info *cot_op_find(const char *name)
{
    for (const cot_op_info *op = ops; op < ops + sizeof ops / sizeof *ops; op++)
        if (!strcmp(op->name, name))
            return op;
    return NULL;
}

const cot_policy_info *cot_policy_at(size_t index) { return index < POLICY_COUNT ? &policies[index] : NULL; }

cot_status cot_convention_policies(cot_convention which, cot_policies *out)
{
    if ((unsigned)which > COT_CONVENTION_ACCURATE)
        return COT_UNSUPPORTED;
    *out = (cot_policies){ 0 };
    for (size_t i = 0; i < POLICY_COUNT; i++)
        ((uint8_t *)out)[policies[i].offset] = policies[i].conventions[which];
    return COT_OK;
}

int cot_uses_spec_policies(cot_op op, const cot_policies *given)
{
    for (size_t i = 0; i < POLICY_COUNT; i++)
        if (cot_heeds(cot_op_get(op), (int)i)
            && ((const uint8_t *)given)[policies[i].offset] != policies[i].conventions[COT_CONVENTION_SPEC])
            return 0;
    return 1;
}
