/* The op table and the policy table as data, and look-ups in them. */
#include "internal.h"

#include <string.h>

enum {
#define POLICY(NAME, name, spec, torch, jax, about) POLICY_##NAME,
#define VALUE(POLICY, NAME, name)
#include "policies.def"
#undef POLICY
#undef VALUE
    POLICY_COUNT
};

static const cot_op_info ops[] = {
#define X COT_NEEDS_X
#define Y COT_NEEDS_Y
#define A COT_NEEDS_A
#define B COT_NEEDS_B
#define Y_UNREAD COT_Y_UNREAD
#define P(NAME) (1u << POLICY_##NAME)
#define OP(family, NAME, name, needs, policies, order, rounds, forward, gradient) \
    { COT_##NAME, COT_##family, #name, needs, policies, COT_ORDER_##order, rounds, forward, gradient },
#include "ops.def"
#undef OP
};

/* The names of each policy's values. */
static const char *const value_names[POLICY_COUNT][8] = {
#define POLICY(NAME, name, spec, torch, jax, about)
#define VALUE(POLICY, NAME, name) [POLICY_##POLICY][COT_##POLICY##_##NAME] = #name,
#include "policies.def"
#undef POLICY
#undef VALUE
};

static const cot_policy_info policies[] = {
#define POLICY(NAME, name, spec, torch, jax, about) \
    { #name, offsetof(cot_policies, name), value_names[POLICY_##NAME], \
      { COT_##NAME##_##spec, COT_##NAME##_##torch, COT_##NAME##_##jax }, about },
#define VALUE(POLICY, NAME, name)
#include "policies.def"
#undef POLICY
#undef VALUE
};

const cot_op_info *cot_op_at(size_t index)
{
    return index < sizeof ops / sizeof *ops ? &ops[index] : NULL;
}

size_t cot_op_count(void)
{
    return sizeof ops / sizeof *ops;
}

const cot_op_info *cot_op_get(cot_op op)
{
    return cot_op_at((size_t)op - 1); /* 0 wraps past the end */
}

const cot_op_info *cot_op_find(const char *name)
{
    for (const cot_op_info *op = ops; op < ops + sizeof ops / sizeof *ops; op++)
        if (!strcmp(op->name, name))
            return op;
    return NULL;
}

const char *cot_family_name(cot_family family)
{
    static const char *const names[] = { NULL, "reduce", "scan", "binary", "binary_param", "softmax" };
    size_t i = (size_t)family;
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

const cot_policy_info *cot_policy_at(size_t index)
{
    return index < POLICY_COUNT ? &policies[index] : NULL;
}

cot_status cot_convention_policies(cot_convention which, cot_policies *out)
{
    if ((unsigned)which > COT_CONVENTION_JAX)
        return COT_UNSUPPORTED;
    *out = (cot_policies){ 0 };
    for (size_t i = 0; i < POLICY_COUNT; i++)
        ((uint8_t *)out)[policies[i].offset] = policies[i].conventions[which];
    return COT_OK;
}
