/* Pairs of doubles against MPFR, over every generator: the same literals, the same certainty, and exact values and
 * sizes that differ by less than any bound could notice. */
#include "test_truth.h"

#include "conformance/case/generate.h"

static sample s;
static truth_cell wide_first[LONGEST], wide_second[LONGEST];

static double drawn(cot_operand operand, int which, int64_t i)
{
    double cell;
    draw d = { 5, operand, s.desc.element, i, s.n, i, 0 };
    generate(which, &d, &cell);
    return cot_cell_get(s.desc.element, &cell);
}

static void fill(int which)
{
    for (int64_t i = 0; i < s.n; i++) {
        s.dy[i] = drawn(COT_DY, which, i);
        s.x[i] = drawn(COT_X, which, i);
        s.a[i] = drawn(COT_A, which, i);
        s.b[i] = drawn(COT_B, which, i);
    }
    if (cot_has_axis(cot_op_get(s.desc.op)))
        save_forward(&s);
}

typedef struct tally {
    int64_t lines, sure, cells, literals, holds, exacts, sizes; /* all lines and cells; those that disagree */
} tally;

static int near(double a, double b, double size)
{
    return a == b || fabs(a - b) <= size || !(isfinite(a) && isfinite(b));
}

/* 24 bits are judged where functions are good for 50; 53 where they are good for 90. */
static void compare(tally *t, const truth_cell *quick, const truth_cell *wide)
{
    double relative = s.desc.element == COT_F64 ? 0x1p-80 : 0x1p-44;
    for (int64_t i = 0; i < s.n; i++) {
        int literal = same_number(quick[i].literal, wide[i].literal), holds = quick[i].holds == wide[i].holds;
        double off = fabs((quick[i].exact - wide[i].exact) + (quick[i].rest - wide[i].rest));
        int exact = same_number(quick[i].exact, wide[i].exact) || off <= relative * wide[i].condition;
        int sizes = near(quick[i].condition, wide[i].condition, 1e-6 * wide[i].condition)
                    && near(quick[i].summed, wide[i].summed, 1e-6 * wide[i].summed)
                    && near(quick[i].spread, wide[i].spread, 1e-6 * wide[i].spread);
        t->cells++;
        t->literals += !literal && wide[i].holds & (TRUTH_BITS | TRUTH_EDGE);
        t->holds += !holds;
        t->exacts += !exact && wide[i].exponent == 0;
        t->sizes += !sizes && wide[i].exponent == 0;
        if ((!holds || !exact) && t->holds + t->exacts < 3)
            diag("cell %d of %d: quick %g (%#x, %g), wide %g (%#x, %g)", (int)i, (int)s.n, quick[i].exact,
                 quick[i].holds, quick[i].condition, wide[i].exact, wide[i].holds, wide[i].condition);
    }
}

static void compare_line(tally *t)
{
    truth_line line = { &s.desc, s.n, s.dy, s.x, s.y, s.a, s.b };
    int sure, always, pairs = !cot_has_axis(cot_op_get(s.desc.op));
    truth_gradient_by(TRUTH_QUICK, &line, s.first, pairs ? s.second : NULL, &sure);
    truth_gradient_by(TRUTH_WIDE, &line, wide_first, pairs ? wide_second : NULL, &always);
    t->lines++;
    t->sure += sure;
    if (sure)
        compare(t, s.first, wide_first);
    if (sure && pairs)
        compare(t, s.second, wide_second);
}

static void check_op(const cot_op_info *op, cot_element element)
{
    static const int64_t lengths[] = { 1, 2, 7, 40, 1100 };
    tally t = { 0 };
    for (int g = 0; generator_at(g); g++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            start_sample(&s, op->op, element, lengths[l] > 40 && g > 2 ? 130 : lengths[l]);
            s.desc.correction = g % 3, s.desc.param = 0.3, s.desc.reverse = g & 1;
            if (g % 4 == 3)
                cot_convention_policies(COT_CONVENTION_TORCH, &s.desc.policies);
            if (g % 4 == 1)
                cot_convention_policies(COT_CONVENTION_ACCURATE, &s.desc.policies);
            fill(g);
            compare_line(&t);
        }
    ok(!t.literals && !t.holds && !t.exacts && !t.sizes && t.sure * 4 >= t.lines,
       "%s %s: %lld of %lld lines sure, %lld cells; differ: %lld literals, %lld certainties, %lld values, %lld sizes",
       op->name, cot_element_name(element), (long long)t.sure, (long long)t.lines, (long long)t.cells,
       (long long)t.literals, (long long)t.holds, (long long)t.exacts, (long long)t.sizes);
}

int main(void)
{
    const cot_op_info *op;
    plan(NO_PLAN);
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            check_op(op, (cot_element)e);
    truth_end();
    return done_testing();
}
