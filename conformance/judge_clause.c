#include "judge_clause.h"
#include "truth.h"

#include <math.h>

/* ---- what a cell looks like ---------------------------------------------------------------------------------------- */

typedef struct facts {
    const cot_desc *desc;
    const verdict *v;
    double g, x, y, a, b; /* NaN where the op does not read it */
    int64_t n, rest;      /* along the axis; and n - correction */
    int tied;             /* more than one cell of the line equals y */
    int nan, infinite;    /* somewhere in what the line reads */
    int repeated;         /* a cell of x equals an earlier one */
} facts;

static double read_at(const problem *p, cot_operand o, const facts *f, int64_t along)
{
    const cot_view *view = &p->tensors[o].view;
    int64_t cell = 0;
    for (int d = 0; d < view->rank; d++)
        cell = cell * view->shape[d] + (view->shape[d] == 1 ? 0 : d == f->desc->axis ? along : f->v->index[d]);
    return cell_value(view, cell);
}

static void look_along(facts *f, const problem *p)
{
    int equal = 0;
    double most = -(double)INFINITY, least = (double)INFINITY;
    for (int64_t i = 0; i < f->n; i++)
        for (int o = COT_DY; o <= COT_Y; o++) {
            if (!p->tensors[o].memory)
                continue;
            double cell = read_at(p, (cot_operand)o, f, i);
            f->nan |= isnan(cell);
            f->infinite |= isinf(cell);
            if (o != COT_X)
                continue;
            equal += cell == f->y;
            f->repeated |= cell == most || cell == least;
            most = fmax(most, cell);
            least = fmin(least, cell);
        }
    f->tied = equal > 1;
}

static double input(const verdict *v, cot_operand o)
{
    return v->has_inputs >> o & 1 ? v->inputs[o] : (double)NAN;
}

static facts look(const verdict *v, const problem *p)
{
    const cot_desc *d = &p->c.desc;
    facts f = { .desc = d, .v = v, .g = input(v, COT_DY), .x = input(v, COT_X), .y = input(v, COT_Y), .a = input(v, COT_A),
                .b = input(v, COT_B), .n = d->shape[d->axis] };
    f.rest = f.n - d->correction;
    if (has_axis(cot_op_get(d->op)))
        look_along(&f, p);
    return f;
}

/* ---- what clauses speak of ----------------------------------------------------------------------------------------- */

static int is_range(const facts *f, double number) /* over- or underflows in the compute type */
{
    double least = f->desc->element == COT_F64 ? 0x1p-1022 : 0x1p-126, most = f->desc->element == COT_F64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
    return fabs(number) > most || fabs(number) < least;
}

static int always(const facts *f) { return f != NULL; }
static int policy_ties(const facts *f) { return f->desc->policies.ties && f->tied; }
static int policy_max_nan(const facts *f) { return f->desc->policies.max_nan && isnan(f->y); }
static int policy_scan_ties(const facts *f) { return f->desc->policies.scan_ties && f->repeated; }
static int policy_scan_nan(const facts *f) { return f->desc->policies.scan_nan && f->nan; }
static int policy_zeros(const facts *f) { return f->desc->policies.zeros; }
static int policy_denominator(const facts *f) { return f->desc->policies.denominator && f->y == 0; }
static int policy_divisor(const facts *f) { return f->desc->policies.divisor && f->rest <= 0; }
static int policy_pair_nan(const facts *f) { return f->desc->policies.pair_nan && (isnan(f->a) || isnan(f->b)); }
static int policy_pow_zero(const facts *f) { return f->desc->policies.pow_zero && (f->a == 0 || f->b == 0); }
static int policy_atan2_zero(const facts *f) { return f->desc->policies.atan2_zero && f->a * f->a + f->b * f->b == 0; }
static int policy_hypot_zero(const facts *f) { return f->desc->policies.hypot_zero && f->a == 0 && f->b == 0; }
static int policy_lerp_weight(const facts *f) { return f->desc->policies.lerp_weight; }

static int zero_sign(const facts *f) { return f->v->got == 0 && f->v->want == 0; }
static int x_or_y_nan(const facts *f) { return isnan(f->x) || isnan(f->y); }
static int zeros_tie(const facts *f) { return f->x == 0 && f->y == 0; }
static int tied(const facts *f) { return f->tied; }
static int x_is_zero(const facts *f) { return f->x == 0; }
static int y_is_zero(const facts *f) { return f->y == 0; }
static int infinite(const facts *f) { return isinf(f->x) || isinf(f->y); }
static int clamps(const facts *f) { return f->rest <= 0; }
static int corrects(const facts *f) { return f->desc->correction != 0; }
static int line_nan(const facts *f) { return f->nan; }
static int line_infinite(const facts *f) { return f->infinite; }
static int line_not_finite(const facts *f) { return f->nan || f->infinite; }
static int repeated(const facts *f) { return f->repeated; }
static int div_overflows(const facts *f) { return is_range(f, f->b * f->b) || is_range(f, f->g * f->a); }
static int pair_nan(const facts *f) { return isnan(f->a) || isnan(f->b); }
static int pair_equal(const facts *f) { return f->a == f->b; }
static int a_is_zero(const facts *f) { return f->a == 0; }
static int a_is_negative(const facts *f) { return f->a < 0; }
static int squares_range(const facts *f) { return is_range(f, f->a * f->a + f->b * f->b); }
static int hypot_range(const facts *f) { return (f->a == 0 && f->b == 0) || is_range(f, f->g * f->a) || is_range(f, f->g * f->b); }
static int weight_rounds(const facts *f) { return !(f->desc->param == (double)(float)f->desc->param); }
static int alone(const facts *f) { return f->n == 1; }

static int is_subnormal(const facts *f, double number)
{
    return number != 0 && fabs(number) < (f->desc->element == COT_F64 ? 0x1p-1022 : f->desc->element == COT_F16 ? 0x1p-14 : 0x1p-126);
}

static int flushed(const facts *f)
{
    int small = is_subnormal(f, f->v->want);
    for (int o = COT_DY; o < COT_DX; o++)
        small |= f->v->has_inputs >> o & 1 && is_subnormal(f, f->v->inputs[o]);
    return small && (f->v->got == 0 || !isfinite(f->v->got));
}

static double error_of(const facts *f) /* relative to what is wanted */
{
    return fabs(f->v->got - f->v->want) / fabs(f->v->want);
}

static int is_sum(const facts *f) { return cot_op_get(f->desc->op)->order != COT_ORDER_NONE; }
static int one_is_nan(const facts *f) { return isnan(f->v->got) != isnan(f->v->want); }
static int not_infinite(const facts *f) { return isinf(f->v->want) && isfinite(f->v->got); }
static int narrow(const facts *f) { return f->desc->element <= COT_BF16; }
static int a_unit_off(const facts *f) { return narrow(f) && error_of(f) <= (f->desc->element == COT_F16 ? 0x1p-10 : 0x1p-7); }
static int nearly(const facts *f) { return error_of(f) <= 0x1p-7; }
static int as_in_float(const facts *f) { return f->desc->element == COT_F64 && error_of(f) > 0x1p-42 && error_of(f) <= 0x1p-20; }
static int sum_as_in_element(const facts *f) { return narrow(f) && is_sum(f) && error_of(f) <= 0x1p-3; }

static int count_rounds(const facts *f) /* n or m is not a number of the element type */
{
    double count = f->desc->op == COT_MEAN ? (double)f->n : f->rest > 0 ? (double)f->rest : 1, cell;
    cot_cell_set(f->desc->element, &cell, count);
    return cot_cell_get(f->desc->element, &cell) != count;
}

/* ---- the table ------------------------------------------------------------------------------------------------------ */

typedef struct row {
    cot_op op, other; /* 0: any */
    int (*holds)(const facts *f);
    const char *clause;
} row;

/* The first that holds is the one. */
static const row by_value[] = {
    { COT_MAX, COT_MIN, policy_ties, "POLICY-TIES" },
    { COT_MAX, COT_MIN, policy_max_nan, "POLICY-MAX-NAN" },
    { COT_CUMMAX, COT_CUMMIN, policy_scan_nan, "POLICY-SCAN-NAN" },
    { COT_CUMMAX, COT_CUMMIN, policy_scan_ties, "POLICY-SCAN-TIES" },
    { COT_PROD, 0, policy_zeros, "POLICY-ZEROS-PROD" },
    { COT_CUMPROD, 0, policy_zeros, "POLICY-ZEROS-CUMPROD" },
    { COT_NORM2, COT_STD, policy_denominator, "POLICY-DENOMINATOR" },
    { COT_VAR, COT_STD, policy_divisor, "POLICY-DIVISOR" },
    { COT_MAXIMUM, COT_MINIMUM, policy_pair_nan, "POLICY-PAIR-NAN" },
    { COT_POW, 0, policy_pow_zero, "POLICY-POW-ZERO" },
    { COT_ATAN2, 0, policy_atan2_zero, "POLICY-ATAN2-ZERO" },
    { COT_HYPOT, 0, policy_hypot_zero, "POLICY-HYPOT-ZERO" },
    { COT_LERP, 0, policy_lerp_weight, "POLICY-LERP-WEIGHT" },
    { COT_SUB, 0, zero_sign, "SUB" },
    { 0, 0, zero_sign, "ARITH-ZERO" },
    { 0, 0, flushed, "ARITH-SUBNORMAL" },
    { COT_MAX, COT_MIN, x_or_y_nan, "MAX-NAN" },
    { COT_MAX, COT_MIN, zeros_tie, "MAX-ZERO" },
    { COT_MAX, COT_MIN, tied, "MAX-TIE" },
    { COT_PROD, 0, x_is_zero, "PROD-ZERO" },
    { COT_NORM2, 0, y_is_zero, "NORM2-ZERO" },
    { COT_LOGSUMEXP, 0, infinite, "LSE-INF" },
    { COT_STD, 0, y_is_zero, "STD-ZERO" },
    { COT_VAR, COT_STD, clamps, "VAR-CLAMP" },
    { COT_CUMPROD, 0, x_is_zero, "CUMPROD-ZERO" },
    { COT_CUMMAX, COT_CUMMIN, line_nan, "CUMMAX-NAN" },
    { COT_CUMMAX, COT_CUMMIN, repeated, "CUMMAX-TIE" },
    { COT_LOGCUMSUMEXP, 0, line_infinite, "LCSE-INF" },
    { COT_DIV, 0, div_overflows, "DIV-OVERFLOW" },
    { COT_MAXIMUM, COT_MINIMUM, pair_nan, "MAXIMUM-NAN" },
    { COT_MAXIMUM, COT_MINIMUM, pair_equal, "MAXIMUM-TIE" },
    { COT_POW, 0, a_is_zero, "POW-ZERO" },
    { COT_POW, 0, a_is_negative, "POW-NEGATIVE" },
    { COT_ATAN2, 0, squares_range, "ATAN2-ZERO" },
    { COT_HYPOT, 0, hypot_range, "HYPOT-ZERO" },
    { COT_LERP, 0, weight_rounds, "LERP-WEIGHT" },
    { COT_SOFTMAX, 0, line_not_finite, "SOFTMAX-NAN" },
    { COT_LOG_SOFTMAX, 0, line_not_finite, "LOGSOFTMAX-NAN" },
    { COT_VAR, COT_STD, alone, "EXTENT-ONE" },
    { COT_SOFTMAX, COT_LOG_SOFTMAX, alone, "EXTENT-ONE" },
    { COT_VAR, COT_STD, corrects, "VAR-CORRECTION" },
    { 0, 0, one_is_nan, "ARITH-NAN" },
    { 0, 0, not_infinite, "ARITH-STORE" },
    { COT_LOGSUMEXP, COT_LOGCUMSUMEXP, nearly, "ARITH-MATH" },
    { COT_POW, COT_HYPOT, nearly, "ARITH-MATH" },
    { 0, 0, as_in_float, "ARITH-COMPUTE" },
    { 0, 0, sum_as_in_element, "ARITH-COMPUTE" },
    { COT_LOG_SOFTMAX, 0, nearly, "ARITH-MATH" },
    { 0, 0, a_unit_off, "ARITH-STORE" },
    { 0, 0, nearly, "BOUND" },
};

static int past_a_tile(const facts *f) { return f->n > 1024; }
static int a_lane_is_missing(const facts *f) { return zero_sign(f) && f->n < 32; }
static int a_segment(const facts *f) { return f->n <= 32; }

/* Within the bound, but not the spec's bits. */
static const row by_bits[] = {
    { COT_VAR, COT_STD, a_lane_is_missing, "FOLD-MISSING" },
    { COT_SOFTMAX, COT_LOG_SOFTMAX, a_lane_is_missing, "FOLD-MISSING" },
    { 0, 0, zero_sign, "ARITH-ZERO" },
    { 0, 0, flushed, "ARITH-SUBNORMAL" },
    { COT_CUMSUM, COT_CUMPROD, always, "SCAN-ORDER" },
    { COT_CUMMAX, COT_CUMMIN, always, "SCAN-SEGMENTED" },
    { COT_LOGCUMSUMEXP, 0, a_segment, "LCSE-LINEAR" }, /* there is only one order in it */
    { COT_LOGCUMSUMEXP, 0, always, "SCAN-RECURRENCE" },
    { COT_MEAN, 0, count_rounds, "ARITH-COUNT" },
    { COT_VAR, COT_STD, count_rounds, "ARITH-COUNT" },
    { COT_VAR, COT_STD, past_a_tile, "FOLD-TILES" },
    { COT_SOFTMAX, COT_LOG_SOFTMAX, past_a_tile, "FOLD-TILES" },
    { COT_VAR, COT_STD, always, "FOLD-ORDER" },
    { COT_SOFTMAX, COT_LOG_SOFTMAX, always, "FOLD-ORDER" },
    { COT_DIV, 0, div_overflows, "DIV-OVERFLOW" },
    { COT_ATAN2, 0, squares_range, "ATAN2-ZERO" },
    { COT_HYPOT, 0, hypot_range, "HYPOT-ZERO" },
    { COT_LOGSUMEXP, COT_POW, always, "ARITH-MATH" },
    { COT_HYPOT, 0, always, "ARITH-MATH" },
    { COT_LERP, 0, weight_rounds, "LERP-WEIGHT" },
    { 0, 0, narrow, "ARITH-STORE" },
    { 0, 0, always, "ARITH-ORDER" },
};

static const char *find(const row *rows, size_t count, const facts *f)
{
    for (size_t i = 0; i < count; i++)
        if ((!rows[i].op || rows[i].op == f->desc->op || rows[i].other == f->desc->op) && rows[i].holds(f))
            return rows[i].clause;
    return truth_clause(f->desc->op);
}

const char *cell_clause(const verdict *v, level at, const problem *p)
{
    facts f = look(v, p);
    return at < LEVEL_D ? find(by_value, sizeof by_value / sizeof *by_value, &f) : find(by_bits, sizeof by_bits / sizeof *by_bits, &f);
}
