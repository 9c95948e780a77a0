/* The spec's own evaluation must lie within the spec's own bound: the literal half of truth against the exact half, for
 * every op and element type. It shows that the two halves agree (orders of summation included), and that no k is too
 * small. */
#include "test_truth.h"

#include "conformance/case/generate.h"

static sample s;

static double drawn(cot_operand operand, int which, int64_t i, double scale)
{
    draw d = { 11, operand, s.desc.element, i, s.n, i, 0 };
    return truth_round(s.desc.element, truth_round(COT_F32, scale * generator_at(which)->value(&d)));
}

static void fill(int which, double scale)
{
    for (int64_t i = 0; i < s.n; i++) {
        s.dy[i] = drawn(COT_DY, which, i, 1);
        s.x[i] = drawn(COT_X, which, i, scale);
        s.a[i] = drawn(COT_A, which, i, scale);
        s.b[i] = drawn(COT_B, which, i, scale);
    }
    if (cot_has_axis(cot_op_get(s.desc.op)))
        save_forward(&s);
}

typedef struct tally {
    int64_t cells, bounded;
    double worst;
} tally;

static void take(tally *t, const truth_cell *cells, const truth_bound *bound)
{
    for (int64_t i = 0; i < s.n; i++) {
        t->cells++;
        if (!(cells[i].holds & TRUTH_BOUND))
            continue;
        t->bounded++;
        t->worst = fmax(t->worst, truth_score(&cells[i], s.desc.element, cells[i].literal, bound));
    }
}

/* The spec's own; with exact products, whose recurrences it does not count, that of any order. */
static truth_bound bound(void)
{
    cot_bound b = cot_bound_under(&s.desc, s.desc.policies.zeros ? COT_ORDER_ANOTHER : COT_ORDER_FOLD);
    return (truth_bound){ b.roundings, b.depth, 0 };
}

static void check_op(cot_op op, cot_element element, cot_policies policies)
{
    static const int64_t lengths[] = { 1, 2, 33, 1100 };
    tally t = { 0, 0, 0 };
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int which = 0; which < 3; which++)
            for (double scale = 1; scale < 50; scale *= 7) {
                start_sample(&s, op, element, lengths[l]);
                s.desc.correction = 1, s.desc.param = 0.3, s.desc.reverse = which & 1, s.desc.policies = policies;
                fill(which, scale);
                run_gradient(&s);
                const truth_bound own = bound();
                take(&t, s.first, &own);
                if (!cot_has_axis(cot_op_get(op)))
                    take(&t, s.second, &own);
            }
    ok(t.bounded > 0 && t.worst <= 1, "%s%s %s: %lld of %lld cells bounded, worst err/bound %.3f", cot_op_get(op)->name,
       policies.zeros                         ? ", exact at zeros,"
       : policies.quotient || policies.centre ? ", accurate,"
                                              : "",
       cot_element_name(element), (long long)t.bounded, (long long)t.cells, t.worst);
}

int main(void)
{
    static const cot_op accurate[] = { COT_NORM2, COT_VAR, COT_STD, COT_DIV, COT_ATAN2, COT_HYPOT };
    const cot_op_info *op;
    plan(NO_PLAN);
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            check_op(op->op, (cot_element)e, (cot_policies){ 0 });
    check_op(COT_PROD, COT_F64, (cot_policies){ .zeros = COT_ZEROS_EXACT });
    check_op(COT_CUMPROD, COT_F64, (cot_policies){ .zeros = COT_ZEROS_EXACT });
    check_op(COT_PROD, COT_F64, (cot_policies){ .zeros = COT_ZEROS_WHERE_ZERO });
    check_op(COT_CUMPROD, COT_F64, (cot_policies){ .zeros = COT_ZEROS_WHERE_ZERO });
    for (size_t i = 0; i < sizeof accurate / sizeof *accurate; i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            check_op(accurate[i], (cot_element)e, (cot_policies){ .quotient = 1, .centre = 1 });
    truth_end();
    return done_testing();
}
