/* Every rejection, for every op that it applies to: code, operand, needed and got; then every pair of them in one call,
 * to show which is found first. A spoiler breaks a good call in one way and says what must come of it. The list of
 * spoilers stands in the spec's order of checks (clause VALID-ORDER). */
#include "test_call.h"

typedef struct spoiler {
    const char *name;
    void (*spoil)(call *c, cot_operand operand);
    bool (*applies)(const cot_op_info *op);
} spoiler;

/* ---- the descriptor -------------------------------------------------------------------------- */

static void size_zero(call *c, cot_operand o)
{
    c->desc.size = 0;
    want(c, COT_INVALID_PROBLEM, o, sizeof(cot_desc), 0);
}

static void size_small(call *c, cot_operand o)
{
    c->desc.size = sizeof(cot_desc) - 8;
    want(c, COT_INVALID_PROBLEM, o, sizeof(cot_desc), sizeof(cot_desc) - 8);
}

static void size_newer(call *c, cot_operand o)
{
    c->desc.size = sizeof(cot_desc) + sizeof c->newer_fields;
    c->newer_fields[3] = 1;
    want(c, COT_UNSUPPORTED, o, sizeof(cot_desc), sizeof(cot_desc) + sizeof c->newer_fields);
}

static void rank_zero(call *c, cot_operand o) { c->desc.rank = 0, want(c, COT_INVALID_PROBLEM, o, 1, 0); }
static void rank_negative(call *c, cot_operand o) { c->desc.rank = -3, want(c, COT_INVALID_PROBLEM, o, 1, -3); }
static void rank_nine(call *c, cot_operand o) { c->desc.rank = 9, want(c, COT_UNSUPPORTED, o, 8, 9); }
static void element_zero(call *c, cot_operand o) { c->desc.element = 0, want(c, COT_UNSUPPORTED, o, COT_F64, 0); }
static void element_unknown(call *c, cot_operand o) { c->desc.element = 99, want(c, COT_UNSUPPORTED, o, COT_F64, 99); }
static void axis_negative(call *c, cot_operand o) { c->desc.axis = -1, want(c, COT_INVALID_PROBLEM, o, 2, -1); }
static void axis_rank(call *c, cot_operand o) { c->desc.axis = 2, want(c, COT_INVALID_PROBLEM, o, 2, 2); }
static void axis_family(call *c, cot_operand o) { c->desc.family = COT_BINARY, axis_rank(c, o); }
static void axis_op(call *c, cot_operand o) { c->desc.op = 999, axis_family(c, o); }
static void dim_negative(call *c, cot_operand o) { c->desc.shape[0] = -4, want(c, COT_INVALID_PROBLEM, o, 0, -4); }

static void dims_overflow(call *c, cot_operand o)
{
    c->desc.shape[0] = c->desc.shape[1] = INT32_MAX;
    want(c, COT_INVALID_PROBLEM, o, INT64_MAX, INT64_MAX);
}

static void op_zero(call *c, cot_operand o) { c->desc.op = 0, want(c, COT_UNSUPPORTED, o, (int64_t)cot_op_count(), 0); }
static void op_unknown(call *c, cot_operand o)
{
    c->desc.op = 999, want(c, COT_UNSUPPORTED, o, (int64_t)cot_op_count(), 999);
}

static void family_other(call *c, cot_operand o)
{
    cot_family own = cot_op_get(c->good.op)->family;
    c->desc.family = own == COT_BINARY         ? COT_BINARY_PARAM
                     : own == COT_BINARY_PARAM ? COT_BINARY
                     : own == COT_SCAN         ? COT_REDUCE
                                               : COT_SCAN;
    want(c, COT_UNSUPPORTED, o, own, c->desc.family);
}

static void policy_unknown(call *c, cot_operand o)
{
    c->desc.policies.zeros = 7, want(c, COT_UNSUPPORTED, o, COT_ZEROS_WHERE_ZERO, 7);
}

static void policy_reserved(call *c, cot_operand o)
{
    c->desc.policies.reserved[0] = 1, want(c, COT_UNSUPPORTED, o, 0, 1);
}

/* ---- one operand ----------------------------------------------------------------------------- */

static void absent(call *c, cot_operand o)
{
    *slot(c, o) = NULL;
    want(c, COT_INVALID_PROBLEM, o, 1, 0);
}

static void no_data(call *c, cot_operand o)
{
    c->views[o].data = NULL;
    want(c, COT_INVALID_PROBLEM, o, cells(c, o), 0);
}

static void no_data_in_none(call *c, cot_operand o) { c->views[o].shape[0] = 0, no_data(c, o); }

static void other_element(call *c, cot_operand o)
{
    c->views[o].element = COT_F64, want(c, COT_UNSUPPORTED, o, COT_F32, COT_F64);
}
static void no_element(call *c, cot_operand o) { c->views[o].element = 77, want(c, COT_UNSUPPORTED, o, COT_F32, 77); }
static void other_rank(call *c, cot_operand o) { c->views[o].rank = 3, want(c, COT_INVALID_PROBLEM, o, 2, 3); }
static void huge_rank(call *c, cot_operand o) { c->views[o].rank = 100, want(c, COT_INVALID_PROBLEM, o, 2, 100); }
static void other_shape(call *c, cot_operand o) { c->views[o].shape[0] = 5, want(c, COT_INVALID_PROBLEM, o, 4, 5); }

static void other_extent(call *c, cot_operand o) /* of the axis: 1 in a reduction's dy and y, 6 elsewhere */
{
    int32_t right = c->views[o].shape[1];
    c->views[o].shape[1] = right == 1 ? 6 : 1;
    want(c, COT_INVALID_PROBLEM, o, right, right == 1 ? 6 : 1);
}

static void stride_negative(call *c, cot_operand o)
{
    c->views[o].strides[1] = -1, want(c, COT_INVALID_PROBLEM, o, 0, -1);
}

static void stride_huge(call *c, cot_operand o)
{
    c->views[o].strides[0] = INT64_MAX / 2;
    want(c, COT_INVALID_PROBLEM, o, INT64_MAX, INT64_MAX);
}

static void too_short(call *c, cot_operand o)
{
    c->bent[o]++;
    c->views[o].length = cells(c, o) - 1;
    want(c, COT_BUFFER_TOO_SMALL, o, cells(c, o), cells(c, o) - 1);
}

static void length_negative(call *c, cot_operand o)
{
    c->bent[o]++;
    c->views[o].length = -1;
    want(c, COT_BUFFER_TOO_SMALL, o, cells(c, o), -1);
}

static void misaligned(call *c, cot_operand o)
{
    c->views[o].data = (char *)c->views[o].data + 2;
    want(c, COT_MISALIGNED, o, 4, 2);
}

/* ---- overlap --------------------------------------------------------------------------------- */

static void self_overlap(call *c, cot_operand o)
{
    c->bent[o]++;
    c->views[o].strides[0] = 5; /* rows of 6 cells, 5 apart */
    want(c, COT_INVALID_PROBLEM, o, 6, 5);
}

static void broadcast_output(call *c, cot_operand o)
{
    c->bent[o]++;
    c->views[o].strides[0] = 0;
    want(c, COT_INVALID_PROBLEM, o, 1, 0);
}

static void shifted_alias(call *c, cot_operand o)
{
    c->bent[o]++;
    c->views[o].data = (float *)c->views[COT_DY].data + 1;
    int64_t shared = 4 * (cells(c, COT_DY) - 1);
    want(c, COT_INVALID_PROBLEM, o, 0, shared);
}

static void transposed_alias(call *c, cot_operand o)
{
    c->bent[o]++;
    c->views[o].data = c->views[COT_DY].data;
    c->views[o].strides[0] = 1;
    c->views[o].strides[1] = 4;
    want(c, COT_INVALID_PROBLEM, o, 0, 4 * cells(c, COT_DY));
}

static void same_outputs(call *c, cot_operand o)
{
    c->bent[o]++;
    c->views[o].data = c->views[COT_DA].data;
    want(c, COT_INVALID_PROBLEM, o, 0, 4 * cells(c, COT_DA));
}

/* ---- the lists ------------------------------------------------------------------------------- */

static bool has_axis(const cot_op_info *op) { return cot_has_axis(op); }

static const spoiler of_desc[] = {
    { "size 0", size_zero, NULL },
    { "size too small", size_small, NULL },
    { "a field of a newer header", size_newer, NULL },
    { "rank 0", rank_zero, NULL },
    { "negative rank", rank_negative, NULL },
    { "rank 9", rank_nine, NULL },
    { "element 0", element_zero, NULL },
    { "unknown element", element_unknown, NULL },
    { "negative axis", axis_negative, has_axis },
    { "axis equal to rank", axis_rank, has_axis },
    { "wrong axis, and a family without any", axis_family, has_axis },
    { "wrong axis, and an unknown op in a family without any", axis_op, has_axis },
    { "negative extent", dim_negative, NULL },
    { "size overflow", dims_overflow, NULL },
    { "op 0", op_zero, NULL },
    { "unknown op", op_unknown, NULL },
    { "another family", family_other, NULL },
    { "unknown policy value", policy_unknown, NULL },
    { "reserved policy byte", policy_reserved, NULL },
};

static const spoiler of_operand[] = {
    { "absent", absent, NULL },
    { "NULL data", no_data, NULL },
    { "NULL data of a view that has no cells", no_data_in_none, NULL },
    { "another element", other_element, NULL },
    { "unknown element", no_element, NULL },
    { "another rank", other_rank, NULL },
    { "rank 100", huge_rank, NULL },
    { "another shape", other_shape, NULL },
    { "another extent along the axis", other_extent, NULL },
    { "negative stride", stride_negative, NULL },
    { "strides that overflow", stride_huge, NULL },
    { "too short", too_short, NULL },
    { "negative length", length_negative, NULL },
    { "misaligned", misaligned, NULL },
};

static const spoiler of_output[] = {
    { "overlaps itself", self_overlap, NULL },
    { "repeats itself", broadcast_output, NULL },
    { "overlaps dy shifted", shifted_alias, NULL },
    { "overlaps dy in another layout", transposed_alias, NULL },
};

static const spoiler of_second_output = { "is the first output", same_outputs, NULL };

/* Every way to spoil a call of one op, in the order in which they are found. */
typedef struct plan_of_attack {
    struct {
        const spoiler *spoiler;
        cot_operand operand;
    } list[256];
    int count;
} plan_of_attack;

static void add(plan_of_attack *all, const spoiler *s, size_t count, cot_operand operand, const cot_op_info *op)
{
    for (size_t i = 0; i < count; i++)
        if (!s[i].applies || s[i].applies(op)) {
            all->list[all->count].spoiler = &s[i];
            all->list[all->count++].operand = operand;
        }
}

static void collect(plan_of_attack *all, const cot_op_info *op)
{
    add(all, of_desc, sizeof of_desc / sizeof *of_desc, COT_DESC, op);
    for (int o = COT_DY; o <= COT_DB; o++)
        if (cot_operand_used(op, (cot_operand)o))
            add(all, of_operand, sizeof of_operand / sizeof *of_operand, (cot_operand)o, op);
    for (int o = COT_DX; o <= COT_DB; o++)
        if (cot_operand_used(op, (cot_operand)o)) {
            add(all, of_output, sizeof of_output / sizeof *of_output, (cot_operand)o, op);
            if (o == COT_DB)
                add(all, &of_second_output, 1, COT_DB, op);
        }
}

static void test_one(const cot_op_info *op, const spoiler *s, cot_operand operand)
{
    call c;
    good_call(&c, op);
    s->spoil(&c, operand);
    cot_error error = make_call(&c);
    const char *about = cot_operand_name(operand);
    if (!ok(as_wanted(&c, &error) && *error.message, "%s: %s %s", op->name, about, s->name))
        diag("wanted %s, got %s: %s", describe(&c.wanted), describe(&error), error.message);
}

/* Two errors that look alike, or that both bend one operand's geometry, say nothing about the order. */
static bool independent(const call *c, const call *alone)
{
    bool alike = c->wanted.operand == alone->wanted.operand && c->wanted.code == alone->wanted.code
                 && c->wanted.got == alone->wanted.got;
    for (int o = COT_DY; o <= COT_DB; o++)
        alike |= c->bent[o] > 1;
    return !alike;
}

static void test_order(const cot_op_info *op, const plan_of_attack *all, int first)
{
    int pairs = 0, wrong = 0;
    for (int second = first + 1; second < all->count; second++) {
        call c, alone;
        good_call(&c, op);
        all->list[second].spoiler->spoil(&c, all->list[second].operand);
        alone = c;
        all->list[first].spoiler->spoil(&c, all->list[first].operand);
        if (!independent(&c, &alone))
            continue;
        cot_error error = make_call(&c);
        pairs++;
        if (!as_wanted(&c, &error) && !wrong++)
            diag("with %s %s: wanted %s, got %s: %s", cot_operand_name(all->list[second].operand),
                 all->list[second].spoiler->name, describe(&c.wanted), describe(&error), error.message);
    }
    if (pairs)
        cmp_ok(wrong, "==", 0, "%s: %s %s is found first in %d calls that are wrong twice", op->name,
               cot_operand_name(all->list[first].operand), all->list[first].spoiler->name, pairs);
}

/* VALID-AXIS: a family that has an axis gives none to an op that has none. */
static void test_family_axis(void)
{
    cot_desc desc = { COT_SIZED(cot_desc), .op = COT_MUL, .element = COT_F32, .rank = 1, .shape = { 2 }, .axis = -7 };
    cot_error error;
    cmp_ok(cot_check_desc(&desc, &error), "==", COT_OK, "mul ignores its axis");
    desc.family = COT_SCAN;
    cmp_ok(cot_check_desc(&desc, &error), "==", COT_UNSUPPORTED, "and the axis of another family");
    cmp_ok(error.got, "==", COT_SCAN, "which is what is refused");
}

int main(void)
{
    const cot_op_info *op;
    plan(NO_PLAN);
    test_family_axis();
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        plan_of_attack all = { .count = 0 };
        collect(&all, op);
        for (int k = 0; k < all.count; k++)
            test_one(op, all.list[k].spoiler, all.list[k].operand);
        for (int k = 0; k < all.count; k++)
            test_order(op, &all, k);
    }
    return done_testing();
}
