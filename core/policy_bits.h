/* The policies that an op heeds, by name: the bits of cot_op_info.policies. */
#ifndef COT_POLICY_BITS_H
#define COT_POLICY_BITS_H

#include "cotangent.h"

enum {
#define POLICY(NAME, name, spec, torch, jax, accurate, about) POLICY_##NAME,
#define VALUE(POLICY, NAME, name)
#include "policies.def"
#undef POLICY
#undef VALUE
    POLICY_COUNT
};

/* Others may have any value: an op that does not heed a policy is not asked for it. */
static inline int cot_heeds(const cot_op_info *op, int policy) { return op->policies >> policy & 1; }

#endif
