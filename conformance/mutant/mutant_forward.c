/* Defects in the forward operations: the library's, and then some results anew. Judged by the line: x, or a and b, to
 * y.
 */
#include "mutant_defects.h"

#include <math.h>

static double get(const cot_view *view, int64_t i) { return cot_cell_get(view->element, view_cell(view, i)); }

static void put(const cot_args *args, int64_t i, double value)
{
    cot_cell_set(args->y->element, view_cell(args->y, i), value);
}

static double rounded(const cot_desc *desc, double value)
{
    return desc->element == COT_F64 ? value : (double)(float)value;
}

static int64_t extent(const cot_desc *desc) { return desc->shape[desc->rank - 1]; }

/* sum, mean and cumsum, one term after the other. */
cot_status forward_in_turn(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    int64_t n = extent(desc);
    double sum = -0.0;
    (void)m;
    for (int64_t p = 0; p < n && !status; p++) {
        int64_t i = desc->reverse ? n - 1 - p : p;
        sum = rounded(desc, sum + get(args->x, i));
        if (desc->op == COT_CUMSUM)
            put(args, i, sum);
    }
    if (!status && n && desc->op != COT_CUMSUM)
        put(args, 0, desc->op == COT_MEAN ? rounded(desc, sum / rounded(desc, (double)n)) : sum);
    return status;
}

/* max, min, maximum and minimum as fmax and fmin have them: a NaN is passed over. */
cot_status forward_nan_passed_over(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    int most = desc->op == COT_MAX || desc->op == COT_MAXIMUM, pairs = !cot_has_axis(cot_op_get(desc->op));
    double best = (double)NAN;
    (void)m;
    for (int64_t i = 0; i < extent(desc) && !status; i++) {
        double a = pairs ? get(args->a, i) : best, b = get(pairs ? args->b : args->x, i);
        best = most ? fmax(a, b) : fmin(a, b);
        if (pairs && isnan(a) != isnan(b))
            put(args, i, best);
    }
    if (!status && !pairs && isnan(get(args->y, 0)))
        put(args, 0, best);
    return status;
}

/* maximum and minimum of +0 and -0: whichever comes first. */
cot_status forward_first_zero(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    (void)m;
    for (int64_t i = 0; i < extent(desc) && !status; i++)
        if (get(args->a, i) == 0 && get(args->b, i) == 0)
            put(args, i, get(args->a, i));
    return status;
}

/* var and std with n - correction as it comes. */
cot_status forward_unclamped(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    double divisor = (double)(extent(desc) - desc->correction);
    (void)m;
    if (!status && divisor <= 0 && extent(desc))
        put(args, 0, get(args->y, 0) / divisor);
    return status;
}

/* No maximum is taken off before exp: large numbers overflow. */
cot_status forward_without_shift(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    double sum = 0;
    (void)m;
    for (int64_t i = 0; i < extent(desc) && !status; i++)
        sum = rounded(desc, sum + rounded(desc, exp(get(args->x, i))));
    for (int64_t i = 0; i < extent(desc) && !status && (isinf(sum) || sum == 0); i++) {
        double x = get(args->x, i);
        if (desc->op == COT_LOGSUMEXP)
            put(args, 0, log(sum));
        else
            put(args, i, desc->op == COT_SOFTMAX ? exp(x) / sum : x - log(sum));
    }
    return status;
}

/* cummax and cummin: a winner gives way to whatever comes after a NaN. */
cot_status forward_winner_lost(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    (void)m;
    for (int64_t i = 0; i < extent(desc) && !status; i++)
        if (isnan(get(args->x, i)))
            put(args, i, (double)NAN);
    return status;
}

/* Reductions of nothing are all +0. */
cot_status forward_nothing_is_zero(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    (void)m;
    if (!status && extent(desc) == 0)
        put(args, 0, 0);
    return status;
}

cot_status forward_nothing_has_extremum(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_status status = cot_forward(desc, args, error);
    (void)m;
    if (status != COT_INVALID_PROBLEM || extent(desc))
        return status;
    put(args, 0, desc->op == COT_MAX ? -(double)INFINITY : (double)INFINITY);
    return COT_OK;
}
