/* Truth against values worked out by hand from the clauses, in f64 and with few enough bits that they are exact. */
#include "test_truth.h"
#include "truth_format.h"

#include <float.h>
#include <stdio.h>

#define NAN_ ((double)NAN)
#define INF ((double)INFINITY)

static sample s;

enum { MOST = 5 };

typedef struct row {
    const char *clause;
    cot_op op;
    int n;
    double x[MOST], y[MOST], dy[MOST], want[MOST];
    int correction, reverse;
    cot_policies policies;
} row;

/* With dy = 3, 6, 12, 24, 48 a sum says which terms it has. */
// clang-format off
#define DOUBLING { 3, 6, 12, 24, 48 }

static const row rows[] = {
    { "SUM", COT_SUM, 3, { 1, 2, 4 }, { 7 }, { 3 }, { 3, 3, 3 }, .correction = 0 },
    { "MEAN", COT_MEAN, 4, { 1, 2, 3, 6 }, { 3 }, { 3 }, { .75, .75, .75, .75 }, .correction = 0 },
    { "MAX-TIE", COT_MAX, 5, { 1, 3, 2, 3, 1 }, { 3 }, { 3 }, { 0, 3, 0, 3, 0 }, .correction = 0 },
    { "MAX-NAN", COT_MAX, 3, { 1, NAN_, 2 }, { NAN_ }, { 3 }, { 0, 0, 0 }, .correction = 0 },
    { "MAX-NAN (a NaN takes nothing)", COT_MIN, 3, { 1, NAN_, 2 }, { 1 }, { 3 }, { 3, 0, 0 }, .correction = 0 },
    { "MAX-ZERO", COT_MAX, 3, { 0.0, -0.0, -1 }, { -0.0 }, { 3 }, { 3, 3, 0 }, .correction = 0 },
    { "MAX (min)", COT_MIN, 3, { 4, 1, 2 }, { 1 }, { -3 }, { 0, -3, 0 }, .correction = 0 },
    { "MAX (infinite g)", COT_MAX, 3, { 1, 3, 2 }, { 3 }, { INF }, { 0, INF, 0 }, .correction = 0 },
    { "POLICY-TIES split", COT_MAX, 4, { 2, 2, 2, 2 }, { 2 }, { 3 }, { .75, .75, .75, .75 },
      .policies = { .ties = COT_TIES_SPLIT } },
    { "POLICY-TIES first", COT_MAX, 4, { 1, 2, 2, 2 }, { 2 }, { 3 }, { 0, 3, 0, 0 },
      .policies = { .ties = COT_TIES_FIRST } },
    { "POLICY-TIES last", COT_MIN, 4, { 2, 2, 2, 3 }, { 2 }, { 3 }, { 0, 0, 3, 0 },
      .policies = { .ties = COT_TIES_LAST } },
    { "POLICY-MAX-NAN spread", COT_MAX, 3, { 1, NAN_, 2 }, { NAN_ }, { 3 }, { NAN_, NAN_, NAN_ },
      .policies = { .max_nan = COT_MAX_NAN_SPREAD } },
    { "POLICY-MAX-NAN first", COT_MAX, 4, { 1, NAN_, NAN_, 2 }, { NAN_ }, { 3 }, { 0, 3, 0, 0 },
      .policies = { .ties = COT_TIES_SPLIT, .max_nan = COT_MAX_NAN_FIRST } },
    { "POLICY-LOSERS", COT_MAX, 3, { 1, 3, 2 }, { 3 }, { -INF }, { NAN_, -INF, NAN_ },
      .policies = { .losers = COT_LOSERS_LINE_PRODUCT } },
    { "POLICY-LOSERS (a sign)", COT_MIN, 4, { 1, 3, 1, NAN_ }, { 1 }, { -3 }, { -1.5, -0.0, -1.5, -0.0 },
      .policies = { .ties = COT_TIES_SPLIT, .losers = COT_LOSERS_PRODUCT } },
    { "POLICY-LOSERS (NaN)", COT_MAX, 3, { NAN_, 3, NAN_ }, { NAN_ }, { -3 }, { -3, -0.0, -0.0 },
      .policies = { .max_nan = COT_MAX_NAN_FIRST, .losers = COT_LOSERS_PRODUCT } },
    { "PROD", COT_PROD, 3, { 2, 4, 5 }, { 40 }, { 3 }, { 60, 30, 24 }, .correction = 0 },
    { "PROD-ZERO", COT_PROD, 4, { 2, 0, 3, 4 }, { 0 }, { 3 }, { 0, NAN_, 0, 0 }, .correction = 0 },
    { "PROD-ZERO (a zero's sign)", COT_PROD, 2, { -2, 3 }, { -0.0 }, { 3 }, { 0.0, -0.0 }, .correction = 0 },
    { "POLICY-ZEROS-PROD", COT_PROD, 4, { 2, 0, 3, 4 }, { 0 }, { 3 }, { 0, 72, 0, 0 },
      .policies = { .zeros = COT_ZEROS_EXACT } },
    { "POLICY-ZEROS-PROD (two zeros)", COT_PROD, 4, { 2, 0, 3, 0 }, { 0 }, { 3 }, { 0, 0, 0, 0 },
      .policies = { .zeros = COT_ZEROS_EXACT } },
    { "POLICY-ZEROS-PROD where_zero", COT_PROD, 4, { 2, 0, INF, 4 }, { NAN_ }, { 3 }, { NAN_, INF, 0, NAN_ },
      .policies = { .zeros = COT_ZEROS_WHERE_ZERO } },
    { "POLICY-ZEROS-PROD where_zero (no zero)", COT_PROD, 3, { 1, INF, 2 }, { INF }, { 3 }, { INF, NAN_, INF },
      .policies = { .zeros = COT_ZEROS_WHERE_ZERO } },
    { "NORM2", COT_NORM2, 2, { 3, -4 }, { 5 }, { 10 }, { 6, -8 }, .correction = 0 },
    { "NORM2-ZERO", COT_NORM2, 2, { 0, 0 }, { 0 }, { 3 }, { NAN_, NAN_ }, .correction = 0 },
    { "POLICY-QUOTIENT norm2", COT_NORM2, 2, { 0x1.8p1020, -0x1p1022 }, { 0x1p1023 }, { 12 }, { 2.25, -6 },
      .policies = { .quotient = COT_QUOTIENT_CAREFUL } },
    { "POLICY-QUOTIENT norm2, div_norm2", COT_NORM2, 2, { 0x1.8p1020, -0x1p1022 }, { 0x1p1023 }, { 12 }, { 2.25, -6 },
      .policies = { .quotient = COT_QUOTIENT_DIV_NORM2 } },
    { "POLICY-DENOMINATOR norm2 (a sign)", COT_NORM2, 2, { 0, 1 }, { 0 }, { -3 }, { -0.0, -0.0 },
      .policies = { .denominator = COT_DENOMINATOR_ZERO } },
    { "POLICY-DENOMINATOR norm2", COT_NORM2, 2, { 0, 0 }, { 0 }, { 3 }, { 0, 0 },
      .policies = { .denominator = COT_DENOMINATOR_ZERO } },
    { "LSE (x == y)", COT_LOGSUMEXP, 1, { 5 }, { 5 }, { 3 }, { 3 }, .correction = 0 },
    { "LSE-INF", COT_LOGSUMEXP, 3, { INF, 1, -INF }, { INF }, { 3 }, { NAN_, 0, 0 }, .correction = 0 },
    { "LSE-INF (negative g)", COT_LOGSUMEXP, 2, { -INF, 2 }, { 2 }, { -3 }, { -0.0, -3 }, .correction = 0 },
    { "VAR", COT_VAR, 4, { 1, 2, 3, 6 }, { NAN_ }, { 3 }, { -4, -2, 0, 6 }, .correction = 1 },
    { "VAR-CLAMP (m == 0)", COT_VAR, 4, { 1, 2, 3, 6 }, { NAN_ }, { 3 }, { -12, -6, 0, 18 }, .correction = 4 },
    { "VAR-CLAMP (m < 0)", COT_VAR, 4, { 1, 2, 3, 6 }, { NAN_ }, { 3 }, { -12, -6, 0, 18 }, .correction = 5 },
    { "VAR-CORRECTION", COT_VAR, 4, { 1, 2, 3, 6 }, { NAN_ }, { 3 }, { -1.5, -.75, 0, 2.25 }, .correction = -4 },
    { "POLICY-DIVISOR literal", COT_VAR, 4, { 1, 2, 3, 6 }, { 0 }, { 3 }, { 12, 6, -0.0, -18 },
      .correction = 5, .policies = { .divisor = COT_DIVISOR_LITERAL } },
    { "POLICY-DIVISOR literal (m == 0)", COT_VAR, 4, { 1, 2, 3, 6 }, { 0 }, { 3 }, { -INF, -INF, NAN_, INF },
      .correction = 4, .policies = { .divisor = COT_DIVISOR_LITERAL } },
    { "POLICY-DIVISOR dead", COT_VAR, 4, { 1, 2, 3, 6 }, { 0 }, { 3 }, { 0.0, 0.0, -0.0, -0.0 },
      .correction = 5, .policies = { .divisor = COT_DIVISOR_DEAD } },
    { "POLICY-CENTRE", COT_VAR, 4, { 0x1p53, 0x1p53 + 2, 0x1p53 + 4, 0x1p53 + 10 }, { 0 }, { 3 }, { -8, -4, 0, 12 },
      .correction = 1, .policies = { .centre = COT_CENTRE_SHIFTED } },
    { "POLICY-CENTRE (an infinite first cell)", COT_VAR, 3, { INF, 1, 2 }, { 0 }, { 3 }, { NAN_, -INF, -INF },
      .correction = 1, .policies = { .centre = COT_CENTRE_SHIFTED } },
    { "POLICY-CENTRE (an infinite cell)", COT_STD, 3, { 1, INF, 2 }, { 1 }, { 3 }, { -INF, NAN_, -INF },
      .correction = 1, .policies = { .centre = COT_CENTRE_SHIFTED } },
    { "POLICY-DIVISOR dead, std", COT_STD, 4, { 1, 2, 3, 6 }, { NAN_ }, { 3 }, { 0.0, 0.0, -0.0, -0.0 },
      .correction = 5, .policies = { .divisor = COT_DIVISOR_DEAD } },
    { "STD", COT_STD, 4, { 1, 2, 3, 6 }, { 2 }, { 3 }, { -1, -.5, 0, 1.5 }, .correction = 1 },
    { "STD-ZERO", COT_STD, 4, { 2, 2, 2, 2 }, { 0 }, { 3 }, { NAN_, NAN_, NAN_, NAN_ }, .correction = 1 },
    { "POLICY-DENOMINATOR std", COT_STD, 2, { 2, 2 }, { 0 }, { 3 }, { 0, 0 },
      .correction = 1, .policies = { .denominator = COT_DENOMINATOR_ZERO } },
    { "POLICY-DENOMINATOR std (signs)", COT_STD, 3, { 1, 2, 3 }, { 0 }, { 3 }, { -0.0, 0.0, 0.0 },
      .policies = { .denominator = COT_DENOMINATOR_ZERO } },
    { "POLICY-DENOMINATOR std (no divisor)", COT_STD, 2, { 1, 3 }, { 0 }, { 3 }, { NAN_, NAN_ },
      .correction = 2, .policies = { .denominator = COT_DENOMINATOR_ZERO, .divisor = COT_DIVISOR_LITERAL } },
    { "CUMSUM", COT_CUMSUM, 5, { 0 }, { 0 }, DOUBLING, { 93, 90, 84, 72, 48 }, .correction = 0 },
    { "SCAN-REVERSE", COT_CUMSUM, 5, { 0 }, { 0 }, DOUBLING, { 3, 9, 21, 45, 93 }, .reverse = 1 },
    { "CUMSUM (zeros keep their sign)", COT_CUMSUM, 3, { 0 }, { 0 }, { -0.0, 0.0, -0.0 }, { 0.0, 0.0, -0.0 },
      .correction = 0 },
    { "CUMPROD", COT_CUMPROD, 3, { 2, 3, 4 }, { 2, 6, 24 }, { 1, 1, 1 }, { 16, 10, 6 }, .correction = 0 },
    { "CUMPROD reverse", COT_CUMPROD, 3, { 4, 3, 2 }, { 24, 6, 2 }, { 1, 1, 1 }, { 6, 10, 16 }, .reverse = 1 },
    { "CUMPROD-ZERO", COT_CUMPROD, 4, { 2, 0, 3, 4 }, { 2, 0, 0, 0 }, DOUBLING, { 3, NAN_, 0, 0 }, .correction = 0 },
    { "POLICY-ZEROS-CUMPROD", COT_CUMPROD, 4, { 2, 0, 3, 4 }, { NAN_ }, DOUBLING, { 3, 660, 0, 0 },
      .policies = { .zeros = COT_ZEROS_EXACT } },
    { "POLICY-ZEROS-CUMPROD where_zero", COT_CUMPROD, 5, { 2, 0, 3, 0, INF }, { 2, 0, 0, 0, NAN_ },
      { 3, 6, 12, 24, NAN_ }, { 3, 84, 0, 0, 0 }, .policies = { .zeros = COT_ZEROS_WHERE_ZERO } },
    { "POLICY-ZEROS-CUMPROD where_zero, reversed", COT_CUMPROD, 5, { INF, 0, 3, 0, 2 }, { NAN_, 0, 0, 0, 2 },
      { NAN_, 24, 12, 6, 3 }, { 0, 0, 0, 84, 3 }, .reverse = 1, .policies = { .zeros = COT_ZEROS_WHERE_ZERO } },
    { "POLICY-ZEROS-CUMPROD where_zero (the first)", COT_CUMPROD, 3, { 0, 2, 4 }, { 0, 0, 0 }, { -1, -1, -1 },
      { -11, 0, 0 }, .policies = { .zeros = COT_ZEROS_WHERE_ZERO } },
    { "POLICY-ZEROS-CUMPROD where_zero (none)", COT_CUMPROD, 3, { 1, INF, 2 }, { 1, INF, INF }, { 3, 6, 12 },
      { INF, NAN_, INF }, .policies = { .zeros = COT_ZEROS_WHERE_ZERO } },
    { "CUMMAX-TIE", COT_CUMMAX, 5, { 1, 3, 2, 3, 1 }, { 0 }, DOUBLING, { 3, 90, 0, 0, 0 }, .correction = 0 },
    { "CUMMAX-NAN leading", COT_CUMMAX, 4, { NAN_, 1, 3, 2 }, { 0 }, DOUBLING, { 45, 0, 0, 0 }, .correction = 0 },
    { "CUMMAX-NAN elsewhere", COT_CUMMAX, 5, { 1, 3, NAN_, 2, 4 }, { 0 }, DOUBLING, { 3, 42, 0, 0, 48 },
      .correction = 0 },
    { "CUMMAX reverse", COT_CUMMAX, 5, { 1, 3, 2, 3, 1 }, { 0 }, DOUBLING, { 0, 0, 0, 45, 48 }, .reverse = 1 },
    { "CUMMAX (cummin)", COT_CUMMIN, 5, { 3, 1, 1, 2, 0 }, { 0 }, DOUBLING, { 3, 42, 0, 0, 48 }, .correction = 0 },
    { "POLICY-SCAN-TIES last", COT_CUMMAX, 5, { 1, 3, 2, 3, 1 }, { 0 }, DOUBLING, { 3, 18, 0, 72, 0 },
      .policies = { .scan_ties = COT_SCAN_TIES_LAST } },
    { "POLICY-SCAN-NAN every", COT_CUMMAX, 5, { 1, 3, NAN_, 2, 4 }, { 0 }, DOUBLING, { 3, 6, 84, 0, 0 },
      .policies = { .scan_nan = COT_SCAN_NAN_EVERY } },
    { "LCSE (one cell)", COT_LOGCUMSUMEXP, 1, { 16 }, { 16 }, { 3 }, { 3 }, .correction = 0 },
    { "LCSE-INF", COT_LOGCUMSUMEXP, 3, { 1, INF, 2 }, { 1, INF, INF }, { 3, 6, 12 }, { 3, NAN_, 0 }, .correction = 0 },
    { "LCSE-INF reverse", COT_LOGCUMSUMEXP, 3, { 2, INF, 1 }, { INF, INF, 1 }, { 12, 6, 3 }, { 0, NAN_, 3 },
      .reverse = 1 },
    { "LCSE-INF (-inf)", COT_LOGCUMSUMEXP, 2, { -INF, 1 }, { -INF, 1 }, { 3, 6 }, { NAN_, 6 }, .correction = 0 },
    { "LCSE (as large as can be)", COT_LOGCUMSUMEXP, 3, { DBL_MAX, 1, DBL_MAX }, { DBL_MAX, DBL_MAX, DBL_MAX },
      { 3, 6, 12 }, { 21, 0, 12 }, .correction = 0 },
    { "LCSE (NaN in dy)", COT_LOGCUMSUMEXP, 3, { 1, 2, 2 }, { 1, 2, 2 }, { 1, NAN_, 1 }, { NAN_, NAN_, 1 },
      .correction = 0 },
    { "SOFTMAX", COT_SOFTMAX, 2, { 0 }, { .25, .75 }, { 4, 8 }, { -.75, .75 }, .correction = 0 },
    { "SOFTMAX-NAN", COT_SOFTMAX, 3, { 0 }, { .25, .75, 0 }, { 4, NAN_, 8 }, { NAN_, NAN_, NAN_ }, .correction = 0 },
    { "SOFTMAX-NAN (infinite dy)", COT_SOFTMAX, 3, { 0 }, { .25, .75, 0 }, { 4, INF, 8 }, { -INF, NAN_, NAN_ },
      .correction = 0 },
    { "LOGSOFTMAX", COT_LOG_SOFTMAX, 2, { 0 }, { 0, -INF }, { 3, 5 }, { -5, 5 }, .correction = 0 },
    { "LOGSOFTMAX-NAN", COT_LOG_SOFTMAX, 3, { 0 }, { 0, NAN_, -INF }, { 3, 5, 1 }, { -6, NAN_, 1 }, .correction = 0 },
    { "EXTENT-ONE", COT_VAR, 1, { 7 }, { 0 }, { 3 }, { 0 }, .correction = 1 },
};
// clang-format on

/* A cell says what is wanted in both ways: its exact value where that is a number, its literal one with sign and class.
 */
static double score_with(const truth_cell *cell, cot_element element, double got, double roundings)
{
    return truth_score(cell, element, got, &(truth_bound){ roundings, roundings, 0 });
}

static int says(const truth_cell *cell, double want)
{
    int exact = !isfinite(want) || fabs(truth_nearest(cell) - want) <= 0x1p-52 * fabs(want);
    return exact && same_number(cell->literal, want);
}

static void check_row(const row *r)
{
    start_sample(&s, r->op, COT_F64, r->n);
    s.desc.correction = r->correction, s.desc.reverse = r->reverse, s.desc.policies = r->policies;
    memcpy(s.x, r->x, sizeof r->x), memcpy(s.y, r->y, sizeof r->y), memcpy(s.dy, r->dy, sizeof r->dy);
    int good = run_gradient(&s) == COT_OK;
    for (int i = 0; i < r->n; i++) {
        if (!says(&s.first[i], r->want[i]))
            diag("%s cell %d: exact %g, literal %g, want %g", r->clause, i, truth_nearest(&s.first[i]),
                 s.first[i].literal, r->want[i]),
                good = 0;
    }
    ok(good, "%s: %s", cot_op_get(r->op)->name, r->clause);
}

/* ---- forward --------------------------------------------------------------------------------- */

typedef struct forward_row {
    cot_op op;
    int n;
    double x[MOST], want[MOST];
    int correction;
} forward_row;

static const forward_row forward_rows[] = {
    { COT_SUM, 3, { 1, 2, 4 }, { 7 }, 0 },
    { COT_MEAN, 4, { 1, 2, 3, 6 }, { 3 }, 0 },
    { COT_MAX, 3, { -0.0, 0.0, -1 }, { 0.0 }, 0 },
    { COT_MIN, 3, { 0.0, -0.0, 1 }, { -0.0 }, 0 },
    { COT_MAX, 3, { 1, NAN_, 2 }, { NAN_ }, 0 },
    { COT_PROD, 3, { 2, -4, 5 }, { -40 }, 0 },
    { COT_NORM2, 2, { 3, -4 }, { 5 }, 0 },
    { COT_LOGSUMEXP, 1, { 5 }, { 5 }, 0 },
    { COT_LOGSUMEXP, 2, { -INF, -INF }, { -INF }, 0 },
    { COT_LOGSUMEXP, 2, { 1, NAN_ }, { NAN_ }, 0 },
    { COT_VAR, 4, { 1, 2, 3, 6 }, { 3.5 }, 0 },
    { COT_VAR, 4, { 1, 2, 3, 6 }, { 14 }, 4 },
    { COT_STD, 2, { 1, 3 }, { 1 }, 0 },
    { COT_CUMSUM, 3, { 1, 2, 4 }, { 1, 3, 7 }, 0 },
    { COT_CUMPROD, 3, { 2, 3, 4 }, { 2, 6, 24 }, 0 },
    { COT_CUMMAX, 5, { 1, 3, NAN_, 2, 4 }, { 1, 3, 3, 3, 4 }, 0 },
    { COT_CUMMIN, 4, { NAN_, 3, 1, 2 }, { NAN_, NAN_, NAN_, NAN_ }, 0 },
    { COT_LOGCUMSUMEXP, 3, { 5, -INF, INF }, { 5, 5, INF }, 0 },
    { COT_SOFTMAX, 2, { 7, 7 }, { .5, .5 }, 0 },
    { COT_LOG_SOFTMAX, 2, { 7, -INF }, { 0, -INF }, 0 },
};

static void check_forward(const forward_row *r)
{
    start_sample(&s, r->op, COT_F64, r->n);
    s.desc.correction = r->correction;
    memcpy(s.x, r->x, sizeof r->x);
    int good = run_forward(&s) == COT_OK;
    for (int i = 0; i < (is_reduction(r->op) ? 1 : r->n); i++)
        if (!says(&s.first[i], r->want[i]))
            diag("cell %d: exact %g, literal %g, want %g", i, truth_nearest(&s.first[i]), s.first[i].literal,
                 r->want[i]),
                good = 0;
    ok(good, "forward %s of %g, %g, ...", cot_op_get(r->op)->name, r->x[0], r->x[1]);
}

static void check_empty(void) /* FWD-EMPTY */
{
    static const struct {
        cot_op op;
        double want;
    } rows_of_nothing[] = {
        { COT_SUM, 0.0 },        { COT_MEAN, NAN_ }, { COT_PROD, 1 },   { COT_NORM2, 0.0 },
        { COT_LOGSUMEXP, -INF }, { COT_VAR, NAN_ },  { COT_STD, NAN_ },
    };
    for (size_t i = 0; i < sizeof rows_of_nothing / sizeof *rows_of_nothing; i++) {
        start_sample(&s, rows_of_nothing[i].op, COT_F32, 0);
        int good = run_forward(&s) == COT_OK && same_number(s.first[0].literal, rows_of_nothing[i].want);
        ok(good, "%s of nothing: %g", cot_op_get(rows_of_nothing[i].op)->name, s.first[0].literal);
    }
    start_sample(&s, COT_MAX, COT_F32, 0);
    ok(run_forward(&s) == COT_INVALID_PROBLEM, "max of nothing is refused");
    start_sample(&s, COT_SOFTMAX, COT_F32, 0);
    ok(run_forward(&s) == COT_OK && run_gradient(&s) == COT_OK, "softmax of nothing is nothing");
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* BOUND: terms by their magnitudes, a difference of operands as one term, and 1 + |x - y| where exp is taken of it. */
static void check_conditions(void)
{
    // clang-format off
    static const struct { cot_op op; double x[2], y[2], dy[2], want[2]; } by_hand[] = {
        { COT_SOFTMAX, { 0 }, { .25, .75 }, { 4, -8 }, { .25 * (4 + 1 + 6), .75 * (8 + 1 + 6) } },
        { COT_LOG_SOFTMAX, { 0 }, { 0, 0 }, { 4, -8 }, { 4 + 12, 8 + 12 } },
        { COT_CUMSUM, { 0 }, { 0 }, { 4, -8 }, { 12, 8 } },
        { COT_CUMPROD, { -2, 5 }, { -2, -10 }, { 3, 1 }, { 16 / 2., 10 / 5. } },
        { COT_VAR, { 1, -3 }, { 0 }, { -3 }, { 2 * 3 * (1 + 2) / 2., 2 * 3 * (3 + 2) / 2. } },
        { COT_LOGSUMEXP, { 3, 3 }, { 3 }, { -3 }, { 3, 3 } },
        { COT_LOGCUMSUMEXP, { 16, 16 }, { 16, 16 }, { 4, -8 }, { 12, 8 } },
    };
    // clang-format on
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        start_sample(&s, by_hand[i].op, COT_F64, 2);
        memcpy(s.x, by_hand[i].x, sizeof by_hand[i].x), memcpy(s.y, by_hand[i].y, sizeof by_hand[i].y);
        memcpy(s.dy, by_hand[i].dy, sizeof by_hand[i].dy);
        run_gradient(&s);
        double first = s.first[0].condition, second = s.first[1].condition;
        ok(first == by_hand[i].want[0] && second == by_hand[i].want[1], "%s: conditions %g, %g",
           cot_op_get(by_hand[i].op)->name, first, second);
    }
    start_sample(&s, COT_LOGSUMEXP, COT_F64, 1);
    s.x[0] = -2, s.y[0] = 1, s.dy[0] = 3;
    run_gradient(&s);
    ok(fabs(s.first[0].condition - 3 * exp(-3) * 4) < 1e-15, "logsumexp: the condition grows by 1 + |x - y|");
    start_sample(&s, COT_POW, COT_F64, 1);
    s.a[0] = 4, s.b[0] = 3, s.dy[0] = -1;
    run_gradient(&s);
    ok(fabs(s.first[0].condition - 48 * (1 + 2 * log(4))) < 1e-12, "pow: ... and by 1 + |(b - 1) * log(a)|");
}

/* ---- the judge's measure --------------------------------------------------------------------- */

static void check_scores(void)
{
    start_sample(&s, COT_MUL, COT_F32, 1);
    s.dy[0] = 3, s.a[0] = 5, s.b[0] = 7;
    run_gradient(&s);
    ok(score_with(&s.first[0], COT_F32, 21, 1) == 0, "the exact value scores 0");
    ok(score_with(&s.first[0], COT_F32, 21 + 0x1p-19, 1) > 1 && score_with(&s.first[0], COT_F32, 21 + 0x1p-19, 2) < 1,
       "one ULP off is wrong with one rounding, and right with two");
    ok(truth_ulps(&s.first[0], COT_F32, 21 + 0x1p-19) == 1, "... and measures one ULP");
    s.dy[0] = 0x1p127, s.b[0] = 2;
    run_gradient(&s);
    ok(score_with(&s.first[0], COT_F32, INF, 1) == 0 && score_with(&s.first[0], COT_F32, 0x1.fffffep127, 1) <= 1.01,
       "an overflow is infinite, or the largest number next to it");
    ok(score_with(&s.first[0], COT_F32, -INF, 1) > 1e6, "and not the other infinity");
    s.b[0] = 1;
    run_gradient(&s);
    ok(score_with(&s.first[0], COT_F32, INF, 1) > 1e6, "where there is no overflow, infinity is wrong");
    ok(isinf(score_with(&s.first[0], COT_F32, NAN_, 1)), "and so is NaN");
}

/* ---- element types, and what is an edge ------------------------------------------------------ */

/* ARITH-STORE: to nearest, ties to even; bits of the significand, the smallest number, the largest. */
static void check_rounding(cot_element element, int bits, double smallest, double largest)
{
    double ulp = ldexp(1, 1 - bits);
    ok(truth_round(element, 1 + ulp) == 1 + ulp && truth_round(element, 1 + ulp / 2) == 1
           && truth_round(element, 1 + 1.5 * ulp) == 1 + 2 * ulp,
       "%s has %d bits, and ties go to even", cot_element_name(element), bits);
    ok(truth_round(element, smallest) == smallest && truth_round(element, smallest / 2) == 0
           && truth_round(element, 0.75 * smallest) == smallest,
       "%s: subnormal numbers down to %a", cot_element_name(element), smallest);
    ok(truth_round(element, largest) == largest
           && (element == COT_F64 || isinf(truth_round(element, largest * (1 + ulp)))),
       "%s: numbers up to %a, and infinity", cot_element_name(element), largest);
}

static void check_edges(void)
{
    static const struct {
        double b;
        int edge;
    } cells[] = { { 7, 0 }, { 0.0, 1 }, { -0.0, 1 }, { INF, 1 }, { -INF, 1 }, { NAN_, 1 } };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        start_sample(&s, COT_MUL, COT_F32, 1);
        s.dy[0] = 3, s.a[0] = 5, s.b[0] = cells[i].b;
        run_gradient(&s);
        cmp_ok(!!(s.first[0].holds & TRUTH_EDGE), "==", cells[i].edge, "3 * %g is %s edge", cells[i].b,
               cells[i].edge ? "an" : "no");
    }
}

/* BOUND-RANGE: cells at the ends of the range, and what is right there. */
enum { RESULTS = 7 };

typedef struct open_row {
    const char *about;
    cot_op op;
    double g, a, b; /* rounded to f32 */
    struct {
        double db;
        int admitted;
    } results[RESULTS];
    cot_policies policies;
} open_row;

// clang-format off
static const open_row open_rows[] = {
    { "a divisor that underflows to 0", COT_DIV, 1, 2e-23, 1e-23,
      { { -2e23, 1 }, { -INF, 1 }, { INF, 0 }, { NAN_, 0 }, { 0, 0 }, { 12345, 0 }, { -1.9e23, 0 } },
      .policies = { 0 } },
    { "so does the numerator", COT_DIV, 1, 1e-23, 1e-23 * 1e-23 * 1e23,
      { { -1e23, 1 }, { -INF, 1 }, { INF, 0 }, { NAN_, 0 }, { 0, 0 }, { 2e23, 0 }, { -1.1e23, 0 } },
      .policies = { 0 } },
    { "both to 0", COT_DIV, 1e-23, 1e-23, 1e-23,
      { { -1, 1 }, { NAN_, 1 }, { 0, 0 }, { -INF, 0 }, { INF, 0 }, { 1, 0 }, { -2, 0 } }, .policies = { 0 } },
    { "a divisor whose reciprocal overflows", COT_DIV, 1, 1e-22, 4e-22,
      { { -6.25e20, 1 }, { -INF, 1 }, { INF, 0 }, { NAN_, 0 }, { 0, 0 }, { 6.25e20, 0 }, { -5e20, 0 } },
      .policies = { 0 } },
    { "and the numerator underflows", COT_DIV, 1e-24, 1e-22, 4e-22,
      { { -6.25e-4, 1 }, { 0, 1 }, { NAN_, 1 }, { -INF, 0 }, { INF, 0 }, { 6.25e-4, 0 }, { -1, 0 } },
      .policies = { 0 } },
    { "a divisor that overflows", COT_DIV, 1, 1e20, 1e20,
      { { -1e-20, 1 }, { 0, 1 }, { -INF, 0 }, { INF, 0 }, { NAN_, 0 }, { 1e-20, 0 }, { -1, 0 } }, .policies = { 0 } },
    { "so does the numerator", COT_DIV, 1e20, 1e20, 1e20,
      { { -1, 1 }, { NAN_, 1 }, { 0, 0 }, { -INF, 0 }, { INF, 0 }, { 1, 0 }, { -2, 0 } }, .policies = { 0 } },
    { "only the numerator", COT_DIV, 1e20, 1e20, 1e10,
      { { -1e20, 1 }, { -INF, 1 }, { NAN_, 0 }, { INF, 0 }, { 0, 0 }, { 1e20, 0 }, { -2e20, 0 } }, .policies = { 0 } },
    { "a divisor that underflows to 0", COT_ATAN2, 1, 1e-30, 1e-30,
      { { -5e29, 1 }, { -INF, 1 }, { 0, 0 }, { INF, 0 }, { NAN_, 0 }, { 5e29, 0 }, { -1e30, 0 } }, .policies = { 0 } },
    { "which the policy takes for 0", COT_ATAN2, 1, 1e-30, 1e-30,
      { { -5e29, 1 }, { -0.0, 1 }, { INF, 0 }, { NAN_, 0 }, { 12345, 0 }, { 5e29, 0 }, { -1e30, 0 } },
      .policies = { .atan2_zero = COT_ATAN2_ZERO_ZERO } },
    { "a product that overflows", COT_HYPOT, 1e20, 1e19, 1e20,
      { { 9.9503719e19, 1 }, { INF, 1 }, { -INF, 0 }, { 0, 0 }, { NAN_, 0 }, { -9.95e19, 0 }, { 1e20, 0 } },
      .policies = { 0 } },
    { "an exponent that is rounded", COT_POW, 1, -3, 0.3,
      { { NAN_, 1 }, { NAN_, 1 }, { NAN_, 1 }, { 0, 0 }, { INF, 0 }, { -INF, 0 }, { 1, 0 } }, .policies = { 0 } },
};
// clang-format on

static void check_result(const open_row *r, double db, int admitted)
{
    const truth_bound any = { 5, 0, 0 };
    cmp_ok(!!truth_admits(&s.second[0], COT_F32, truth_round(COT_F32, db), &any), "==", admitted,
           "%s at %g, %g, %g, %s: %g is %s", cot_op_get(r->op)->name, r->g, r->a, r->b, r->about, db,
           admitted ? "right" : "wrong");
}

static void check_open(const open_row *r)
{
    start_sample(&s, r->op, COT_F32, 1);
    s.desc.policies = r->policies;
    s.dy[0] = truth_round(COT_F32, r->g), s.a[0] = truth_round(COT_F32, r->a), s.b[0] = truth_round(COT_F32, r->b);
    run_gradient(&s);
    int edge = s.second[0].holds & (TRUTH_BOUND | TRUTH_EDGE);
    if (ok(!edge || r->op == COT_POW, "%s leaves the cell open", r->about) && !edge)
        for (int i = 0; i < RESULTS; i++)
            check_result(r, r->results[i].db, r->results[i].admitted);
}

/* What only looks like the end of the range. */
static void check_closed(void)
{
    start_sample(&s, COT_ATAN2, COT_F32, 1);
    s.dy[0] = 1, s.a[0] = truth_round(COT_F32, 1e-25), s.b[0] = 3;
    run_gradient(&s);
    ok(s.second[0].holds & TRUTH_BOUND,
       "a term of the divisor that underflows beside a larger one leaves nothing open");
    start_sample(&s, COT_ATAN2, COT_F32, 1);
    s.desc.policies.atan2_zero = COT_ATAN2_ZERO_ZERO;
    s.dy[0] = 1, s.a[0] = 0, s.b[0] = -0.0;
    run_gradient(&s);
    ok(s.first[0].holds & TRUTH_EDGE && s.second[0].holds & TRUTH_EDGE, "the policy's zero at the origin is an edge");
}

/* What the tables have as numbers follows from the width and the exponents. */
static void check_format(const real_format *f, const char *what)
{
    ok(f->unit == ldexp(1, -f->bits) && f->smallest == ldexp(1, (int)f->least - 1)
           && f->least_normal == ldexp(1, (int)f->least + f->bits - 2),
       "%s: its unit and its smallest numbers", what);
}

int main(void)
{
    plan(NO_PLAN);
    check_format(&compute_float, "the compute type of most");
    check_format(&compute_double, "that of f64");
    for (int e = COT_F16; e <= COT_F64; e++)
        check_format(&element_formats[e], cot_element_name((cot_element)e));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
    for (size_t i = 0; i < sizeof forward_rows / sizeof *forward_rows; i++)
        check_forward(&forward_rows[i]);
    check_empty();
    check_conditions();
    check_scores();
    check_rounding(COT_F16, 11, 0x1p-24, 65504);
    check_rounding(COT_BF16, 8, 0x1p-133, 0x1.fep127);
    check_rounding(COT_F32, 24, 0x1p-149, 0x1.fffffep127);
    check_rounding(COT_F64, 53, 0x1p-1074, DBL_MAX);
    check_edges();
    for (size_t i = 0; i < sizeof open_rows / sizeof *open_rows; i++)
        check_open(&open_rows[i]);
    check_closed();
    truth_end();
    return done_testing();
}
