#include "truth_value.h"

#include <math.h>
#include <stddef.h>

const real_format compute_float = { 24, -148, 128 }, compute_double = { 53, -1073, 1024 };

/* ---- literal: an operation of the compute type -------------------------------------------------------------------- */

enum { UNSOUND = ~(LITERAL_INEXACT | LITERAL_FUNCTION) };

int literal_is_firm(literal a)
{
    return !(a.flags & (unsigned)UNSOUND);
}

static int is_firm_nan(literal a)
{
    return isnan(a.value) && literal_is_firm(a);
}

/* What the operands of an operation hand on to its result: what was the last operation is now an earlier one. */
static unsigned inherit(literal a, literal b)
{
    unsigned flags = a.flags | b.flags, kept = flags & ~(unsigned)(LITERAL_TINY | LITERAL_HUGE);
    return kept | (flags & LITERAL_TINY ? LITERAL_UNDERFLOW : 0) | (flags & LITERAL_HUGE ? LITERAL_RANGE : 0);
}

double least_normal(const real_format *format)
{
    return ldexp(1, (int)format->least + format->bits - 2);
}

static unsigned left_range(const real_format *format, double result)
{
    return isinf(result) ? LITERAL_HUGE : fabs(result) < least_normal(format) ? LITERAL_TINY : 0;
}

static literal l_settle(literal a, literal b, double result, int inexact, unsigned flags)
{
    flags |= inherit(a, b) | (inexact ? LITERAL_INEXACT | left_range(a.format, result) : 0);
    if (isnan(result) && (is_firm_nan(a) || is_firm_nan(b)))
        flags = 0; /* whatever the other operand went through */
    return (literal){ result, a.format, flags };
}

static literal l_apply2(real_fn2 *f, literal a, literal b)
{
    int inexact;
    double result = rounded_apply2(a.format, f, a.value, b.value, &inexact);
    return l_settle(a, b, result, inexact, 0);
}

/* An infinity as given stays one, whatever finite is added to it. */
static int stays_infinite(literal infinite, literal other)
{
    int other_is_sound = isfinite(other.value) ? !(other.flags & (LITERAL_RANGE | LITERAL_HUGE)) : literal_is_firm(other);
    return isinf(infinite.value) && literal_is_firm(infinite) && other_is_sound;
}

static int may_cancel(literal a, literal b)
{
    return (a.flags | b.flags) & LITERAL_INEXACT && a.value != 0 && b.value != 0 && signbit(a.value) != signbit(b.value);
}

literal l_add(literal a, literal b)
{
    literal r = l_apply2(mpfr_add, a, b);
    if (isfinite(r.value) && may_cancel(a, b))
        r.flags |= LITERAL_FRAGILE;
    if (isinf(r.value) && (stays_infinite(a, b) || stays_infinite(b, a)))
        r.flags = 0;
    return r;
}

literal l_mul(literal a, literal b)
{
    return l_apply2(mpfr_mul, a, b);
}

static literal l_neg(literal a)
{
    a.value = -a.value;
    return a;
}

literal l_sub(literal a, literal b)
{
    return l_add(a, l_neg(b));
}

/* Functions: the bits are open where the result is a number other than 0. */
static unsigned function_flags(double result)
{
    return isfinite(result) && result != 0 ? LITERAL_FUNCTION | LITERAL_INEXACT : 0;
}

static literal l_function1(real_fn1 *f, literal a)
{
    int inexact;
    double result = rounded_apply1(a.format, f, a.value, &inexact);
    return l_settle(a, a, result, inexact, f == mpfr_sqrt ? 0 : function_flags(result));
}

literal l_exp(literal a)
{
    return l_function1(mpfr_exp, a);
}

static literal l_function2(real_fn2 *f, literal a, literal b)
{
    literal r = l_apply2(f, a, b);
    r.flags |= function_flags(r.value);
    return r;
}

/* ---- values: all three at once ------------------------------------------------------------------------------------ */

value v_given(const real_format *compute, double operand)
{
    real exact = real_of(operand);
    return (value){ exact, real_abs(exact), { operand, compute, 0 }, 1 };
}

static real one(void)
{
    return real_of(1);
}

/* The sum of two operands as given is rounded once, and so is as good as its own size; any other is as good as its terms. */
static real sum_condition(value a, value b, real sum)
{
    return a.given && b.given ? real_abs(sum) : real_add(a.condition, b.condition);
}

value v_used(value a)
{
    real least = real_of(least_normal(a.literal.format));
    if (a.literal.flags & LITERAL_TINY && real_compare(a.condition, least) < 0)
        a.condition = least;
    return a;
}

value v_add(value a, value b)
{
    a = v_used(a), b = v_used(b);
    real sum = real_add(a.exact, b.exact);
    return (value){ sum, sum_condition(a, b, sum), l_add(a.literal, b.literal), 0 };
}

value v_sub(value a, value b)
{
    return v_add(a, v_neg(b));
}

value v_mul(value a, value b)
{
    a = v_used(a), b = v_used(b);
    return (value){ real_mul(a.exact, b.exact), real_mul(a.condition, b.condition), l_mul(a.literal, b.literal), 0 };
}

/* d(a/b) = da/b - a*db/b^2: with the condition of b, which is |b| but for a sum, in the place of db. That holds for small db
 * only: a divisor that underflowed may be far off. */
value v_div(value a, value b)
{
    a = v_used(a);
    if (b.literal.flags & (LITERAL_TINY | LITERAL_UNDERFLOW))
        b.literal.flags |= LITERAL_RANGE;
    real by = real_div(b.condition, real_mul(b.exact, b.exact));
    if (b.given)
        by = real_div(one(), real_abs(b.exact));
    return (value){ real_div(a.exact, b.exact), real_mul(a.condition, by), l_apply2(mpfr_div, a.literal, b.literal), 0 };
}

value v_neg(value a)
{
    a.exact = real_neg(a.exact);
    a.literal = l_neg(a.literal);
    return a;
}

/* The size of an error that an argument brings along; none where it is as given. */
static real argument_error(value a)
{
    return a.given ? real_of(0) : v_used(a).condition;
}

value v_sqrt(value a)
{
    real root = real_apply1(mpfr_sqrt, a.exact);
    real condition = real_is_zero(a.exact) ? a.condition : real_mul(root, real_div(a.condition, a.exact));
    return (value){ root, condition, l_function1(mpfr_sqrt, a.literal), 0 };
}

value v_exp(value a) /* an error d of the argument is a relative error d of the result */
{
    real e = real_apply1(mpfr_exp, a.exact);
    real condition = real_mul(e, real_add(one(), argument_error(a)));
    return (value){ e, condition, l_exp(a.literal), 0 };
}

value v_log(value a) /* and a relative error d of the argument an error d of the result */
{
    real log = real_apply1(mpfr_log, a.exact);
    real condition = real_add(real_abs(log), real_div(argument_error(a), real_abs(a.exact)));
    return (value){ log, condition, l_function1(mpfr_log, a.literal), 0 };
}

value v_pow(value base, value exponent) /* an error d of the exponent is a relative error d * log(base) */
{
    real power = real_apply2(mpfr_pow, base.exact, exponent.exact);
    real condition = real_abs(power);
    if (!exponent.given && real_is_finite(base.exact) && !real_is_zero(base.exact)) {
        real log = real_abs(real_apply1(mpfr_log, real_abs(base.exact)));
        condition = real_mul(condition, real_add(one(), real_mul(log, exponent.condition)));
    }
    return (value){ power, condition, l_function2(mpfr_pow, base.literal, exponent.literal), 0 };
}

static value of_given(real_fn2 *f, value a, value b)
{
    real r = real_apply2(f, a.exact, b.exact);
    return (value){ r, real_abs(r), l_function2(f, a.literal, b.literal), 0 };
}

value v_hypot(value a, value b) { return of_given(mpfr_hypot, a, b); }
value v_atan2(value a, value b) { return of_given(mpfr_atan2, a, b); }
