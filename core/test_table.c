/* The op table, the policy table, element names: each look-up finds what it should, and nothing else. */
#include "internal.h"
#include "conformance/tap/tap.h"

#include <string.h>

static void test_ops(void)
{
    int members[16] = { 0 };
    const cot_op_info *op;
    size_t i = 0;
    for (; (op = cot_op_at(i)); i++) {
        members[op->family]++;
        ok(cot_op_get(op->op) == op && cot_op_find(op->name) == op && (size_t)op->op == i + 1,
           "%s is found by enum and name", op->name);
        ok((op->order == COT_ORDER_FOLD) == (op->kind == COT_KIND_FOLD)
               && (op->order == COT_ORDER_SCAN) == (op->kind >= COT_KIND_SCAN)
               && (op->order == COT_ORDER_SCAN) == (op->family == COT_SCAN),
           "%s: the order of its sum fits its kind and family", op->name);
    }
    cmp_ok((long long)i, "==", (long long)cot_op_count(), "the count is that of the rows");
    for (size_t f = 0; cot_family_at(f); f++)
        ok(members[cot_family_at(f)->family] > 0, "family %s has ops", cot_family_at(f)->name);
    ok(!cot_op_get(0) && !cot_op_get((cot_op)(cot_op_count() + 1)) && !cot_op_get((cot_op)-1) && !cot_op_find("sums"),
       "unknown ops are not found");
}

/* An op's gradient has outputs, writes none that it reads, and needs no save that its family does not know. */
static void test_families(void)
{
    const cot_family_info *family;
    for (size_t i = 0; (family = cot_family_at(i)); i++) {
        ok(cot_family_get(family->family) == family && !strcmp(cot_family_name(family->family), family->name),
           "%s is found", family->name);
        ok(family->inputs && family->outputs && !(family->inputs & family->outputs)
               && (family->takes & COT_TAKES_AXIS || !family->reduced),
           "%s has inputs and outputs, and reduces only along an axis", family->name);
    }
    ok(!cot_family_get(0) && !cot_family_get((cot_family)-1), "unknown families are not found");
    is(cot_family_name((cot_family)9), NULL, "an unknown family has no name");
    const cot_op_info *op;
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        uint32_t used = 0, known = cot_family_get(op->family)->inputs | cot_family_get(op->family)->outputs;
        for (int o = COT_FIRST_OPERAND; o <= COT_LAST_OPERAND; o++)
            used |= cot_operand_used(op, (cot_operand)o) ? COT_BIT(o) : 0;
        ok(!(used & ~(known | COT_BIT(COT_DY) | COT_BIT(COT_Y))), "%s uses its family's operands", op->name);
    }
}

static void test_shapes(void)
{
    cot_desc desc = {
        COT_SIZED(cot_desc), .op = COT_VAR, .element = COT_F32, .rank = 3, .shape = { 2, 3, 4 }, .axis = 1
    };
    const int32_t full[] = { 2, 3, 4 }, reduced[] = { 2, 1, 4 };
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&desc, COT_Y, shape);
    cmp_mem(shape, reduced, sizeof reduced, "a reduction's y has extent 1 along the axis");
    cot_operand_shape(&desc, COT_X, shape);
    cmp_mem(shape, full, sizeof full, "its x does not");
    cot_dy_shape(&desc, shape);
    cmp_mem(shape, reduced, sizeof reduced, "its dy does");
    desc.op = COT_SOFTMAX;
    cot_operand_shape(&desc, COT_Y, shape);
    cmp_mem(shape, full, sizeof full, "nor a softmax's y");
    cot_dy_shape(&desc, shape);
    cmp_mem(shape, full, sizeof full, "nor its dy");
    desc.op = COT_MUL, desc.axis = 0;
    cot_dy_shape(&desc, shape);
    cmp_mem(shape, full, sizeof full, "nor that of an elementwise op, whatever its axis");
}

static void test_policies(void)
{
    const cot_policy_info *policy;
    cot_policies spec, torch, jax, accurate;
    ok(!cot_convention_policies(COT_CONVENTION_SPEC, &spec) && !cot_convention_policies(COT_CONVENTION_TORCH, &torch)
           && !cot_convention_policies(COT_CONVENTION_JAX, &jax)
           && !cot_convention_policies(COT_CONVENTION_ACCURATE, &accurate),
       "the conventions are known");
    cmp_ok(cot_convention_policies((cot_convention)4, &jax), "==", COT_UNSUPPORTED, "another convention is not");
    cot_policies zero = { 0 };
    cmp_mem(&spec, &zero, sizeof zero, "the spec's own policies are all zero");
    ok(torch.ties == COT_TIES_SPLIT && torch.pow_zero == COT_POW_ZERO_MASKED && jax.divisor == COT_DIVISOR_DEAD,
       "a convention is a bundle of policies");
    ok(torch.losers == COT_LOSERS_LINE_PRODUCT && jax.losers == COT_LOSERS_PRODUCT && !accurate.losers
           && torch.zeros == COT_ZEROS_WHERE_ZERO && torch.quotient == COT_QUOTIENT_DIV_NORM2,
       "who loses gets g * 0 in frameworks, in all ops or in some");
    ok(accurate.quotient == COT_QUOTIENT_CAREFUL && accurate.centre == COT_CENTRE_SHIFTED
           && accurate.zeros == COT_ZEROS_EXACT && !accurate.ties && !accurate.divisor,
       "accurate changes how numbers are computed, not what an edge is");
    uint32_t heeded = 0;
    for (size_t i = 0; i < cot_op_count(); i++)
        heeded |= cot_op_at(i)->policies;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        ok(heeded >> i & 1 && policy->values[0] && policy->values[1], "policy %s has values, and an op heeds it",
           policy->name);
    ok(cot_uses_spec_policies(COT_MAX, &spec) && cot_uses_spec_policies(COT_ADD, &spec), "zero is the spec's own");
    ok(!cot_uses_spec_policies(COT_MAX, &torch) && cot_uses_spec_policies(COT_ADD, &torch),
       "another value counts where the op heeds the policy");
    spec.max_nan = COT_MAX_NAN_FIRST;
    ok(!cot_uses_spec_policies(COT_MIN, &spec) && cot_uses_spec_policies(COT_CUMMAX, &spec), "one policy alone, too");
}

static void test_elements(void)
{
    static const struct {
        cot_element element;
        const char *name;
        size_t size;
    } rows[] = { { COT_F16, "f16", 2 }, { COT_BF16, "bf16", 2 }, { COT_F32, "f32", 4 }, { COT_F64, "f64", 8 } };
    for (size_t i = 0; i < 4; i++) {
        is(cot_element_name(rows[i].element), rows[i].name, "%s by enum", rows[i].name);
        cmp_ok((long long)cot_element_size(rows[i].element), "==", (long long)rows[i].size, "%s has its size",
               rows[i].name);
        cmp_ok(cot_element_find(rows[i].name), "==", rows[i].element, "%s by name", rows[i].name);
    }
    ok(!cot_element_name(0) && !cot_element_size((cot_element)5) && !cot_element_find("f8"),
       "unknown elements are not found");
    is(cot_status_name(COT_BUFFER_TOO_SMALL), "COT_BUFFER_TOO_SMALL", "a status has a name");
    is(cot_status_name((cot_status)40), "unknown status", "an unknown one too");
}

/* The longest chains of additions, counted by hand from the definitions of fold and scan. */
static void test_bounds(void)
{
    static const struct {
        cot_op op;
        int n;
        double bound;
    } rows[] = {
        { COT_SOFTMAX, 1, 3 },     { COT_SOFTMAX, 2, 4 },     { COT_SOFTMAX, 32, 8 }, { COT_SOFTMAX, 33, 9 },
        { COT_SOFTMAX, 1024, 39 }, { COT_SOFTMAX, 1025, 40 }, { COT_CUMSUM, 1, 2 },   { COT_CUMSUM, 1024, 64 },
        { COT_CUMSUM, 2048, 65 },  { COT_MUL, 5000, 1 },      { COT_MAX, 5000, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cot_desc desc = { COT_SIZED(cot_desc), .op = rows[i].op, .element = COT_F32, .rank = 1,
                          .shape = { rows[i].n } };
        ok(cot_rounding_bound(&desc) == rows[i].bound, "%s over %d cells: %g roundings", cot_op_get(rows[i].op)->name,
           rows[i].n, rows[i].bound);
    }
}

int main(void)
{
    plan(NO_PLAN);
    test_ops();
    test_families();
    test_shapes();
    test_policies();
    test_elements();
    test_bounds();
    return done_testing();
}
