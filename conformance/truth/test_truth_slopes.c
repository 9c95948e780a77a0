/* Every gradient of truth against the slope of its own forward op: (L(x + h) - L(x - h)) / 2h with L = sum of dy_i *
 * y_i, in pairs of doubles. Formulas and forward ops have nothing in common, so a wrong one on either side shows. */
#include "test_truth.h"
#include "truth_pair.h"

static sample s;

enum { CELLS = 7 };

static const double step = 0x1p-30; /* x + h is exact in a double; the slope is off by about h^2 */

static real loss(void)
{
    real total = real_of(0);
    int64_t cells = is_reduction(s.desc.op) ? 1 : s.n;
    run_forward(&s);
    for (int64_t i = 0; i < cells; i++)
        total = real_add(total, real_mul(real_of(s.dy[i]), (real){ s.first[i].exact, s.first[i].rest }));
    return total;
}

static double slope(double *operand)
{
    double at = *operand;
    *operand = at + step;
    real above = loss();
    *operand = at - step;
    real below = loss();
    *operand = at;
    return real_to(real_div(real_sub(above, below), real_of(2 * step)));
}

/* Distinct, away from 0 and from each other, and with few bits. */
static void fill(double salt)
{
    for (int i = 0; i < CELLS; i++) {
        s.x[i] = (double)((i * 37 + (int)salt * 5) % 101) / 32 + .25;
        s.a[i] = s.x[i];
        s.b[i] = (double)((i * 29 + (int)salt * 7) % 89) / 32 + .375;
        s.dy[i] = (double)((i * 11) % 7) - 2.5;
    }
}

/* The saved y is a double: the gradient at it is off by some 2^-53 of its condition. */
static int is_near(const truth_cell *cell, double slope_there)
{
    return fabs(truth_nearest(cell) - slope_there) <= 1e-13 * (1 + cell->condition);
}

static int check_side(cot_op op, double *operand, truth_cell *cells)
{
    int wrong = 0;
    truth_cell gradient[CELLS];
    memcpy(gradient, cells, sizeof gradient);
    for (int i = 0; i < CELLS; i++) {
        double there = slope(&operand[i]);
        if (!is_near(&gradient[i], there) && !wrong++)
            diag("%s cell %d: gradient %.17g, slope %.17g", cot_op_get(op)->name, i, truth_nearest(&gradient[i]),
                 there);
    }
    return !wrong;
}

static void check_op(cot_op op, int reverse, uint8_t zeros)
{
    int good = 1;
    for (int salt = 0; salt < 3; salt++) {
        start_sample(&s, op, COT_F64, CELLS);
        s.desc.reverse = reverse, s.desc.correction = salt, s.desc.param = 0.3, s.desc.policies.zeros = zeros;
        fill(salt);
        if (cot_has_axis(cot_op_get(op)))
            save_forward(&s);
        run_gradient(&s);
        truth_cell second[CELLS];
        memcpy(second, s.second, sizeof second);
        good &= check_side(op, cot_has_axis(cot_op_get(op)) ? s.x : s.a, s.first);
        if (!cot_has_axis(cot_op_get(op)))
            good &= check_side(op, s.b, second);
    }
    ok(good, "%s%s%s is the slope of its forward op", cot_op_get(op)->name, reverse ? " reversed" : "",
       zeros ? ", exact at zeros," : "");
}

int main(void)
{
    const cot_op_info *op;
    plan(NO_PLAN);
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        check_op(op->op, 0, COT_ZEROS_LITERAL);
        if (op->family == COT_SCAN)
            check_op(op->op, 1, COT_ZEROS_LITERAL);
    }
    check_op(COT_PROD, 0, COT_ZEROS_EXACT);
    check_op(COT_CUMPROD, 0, COT_ZEROS_EXACT);
    check_op(COT_CUMPROD, 1, COT_ZEROS_EXACT);
    check_op(COT_CUMPROD, 0, COT_ZEROS_WHERE_ZERO);
    check_op(COT_CUMPROD, 1, COT_ZEROS_WHERE_ZERO);
    truth_end();
    return done_testing();
}
