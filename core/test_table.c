/* The op table, the policy table, element names: each look-up finds what it should, and nothing else. */
#include "internal.h"
#include "tap.h"

#include <string.h>

static void test_ops(void)
{
    static const int members[] = { [COT_REDUCE] = 9, [COT_SCAN] = 5, [COT_BINARY] = 9, [COT_BINARY_PARAM] = 1, [COT_SOFTMAX_FAMILY] = 2 };
    int count[6] = { 0 };
    const cot_op_info *op;
    size_t i = 0;
    for (; (op = cot_op_at(i)); i++) {
        count[op->family]++;
        ok(cot_op_get(op->op) == op && cot_op_find(op->name) == op && (size_t)op->op == i + 1, "%s is found by enum and name",
           op->name);
    }
    cmp_ok((long long)i, "==", 26, "there are 26 ops");
    for (int f = COT_REDUCE; f <= COT_SOFTMAX_FAMILY; f++)
        cmp_ok(count[f], "==", members[f], "family %s has its ops", cot_family_name((cot_family)f));
    ok(!cot_op_get(0) && !cot_op_get((cot_op)27) && !cot_op_get((cot_op)-1) && !cot_op_find("sums"), "unknown ops are not found");
    is(cot_family_name((cot_family)9), NULL, "an unknown family has no name");
}

static void test_policies(void)
{
    const cot_policy_info *policy;
    cot_policies spec, torch, jax;
    ok(!cot_convention_policies(COT_CONVENTION_SPEC, &spec) && !cot_convention_policies(COT_CONVENTION_TORCH, &torch)
           && !cot_convention_policies(COT_CONVENTION_JAX, &jax),
       "the conventions are known");
    cmp_ok(cot_convention_policies((cot_convention)3, &jax), "==", COT_UNSUPPORTED, "another convention is not");
    cot_policies zero = { 0 };
    cmp_mem(&spec, &zero, sizeof zero, "the spec's own policies are all zero");
    ok(torch.ties == COT_TIES_SPLIT && torch.pow_zero == COT_POW_ZERO_MASKED && jax.divisor == COT_DIVISOR_DEAD,
       "a convention is a bundle of policies");
    uint32_t heeded = 0;
    for (size_t i = 0; i < cot_op_count(); i++)
        heeded |= cot_op_at(i)->policies;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        ok(heeded >> i & 1 && policy->values[0] && policy->values[1], "policy %s has values, and an op heeds it", policy->name);
}

static void test_elements(void)
{
    static const struct { cot_element element; const char *name; size_t size; } rows[] = {
        { COT_F16, "f16", 2 }, { COT_BF16, "bf16", 2 }, { COT_F32, "f32", 4 }, { COT_F64, "f64", 8 } };
    for (size_t i = 0; i < 4; i++) {
        is(cot_element_name(rows[i].element), rows[i].name, "%s by enum", rows[i].name);
        cmp_ok((long long)cot_element_size(rows[i].element), "==", (long long)rows[i].size, "%s has its size", rows[i].name);
        cmp_ok(cot_element_find(rows[i].name), "==", rows[i].element, "%s by name", rows[i].name);
    }
    ok(!cot_element_name(0) && !cot_element_size((cot_element)5) && !cot_element_find("f8"), "unknown elements are not found");
    is(cot_status_name(COT_BUFFER_TOO_SMALL), "COT_BUFFER_TOO_SMALL", "a status has a name");
    is(cot_status_name((cot_status)40), "unknown status", "an unknown one too");
}

/* The longest chains of additions, counted by hand from the definitions of fold and scan. */
static void test_bounds(void)
{
    static const struct { cot_op op; int n; double bound; } rows[] = {
        { COT_SOFTMAX, 1, 3 },   { COT_SOFTMAX, 2, 4 },     { COT_SOFTMAX, 32, 8 },   { COT_SOFTMAX, 33, 9 },
        { COT_SOFTMAX, 1024, 39 }, { COT_SOFTMAX, 1025, 40 }, { COT_CUMSUM, 1, 2 },   { COT_CUMSUM, 1024, 64 },
        { COT_CUMSUM, 2048, 65 },  { COT_MUL, 5000, 1 },      { COT_MAX, 5000, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cot_desc desc = { COT_SIZED(cot_desc), .op = rows[i].op, .element = COT_F32, .rank = 1, .shape = { rows[i].n } };
        ok(cot_rounding_bound(&desc) == rows[i].bound, "%s over %d cells: %g roundings", cot_op_get(rows[i].op)->name, rows[i].n,
           rows[i].bound);
    }
}

int main(void)
{
    plan(NO_PLAN);
    test_ops();
    test_policies();
    test_elements();
    test_bounds();
    return done_testing();
}
