/* The spec's own evaluation must lie within the spec's own bound: the literal half of truth against the exact half, for every op
 * and element type. It shows that the two halves agree (orders of summation included), and that no k is too small. */
#include "test_truth.h"

#include "generate.h"

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
    if (!has_pairs(s.desc.op))
        save_forward(&s);
}

typedef struct tally {
    int64_t cells, bounded;
    double worst;
} tally;

static void take(tally *t, const truth_cell *cells, double k)
{
    for (int64_t i = 0; i < s.n; i++) {
        t->cells++;
        if (!(cells[i].holds & TRUTH_BOUND))
            continue;
        t->bounded++;
        t->worst = fmax(t->worst, truth_score(&cells[i], s.desc.element, cells[i].literal, k));
    }
}

/* What the reference promises is the spec's own k; where it does not do the op, more than any order of adding needs. */
static double roundings(cot_backend *reference)
{
    cot_plan *promise;
    if (s.desc.policies.zeros == COT_ZEROS_EXACT || cot_select(reference, &s.desc, NULL, &promise, NULL))
        return cot_op_get(s.desc.op)->roundings + 4 * (double)s.n;
    double k = cot_precision_guarantee(promise)->ulp_bound;
    cot_plan_free(promise);
    return k;
}

static void check_op(cot_backend *reference, cot_op op, cot_element element, uint8_t zeros)
{
    static const int64_t lengths[] = { 1, 2, 33, 1100 };
    tally t = { 0, 0, 0 };
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int which = 0; which < 3; which++)
            for (double scale = 1; scale < 50; scale *= 7) {
                start_sample(&s, op, element, lengths[l]);
                s.desc.correction = 1, s.desc.param = 0.3, s.desc.reverse = which & 1, s.desc.policies.zeros = zeros;
                fill(which, scale);
                run_gradient(&s);
                take(&t, s.first, roundings(reference));
                if (has_pairs(op))
                    take(&t, s.second, roundings(reference));
            }
    ok(t.bounded > 0 && t.worst <= 1, "%s%s %s: %lld of %lld cells bounded, worst err/bound %.3f", cot_op_get(op)->name, zeros ? ", exact at zeros," : "",
       cot_element_name(element), (long long)t.bounded, (long long)t.cells, t.worst);
}

int main(void)
{
    const cot_op_info *op;
    cot_backend *reference;
    plan(NO_PLAN);
    if (cot_backend_open("ref", NULL, &reference, NULL))
        BAIL_OUT("there is no reference");
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            check_op(reference, op->op, (cot_element)e, COT_ZEROS_LITERAL);
    check_op(reference, COT_PROD, COT_F64, COT_ZEROS_EXACT);
    check_op(reference, COT_CUMPROD, COT_F64, COT_ZEROS_EXACT);
    cot_backend_close(reference);
    truth_end();
    return done_testing();
}
