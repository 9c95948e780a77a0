/* Defects in the formulas of reductions and binary operations, a cell at a time. Everything that is not the defect
 * follows the clause, one rounding after each operation. */
#include "mutant_defects.h"

#include <math.h>

static double rounded(const mutant_call *c, double value) { return call_round(c, value); }

/* ---- reductions ------------------------------------------------------------------------------ */

double sum_as_mean(const mutant_call *c, const mutant_spot *s) { return rounded(c, s->g / (double)c->n); }

double mean_by_reciprocal(const mutant_call *c, const mutant_spot *s)
{
    return rounded(c, s->g * rounded(c, 1 / rounded(c, (double)c->n)));
}

/* n as the element type has it: 1,025 is 1,024 in bf16. */
double count_in_element(const mutant_call *c, const mutant_spot *s)
{
    return rounded(c, s->g / call_store(c, (double)c->n));
}

double count_truncated(const mutant_call *c, const mutant_spot *s)
{
    double m = call_divisor(c), exact = (double)(c->n - c->desc.correction);
    return m > exact && exact > 0 ? rounded(c, s->reference * (m / (double)nextafterf((float)m, 0))) : s->reference;
}

double max_within_tolerance(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return fabs(s->x - s->y) <= 0x1p-8 * fabs(s->y) ? s->g : 0;
}

/* Where the cells that equal y lie in a line. */
static int64_t equal_cells(const mutant_call *c, const mutant_spot *s, int64_t *first, int64_t *last)
{
    int64_t count = 0;
    for (int64_t i = 0; i < c->n; i++)
        if (call_get(c, COT_X, s->line, i) == s->y) {
            *first = count++ ? *first : i;
            *last = i;
        }
    return count;
}

double max_tie_split(const mutant_call *c, const mutant_spot *s)
{
    int64_t first, last;
    return s->x == s->y ? rounded(c, s->g / (double)equal_cells(c, s, &first, &last)) : 0;
}

double max_tie_first(const mutant_call *c, const mutant_spot *s)
{
    int64_t first = 0, last;
    return s->x == s->y && equal_cells(c, s, &first, &last) && s->i == first ? s->g : 0;
}

double max_tie_last(const mutant_call *c, const mutant_spot *s)
{
    int64_t first, last = 0;
    return s->x == s->y && equal_cells(c, s, &first, &last) && s->i == last ? s->g : 0;
}

double max_recomputed(const mutant_call *c, const mutant_spot *s)
{
    double best = call_get(c, COT_X, s->line, 0);
    for (int64_t i = 1; i < c->n; i++) {
        double x = call_get(c, COT_X, s->line, i);
        best = isnan(best) || isnan(x) ? (double)NAN : c->desc.op == COT_MAX ? fmax(best, x) : fmin(best, x);
    }
    return s->x == best ? s->g : 0;
}

double max_nan_spreads(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return isnan(s->y) ? (double)NAN : s->reference;
}

double max_nan_takes(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return isnan(s->x) ? s->g : s->reference;
}

double max_zero_by_bits(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->x == s->y && signbit(s->x) == signbit(s->y) ? s->g : 0;
}

double prod_quotient_first(const mutant_call *c, const mutant_spot *s)
{
    return rounded(c, s->g * rounded(c, s->y / s->x));
}

double zero_where_x_is(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->x == 0 ? 0 : s->reference;
}

double zero_where_y_is(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->y == 0 ? 0 : s->reference;
}

double norm2_without_root(const mutant_call *c, const mutant_spot *s)
{
    return rounded(c, rounded(c, s->g * s->x) / rounded(c, s->y * s->y));
}

double lse_without_shift(const mutant_call *c, const mutant_spot *s)
{
    return rounded(c, s->g * rounded(c, call_exp1(c, s->x) / call_exp1(c, s->y)));
}

double lse_same_infinity(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return isinf(s->x) && s->x == s->y ? s->g : s->reference;
}

double var_without_two(const mutant_call *c, const mutant_spot *s) { return rounded(c, s->reference / 2); }

double var_reads_y(const mutant_call *c, const mutant_spot *s) { return rounded(c, s->reference + 0 * s->y); }

double std_without_divisor(const mutant_call *c, const mutant_spot *s)
{
    return rounded(c, s->reference * call_divisor(c));
}

/* The divisor is left as it is, 0 and negative numbers included. */
double divisor_unclamped(const mutant_call *c, const mutant_spot *s)
{
    double m = (double)(c->n - c->desc.correction);
    return m > 0 ? s->reference : rounded(c, s->reference / m);
}

double divisor_wraps(const mutant_call *c, const mutant_spot *s)
{
    int32_t m = (int32_t)((uint32_t)c->n - (uint32_t)c->desc.correction);
    double wrapped = m > 0 ? (double)m : 1;
    return wrapped == call_divisor(c) ? s->reference : rounded(c, s->reference * (call_divisor(c) / wrapped));
}

/* A line of one cell has no spread: an obvious and wrong shortcut where g or x is not finite. */
double single_cell_is_zero(const mutant_call *c, const mutant_spot *s) { return c->n == 1 ? 0 : s->reference; }

/* ---- binary operations ----------------------------------------------------------------------- */

double second_negated(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->out == COT_DB ? -s->reference : s->reference;
}

double second_from_zero(const mutant_call *c, const mutant_spot *s)
{
    return s->out == COT_DB ? rounded(c, 0 - s->g) : s->reference;
}

double second_for_both(const mutant_call *c, const mutant_spot *s)
{
    return *call_at(c, s->out == COT_DA ? COT_DB : COT_DA, s->line, s->i);
}

double mul_own(const mutant_call *c, const mutant_spot *s)
{
    return rounded(c, s->g * (s->out == COT_DA ? s->a : s->b));
}

double div_carefully(const mutant_call *c, const mutant_spot *s)
{
    return s->out == COT_DB ? rounded(c, -rounded(c, s->g / s->b) * rounded(c, s->a / s->b)) : s->reference;
}

double pair_loser_too(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->a != s->b ? s->g : s->reference;
}

double pair_tie_to_a(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->a == s->b ? s->out == COT_DA ? s->g : 0 : s->reference;
}

double pair_tie_to_both(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->a == s->b ? s->g : s->reference;
}

double pair_tie_by_bits(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    if (s->a != 0 || s->b != 0 || signbit(s->a) == signbit(s->b))
        return s->reference;
    int a_wins = (c->desc.op == COT_MAXIMUM) == !signbit(s->a);
    return a_wins == (s->out == COT_DA) ? s->g : 0;
}

double pair_nan_to_none(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return isnan(s->a) || isnan(s->b) ? 0 : s->reference;
}

double pair_nan_to_number(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    if (isnan(s->a) == isnan(s->b))
        return s->reference;
    return isnan(s->a) == (s->out == COT_DB) ? s->g : 0;
}

/* a^(b - 1) as a^b / a. */
double pow_by_division(const mutant_call *c, const mutant_spot *s)
{
    double power = rounded(c, pow(s->a, s->b));
    return s->out == COT_DA ? rounded(c, rounded(c, s->g * s->b) * rounded(c, power / s->a)) : s->reference;
}

double pow_cube_at_four(const mutant_call *c, const mutant_spot *s)
{
    double cube = rounded(c, rounded(c, s->a * s->a) * s->a);
    return s->out == COT_DA && s->b == 4 ? rounded(c, rounded(c, s->g * s->b) * cube) : s->reference;
}

double pow_root_of_infinity(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->out == COT_DA && s->b == 1.5 && isinf(s->a) && s->a < 0 ? (double)NAN : s->reference;
}

double pow_zero_guarded(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    if (s->out == COT_DA)
        return s->b == 0 ? 0 : s->reference;
    return s->a == 0 && s->b >= 0 ? 0 : s->reference;
}

double pow_log_of_size(const mutant_call *c, const mutant_spot *s)
{
    if (s->out == COT_DA || !(s->a < 0))
        return s->reference;
    return rounded(c, rounded(c, s->g * rounded(c, pow(s->a, s->b))) * rounded(c, log(-s->a)));
}

double zero_at_origin(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return s->a == 0 && s->b == 0 ? 0 : s->reference;
}

/* No intermediate leaves the range: right, and not what the spec says. */
double atan2_scaled(const mutant_call *c, const mutant_spot *s)
{
    double size = fmax(fabs(s->a), fabs(s->b)), sum = s->a / size * (s->a / size) + s->b / size * (s->b / size);
    double wide = s->g * ((s->out == COT_DA ? s->b : -s->a) / size / sum / size);
    return isfinite(s->a * s->a + s->b * s->b) && isfinite(call_round(c, s->a * s->a + s->b * s->b)) ? s->reference
                                                                                                     : rounded(c, wide);
}

double hypot_squared(const mutant_call *c, const mutant_spot *s)
{
    double h = rounded(c, rounded(c, s->a * s->a) + rounded(c, s->b * s->b));
    return rounded(c, rounded(c, s->g * (s->out == COT_DA ? s->a : s->b)) / h);
}

double hypot_overflows(const mutant_call *c, const mutant_spot *s)
{
    double h = rounded(c, sqrt(rounded(c, rounded(c, s->a * s->a) + rounded(c, s->b * s->b))));
    return isinf(h) && isfinite(s->a) && isfinite(s->b)
               ? rounded(c, rounded(c, s->g * (s->out == COT_DA ? s->a : s->b)) / h)
               : s->reference;
}

/* ---- lerp ------------------------------------------------------------------------------------ */

static double lerp_with(const mutant_call *c, const mutant_spot *s, double w)
{
    double weight = rounded(c, w);
    return rounded(c, (s->out == COT_DA ? rounded(c, 1 - weight) : weight) * s->g);
}

double lerp_weight_unrounded(const mutant_call *c, const mutant_spot *s) { return lerp_with(c, s, c->desc.param); }

double lerp_weight_clamped(const mutant_call *c, const mutant_spot *s)
{
    double w = (double)(float)c->desc.param;
    return lerp_with(c, s, w >= 0 ? fmin(w, 1) : 0);
}

/* ---- softmax --------------------------------------------------------------------------------- */

double log_softmax_y_spreads(const mutant_call *c, const mutant_spot *s)
{
    for (int64_t i = 0; i < c->n; i++)
        if (isnan(call_get(c, COT_Y, s->line, i)))
            return (double)NAN;
    return s->reference;
}
