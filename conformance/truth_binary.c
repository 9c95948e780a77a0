/* Binary operations and lerp: clauses of sections 5 and 6, and FWD-BINARY. */
#include "truth_ops.h"

#include <math.h>

typedef struct pair {
    value a, b;
} pair;

/* One cell at work. */
typedef struct operands {
    const work *w;
    const cot_policies *policies;
    value g, a, b;
} operands;

static void each(work *w, pair (*f)(const operands *o))
{
    const truth_line *l = w->line;
    for (int64_t i = 0; i < w->n; i++) {
        operands o = { w, &w->desc->policies, given(w, l->dy[i]), given(w, l->a ? l->a[i] : 0), given(w, l->b ? l->b[i] : 0) };
        pair d = f(&o);
        w->first[i] = d.a;
        w->second[i] = d.b;
    }
}

static void each_forward(work *w, value (*f)(value a, value b))
{
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = f(given(w, w->line->a[i]), given(w, w->line->b[i]));
}

static value zero(const operands *o) { return given(o->w, 0.0); }
static double number(value v) { return v.literal.value; }

/* ---- add, sub, mul, div -------------------------------------------------------------------------------------------- */

static pair add(const operands *o) { return (pair){ o->g, o->g }; }
static pair sub(const operands *o) { return (pair){ o->g, v_neg(o->g) }; }
static pair mul(const operands *o) { return (pair){ v_mul(o->g, o->b), v_mul(o->g, o->a) }; }

static pair divide(const operands *o) /* DIV, DIV-OVERFLOW */
{
    return (pair){ v_div(o->g, o->b), v_div(v_neg(v_mul(o->g, o->a)), v_mul(o->b, o->b)) };
}

/* ---- maximum, minimum ---------------------------------------------------------------------------------------------- */

/* MAXIMUM, MAXIMUM-TIE, MAXIMUM-NAN, POLICY-PAIR-NAN */
static pair share(const operands *o, int a_wins)
{
    value half = v_div(o->g, given(o->w, 2));
    if (isnan(number(o->a)) || isnan(number(o->b)))
        return o->policies->pair_nan == COT_PAIR_NAN_NEITHER ? (pair){ zero(o), zero(o) } : (pair){ o->g, o->g };
    if (number(o->a) == number(o->b))
        return (pair){ half, half };
    return a_wins ? (pair){ o->g, zero(o) } : (pair){ zero(o), o->g };
}

static pair maximum(const operands *o) { return share(o, number(o->a) > number(o->b)); }
static pair minimum(const operands *o) { return share(o, number(o->a) < number(o->b)); }

/* NaN where either is; +0 above -0. */
static value maximum_y(value a, value b)
{
    if (isnan(number(a)) || isnan(number(b)))
        return isnan(number(a)) ? a : b;
    if (number(a) == number(b))
        return signbit(number(a)) ? b : a;
    return number(a) > number(b) ? a : b;
}

static value minimum_y(value a, value b)
{
    return v_neg(maximum_y(v_neg(a), v_neg(b)));
}

/* ---- pow, atan2, hypot --------------------------------------------------------------------------------------------- */

static pair power(const operands *o) /* POW, POW-ZERO, POW-NEGATIVE, POLICY-POW-ZERO */
{
    int masked = o->policies->pow_zero == COT_POW_ZERO_MASKED, unit = o->policies->pow_zero == COT_POW_ZERO_UNIT_LOG;
    double a = number(o->a), b = number(o->b);
    value one = given(o->w, 1), log = v_log(unit && a == 0 ? one : o->a);
    value less = v_sub(o->b, one), raised = v_pow(o->a, less);
    if (a < 0 && less.literal.flags & LITERAL_INEXACT) /* whether it is odd hangs on the rounding */
        raised.literal.flags |= LITERAL_RANGE;
    pair d = { v_mul(v_mul(o->g, o->b), raised), v_mul(v_mul(o->g, v_pow(o->a, o->b)), log) };
    if (masked && b == 0)
        d.a = zero(o);
    if (masked && a == 0 && b >= 0)
        d.b = zero(o);
    return d;
}

static pair arctangent(const operands *o) /* ATAN2, ATAN2-ZERO, POLICY-ATAN2-ZERO */
{
    value sum = v_add(v_mul(o->a, o->a), v_mul(o->b, o->b));
    value up = v_mul(o->g, o->b), down = v_mul(v_neg(o->g), o->a);
    if (o->policies->atan2_zero == COT_ATAN2_ZERO_ZERO && number(sum) == 0)
        return (pair){ v_mul(up, zero(o)), v_mul(down, zero(o)) };
    return (pair){ v_div(up, sum), v_div(down, sum) };
}

static pair hypotenuse(const operands *o) /* HYPOT, HYPOT-ZERO, POLICY-HYPOT-ZERO */
{
    value h = v_hypot(o->a, o->b), half = v_div(o->g, given(o->w, 2));
    if (o->policies->hypot_zero == COT_HYPOT_ZERO_HALF && number(o->a) == 0 && number(o->b) == 0)
        return (pair){ half, half };
    return (pair){ v_div(v_mul(o->g, o->a), h), v_div(v_mul(o->g, o->b), h) };
}

/* ---- lerp ---------------------------------------------------------------------------------------------------------- */

/* LERP-WEIGHT, POLICY-LERP-WEIGHT */
static value weight(const work *w)
{
    int kept = w->desc->policies.lerp_weight == COT_LERP_WEIGHT_COMPUTE;
    return given(w, rounded(kept ? w->compute : &compute_float, w->desc->param));
}

static value weight_left(const work *w)
{
    int inexact;
    if (w->desc->policies.lerp_weight == COT_LERP_WEIGHT_F32)
        return v_sub(given(w, 1), weight(w));
    double left = rounded_apply2(&compute_double, mpfr_sub, 1, w->desc->param, &inexact);
    return given(w, rounded(w->compute, left));
}

static pair lerp(const operands *o)
{
    return (pair){ v_mul(weight_left(o->w), o->g), v_mul(weight(o->w), o->g) };
}

static void lerp_y(work *w)
{
    for (int64_t i = 0; i < w->n; i++) {
        value a = given(w, w->line->a[i]), b = given(w, w->line->b[i]);
        w->first[i] = v_add(a, v_mul(weight(w), v_sub(b, a)));
    }
}

/* ---- the table ----------------------------------------------------------------------------------------------------- */

static void add_d(work *w) { each(w, add); }
static void sub_d(work *w) { each(w, sub); }
static void mul_d(work *w) { each(w, mul); }
static void div_d(work *w) { each(w, divide); }
static void maximum_d(work *w) { each(w, maximum); }
static void minimum_d(work *w) { each(w, minimum); }
static void pow_d(work *w) { each(w, power); }
static void atan2_d(work *w) { each(w, arctangent); }
static void hypot_d(work *w) { each(w, hypotenuse); }
static void lerp_d(work *w) { each(w, lerp); }

static void add_f(work *w) { each_forward(w, v_add); }
static void sub_f(work *w) { each_forward(w, v_sub); }
static void mul_f(work *w) { each_forward(w, v_mul); }
static void div_f(work *w) { each_forward(w, v_div); }
static void maximum_f(work *w) { each_forward(w, maximum_y); }
static void minimum_f(work *w) { each_forward(w, minimum_y); }
static void pow_f(work *w) { each_forward(w, v_pow); }
static void atan2_f(work *w) { each_forward(w, v_atan2); }
static void hypot_f(work *w) { each_forward(w, v_hypot); }

const truth_op truth_binary[] = {
    [COT_ADD] = { "ADD", add_d, add_f },
    [COT_SUB] = { "SUB", sub_d, sub_f },
    [COT_MUL] = { "MUL", mul_d, mul_f },
    [COT_DIV] = { "DIV", div_d, div_f },
    [COT_MAXIMUM] = { "MAXIMUM", maximum_d, maximum_f },
    [COT_MINIMUM] = { "MAXIMUM", minimum_d, minimum_f },
    [COT_POW] = { "POW", pow_d, pow_f },
    [COT_ATAN2] = { "ATAN2", atan2_d, atan2_f },
    [COT_HYPOT] = { "HYPOT", hypot_d, hypot_f },
    [COT_LERP] = { "LERP", lerp_d, lerp_y },
};
