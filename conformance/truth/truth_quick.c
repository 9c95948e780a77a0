/* The formulas of truth in pairs of doubles, and their literal evaluation in the processor's own arithmetic. */
#include "truth_engine.h"
#include "truth_pair.h"

/* ---- operations of a compute type, rounded once ---------------------------------------------- */

/* Rounds a double that is not the result of rounding yet, or whose error is `rest`. */
static double to_format(const real_format *to, double value, double rest, int *inexact)
{
    double nearest = to == &compute_double ? value : (double)(float)value;
    *inexact = nearest != value || rest != 0;
    return nearest;
}

static int both_finite(double a, double b) { return isfinite(a) && isfinite(b); }

static double round_add(const real_format *to, double a, double b, int *inexact)
{
    pair_sum s = two_sum(a, b);
    double result = to == &compute_double ? s.high : (double)((float)a + (float)b);
    *inexact = both_finite(a, b) && (isinf(result) || s.low != 0 || result != s.high);
    return result;
}

/* The product of two floats is exact in a double; that of two doubles in a pair, unless it is next to the smallest. */
static double round_mul(const real_format *to, double a, double b, int *inexact)
{
    double product = a * b;
    if (!both_finite(a, b)) {
        *inexact = 0;
        return product;
    }
    if (to == &compute_float)
        return to_format(to, product, 0, inexact);
    if (a != 0 && b != 0 && !(fabs(product) >= PAIR_LEAST && fabs(product) <= PAIR_MOST))
        pair_left_range = 1;
    return to_format(to, product, isinf(product) ? 1 : two_product(a, b).low, inexact);
}

/* A quotient is exact where it times the divisor gives the dividend back. */
static double round_div(const real_format *to, double a, double b, int *inexact)
{
    double quotient = to == &compute_double ? a / b : (double)((float)a / (float)b);
    *inexact = 0;
    if (!both_finite(a, b) || b == 0)
        return quotient;
    if (to == &compute_double && a != 0
        && (fabs(quotient) < PAIR_LEAST || fabs(a) < PAIR_LEAST || fabs(quotient) > PAIR_MOST || fabs(a) > PAIR_MOST
            || fabs(b) > PAIR_MOST))
        pair_left_range = 1;
    pair_sum back = two_product(quotient, b);
    *inexact = isinf(quotient) || back.high != a || back.low != 0;
    return quotient;
}

static double round_sqrt(const real_format *to, double a, int *inexact)
{
    double root = to == &compute_double ? sqrt(a) : (double)sqrtf((float)a);
    pair_sum back = two_product(root, root);
    *inexact = isfinite(root) && (back.high != a || back.low != 0);
    return root;
}

/* Functions: nearly always the nearest number; the bits are not decided in any case. */
static double nearest_to(const real_format *to, real r, int special, int *inexact)
{
    double value = special ? r.high : r.high + r.low, nearest = to == &compute_double ? value : (double)(float)value;
    *inexact = !special && !isnan(value);
    return nearest;
}

static double round_exp(const real_format *to, double a, int *inexact)
{
    return nearest_to(to, real_exp(real_of(a)), a == 0 || !isfinite(a), inexact);
}

static double round_log(const real_format *to, double a, int *inexact)
{
    return nearest_to(to, real_log(real_of(a)), a == 0 || a == 1 || !isfinite(a), inexact);
}

static double round_pow(const real_format *to, double a, double b, int *inexact)
{
    int special = a == 0 || b == 0 || a == 1 || !both_finite(a, b);
    return nearest_to(to, real_pow(real_of(a), real_of(b)), special, inexact);
}

static double round_hypot(const real_format *to, double a, double b, int *inexact)
{
    return nearest_to(to, real_hypot(real_of(a), real_of(b)), a == 0 || b == 0 || !both_finite(a, b), inexact);
}

static double round_atan2(const real_format *to, double a, double b, int *inexact)
{
    return nearest_to(to, real_atan2(real_of(a), real_of(b)), 0, inexact);
}

static void numbers_begin(cot_element element)
{
    pair_left_range = 0;
    pair_is_narrow = element != COT_F64;
}

static int numbers_are_sure(void) { return !pair_left_range; }
static void numbers_doubt(void) { pair_left_range = 1; }

#include "truth_formulas.inc"

const truth_engine truth_quick_engine = { gradient, forward, clause_of };
