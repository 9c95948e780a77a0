/* The clause named is the one that is broken, whatever the case's options are: wrong kernels that people write, each on
 * a case whose options would suggest another clause. And the sentence of it that matters. */
#include "conformance/clause/clauses.h"
#include "conformance/tap/tap.h"
#include "judge.h"
#include "judge_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* One line, as numbers. */
typedef struct call {
    cot_desc desc;
    int n;
    double dy[MOST], x[MOST], y[MOST], a[MOST], b[MOST], dx[MOST], da[MOST], db[MOST];
} call;

static double in(cot_element type, double number)
{
    double cell;
    cot_cell_set(type, &cell, number);
    return cot_cell_get(type, &cell);
}

static call start(cot_op op, cot_element element, int n)
{
    call c = { .n = n };
    c.desc = (cot_desc){ COT_SIZED(cot_desc), .op = op, .element = element, .rank = 1, .shape = { n } };
    for (int i = 0; i < n; i++) {
        c.dy[i] = in(element, 0.3 + 0.71 * ((i * 7 + 3) % 11) / 11);
        c.x[i] = in(element, 0.9 - 0.53 * ((i * 5 + 1) % 13) / 13);
        c.y[i] = in(element, 1.0 / n);
        c.a[i] = c.x[i];
        c.b[i] = c.dy[i];
    }
    return c;
}

/* ---- wrong kernels --------------------------------------------------------------------------- */

static call narrow_cumsum(cot_element element, cot_element sums, int reverse)
{
    call c = start(COT_CUMSUM, element, 40);
    double sum = 0;
    c.desc.reverse = reverse;
    for (int p = 0; p < c.n; p++) {
        int i = reverse ? p : c.n - 1 - p;
        c.dx[i] = in(element, sum = in(sums, sum + c.dy[i]));
    }
    return c;
}

static call f16_cumsum_in_reverse(void) { return narrow_cumsum(COT_F16, COT_F16, 1); }
static call f32_cumsum_in_bf16(void) { return narrow_cumsum(COT_F32, COT_BF16, 1); }
static call f64_cumsum_in_f32(void) { return narrow_cumsum(COT_F64, COT_F32, 0); }

static call turned_cumsum(void)
{
    call c = narrow_cumsum(COT_F32, COT_F32, 0);
    c.desc.reverse = 1;
    return c;
}

static call narrow_var(cot_element sums, int correction, int divisor)
{
    call c = start(COT_VAR, COT_F32, 40);
    double sum = 0, mean;
    c.desc.correction = correction;
    for (int i = 0; i < c.n; i++)
        sum = in(sums, sum + c.x[i]);
    mean = in(COT_F32, sum / c.n);
    for (int i = 0; i < c.n; i++)
        c.dx[i] = in(COT_F32, c.dy[0] * 2 * (c.x[i] - mean) / divisor);
    return c;
}

static call var_with_a_rough_mean(void) { return narrow_var(COT_F16, 1, 39); }
static call var_with_a_rough_mean_where_m_is_clamped(void) { return narrow_var(COT_BF16, 50, 1); }
static call var_without_correction(void) { return narrow_var(COT_F64, 1, 40); }
static call var_that_does_not_clamp(void) { return narrow_var(COT_F64, 50, -10); }

static call half_norm2(void)
{
    call c = start(COT_NORM2, COT_F16, 3);
    double squares = 0;
    c.dy[0] = 300;
    for (int i = 0; i < c.n; i++) {
        c.x[i] = 1000 + 64 * i;
        squares += c.x[i] * c.x[i];
    }
    c.y[0] = in(COT_F16, sqrt(squares));
    for (int i = 0; i < c.n; i++)
        c.dx[i] = in(COT_F16, in(COT_F16, c.dy[0] * c.x[i]) / c.y[0]);
    return c;
}

static call unscaled_hypot(void)
{
    call c = start(COT_HYPOT, COT_F32, 4);
    for (int i = 0; i < c.n; i++) {
        c.a[i] = in(COT_F32, i == 1 ? 3e30 : 3);
        c.b[i] = in(COT_F32, i == 1 ? 4e30 : 4);
        double h = in(COT_F32, sqrt(in(COT_F32, in(COT_F32, c.a[i] * c.a[i]) + in(COT_F32, c.b[i] * c.b[i]))));
        c.da[i] = in(COT_F32, in(COT_F32, c.dy[i] * c.a[i]) / h);
        c.db[i] = in(COT_F32, in(COT_F32, c.dy[i] * c.b[i]) / h);
    }
    return c;
}

/* Equal cells in x, and a sum that somebody rounds to bf16. */
static call narrow_cummax(void)
{
    call c = start(COT_CUMMAX, COT_F32, 40);
    double sum = 0;
    c.x[0] = c.x[20] = 2;
    for (int i = c.n - 1; i >= 0; i--)
        sum = in(COT_BF16, sum + c.dy[i]);
    c.dx[0] = sum;
    return c;
}

static call last_of_equal_cells(void)
{
    call c = start(COT_CUMMAX, COT_F32, 8);
    c.x[0] = c.x[4] = 2;
    for (int i = 0; i < c.n; i++)
        c.dx[i < 4 ? 0 : 4] = in(COT_F32, c.dx[i < 4 ? 0 : 4] + c.dy[i]);
    return c;
}

static call first_of_equal_maxima(void)
{
    call c = start(COT_MAX, COT_F32, 8);
    c.x[2] = c.x[5] = c.y[0] = 2;
    c.dx[2] = c.dy[0];
    return c;
}

static call flushed_result(void)
{
    call c = start(COT_MUL, COT_F32, 4);
    c.dy[1] = 0x1p-120;
    c.a[1] = 0x1p-20;
    for (int i = 0; i < c.n; i++) {
        c.da[i] = in(COT_F32, c.dy[i] * c.b[i]);
        c.db[i] = i == 1 ? 0 : in(COT_F32, c.dy[i] * c.a[i]);
    }
    return c;
}

static call swallowed_nan(void)
{
    call c = start(COT_MUL, COT_F32, 4);
    c.dy[2] = (double)NAN;
    for (int i = 0; i < c.n; i++) {
        c.da[i] = in(COT_F32, c.dy[i] * c.b[i]);
        c.db[i] = i == 2 ? 0 : in(COT_F32, c.dy[i] * c.a[i]);
    }
    return c;
}

static call saturated(void)
{
    call c = start(COT_MUL, COT_F16, 1);
    c.dy[0] = c.a[0] = 60000;
    c.b[0] = 1;
    c.da[0] = c.dy[0];
    c.db[0] = 65504;
    return c;
}

static call lost_terms(void) /* of a softmax: the last 8 */
{
    call c = start(COT_SOFTMAX, COT_F32, 40);
    double sum = 0;
    for (int i = 0; i < 32; i++)
        sum = in(COT_F32, sum + in(COT_F32, c.y[i] * c.dy[i]));
    for (int i = 0; i < c.n; i++)
        c.dx[i] = in(COT_F32, c.y[i] * in(COT_F32, c.dy[i] - sum));
    return c;
}

static const struct {
    const char *what;
    call (*make)(void);
    const char *clause, *sentence; /* that is shown, by how it begins; NULL: the first */
} calls[] = {
    { "a f16 accumulator, in reverse", f16_cumsum_in_reverse, "ARITH-COMPUTE", NULL },
    { "a bf16 accumulator of f32, in reverse", f32_cumsum_in_bf16, "ARITH-COMPUTE", NULL },
    { "a f32 accumulator of f64", f64_cumsum_in_f32, "ARITH-COMPUTE", NULL },
    { "a scan in the wrong direction", turned_cumsum, "SCAN-REVERSE", NULL },
    { "a mean that is rounded, with a correction", var_with_a_rough_mean, "ARITH-COMPUTE", NULL },
    { "and where m is clamped", var_with_a_rough_mean_where_m_is_clamped, "ARITH-COMPUTE", NULL },
    { "a correction that is ignored", var_without_correction, "VAR-CORRECTION", NULL },
    { "an m that is not clamped", var_that_does_not_clamp, "VAR-CLAMP", NULL },
    { "steps in f16 that overflow", half_norm2, "ARITH-COMPUTE", "Operands are widened" },
    { "a root of squares that overflow", unscaled_hypot, "HYPOT", NULL },
    { "a bf16 accumulator beside equal cells", narrow_cummax, "ARITH-COMPUTE", NULL },
    { "the last of equal cells", last_of_equal_cells, "CUMMAX-TIE", NULL },
    { "the first of equal maxima", first_of_equal_maxima, "MAX-TIE", NULL },
    { "a result that is flushed", flushed_result, "ARITH-SUBNORMAL", NULL },
    { "a NaN that is swallowed", swallowed_nan, "ARITH-NAN", "A result is NaN exactly" },
    { "a result that is saturated", saturated, "ARITH-STORE", "Overflow gives infinity" },
    { "terms that are lost", lost_terms, "SOFTMAX", NULL },
};

static void judge(call *c, verdict *v)
{
    double *cells[OPERANDS] = { [COT_DY] = c->dy, [COT_X] = c->x,   [COT_Y] = c->y,   [COT_A] = c->a,
                                [COT_B] = c->b,   [COT_DX] = c->dx, [COT_DA] = c->da, [COT_DB] = c->db };
    cot_view views[OPERANDS] = { 0 };
    size_t size = cot_element_size(c->desc.element);
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!cot_operand_used(cot_op_get(c->desc.op), (cot_operand)o))
            continue;
        if (operand_make(&c->desc, (cot_operand)o, &views[o]))
            BAIL_OUT("out of memory");
        for (int64_t i = 0; i < views[o].length; i++)
            cot_cell_set(c->desc.element, (char *)views[o].data + (size_t)i * size, cells[o][i]);
    }
    judge_views(&c->desc, views, v);
    for (int o = COT_DY; o < OPERANDS; o++)
        free(views[o].data);
}

int main(void)
{
    plan(NO_PLAN);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        call c = calls[i].make();
        verdict v;
        judge(&c, &v);
        is(v.failed ? v.clause : "right", calls[i].clause, "%s: %s", calls[i].what, calls[i].clause);
        const clause *named = clause_find(calls[i].clause);
        ok(v.sentence == (calls[i].sentence ? clause_sentence(named, calls[i].sentence) : 0), "and its sentence: %.*s",
           sentence_length(named->text + v.sentence), named->text + v.sentence);
    }
    judge_end();
    return done_testing();
}
