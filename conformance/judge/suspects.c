/* A cell's formula with another rounding, another divisor or another function in it, compared with what came out. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wdouble-promotion" /* suspects are computed in long double on purpose */
#endif

#include "suspects.h"

#include <math.h>

enum { MARGIN = 4 }; /* times as many cells speak for an evaluation as against it */

static double in_type(cot_element type, double number)
{
    double cell;
    cot_cell_set(type, &cell, number);
    return cot_cell_get(type, &cell);
}

static cot_element compute_type(const exhibit *e) { return e->desc.element == COT_F64 ? COT_F64 : COT_F32; }

/* ---- formulas, every operation rounded to a type --------------------------------------------- */

/* A cell's operands, and the type that operations round to. */
typedef struct steps {
    const exhibit *e;
    cot_element type;
    unsigned faults;
    double g, x, y, a, b;
} steps;

enum {
    UNSCALED = 1,    /* hypot is the root of a * a + b * b */
    FLUSHED = 2,     /* subnormal operands count as zeros */
    HOISTED = 4,     /* (l / c) * r for (l * r) / c; div's db from da */
    QUOTIENTS = 8,   /* l * (r / c); the last product of pow first */
    RECIPROCAL = 16, /* a * (1 / b) for a / b */
    FUSED = 32       /* a product that feeds a sum is not rounded */
};

static double r(const steps *s, double number) { return in_type(s->type, number); }

static double divided(const steps *s, double a, double b)
{
    return s->faults & RECIPROCAL ? r(s, a * r(s, 1 / b)) : r(s, a / b);
}

static double over(const steps *s, double left, double right, double below)
{
    if (s->faults & HOISTED)
        return r(s, divided(s, left, below) * right);
    return s->faults & QUOTIENTS ? r(s, left * divided(s, right, below)) : divided(s, r(s, left * right), below);
}

static double thrice(const steps *s, double a, double b, double c)
{
    return s->faults & QUOTIENTS ? r(s, a * r(s, b * c)) : r(s, r(s, a * b) * c);
}

static double plus_square(const steps *s, double a, double other) /* a * a + other */
{
    return s->faults & FUSED ? r(s, fma(a, a, other)) : r(s, r(s, a * a) + other);
}

static double div_steps(const steps *s, cot_operand out)
{
    double da = divided(s, s->g, s->b), ratio = divided(s, s->a, s->b);
    if (out == COT_DA)
        return da;
    if (s->faults & HOISTED)
        return r(s, -da * ratio);
    return s->faults & QUOTIENTS ? divided(s, -r(s, s->g * ratio), s->b)
                                 : divided(s, -r(s, s->g * s->a), r(s, s->b * s->b));
}

static double atan2_steps(const steps *s, cot_operand out)
{
    double below = plus_square(s, s->a, r(s, s->b * s->b)), h = r(s, hypot(s->a, s->b));
    double g = out == COT_DA ? s->g : -s->g, other = out == COT_DA ? s->b : s->a;
    return s->faults & QUOTIENTS ? r(s, g * r(s, r(s, other / h) / h)) : over(s, g, other, below);
}

static double hypot_steps(const steps *s, cot_operand out)
{
    double h = s->faults & UNSCALED ? r(s, sqrt(plus_square(s, s->a, r(s, s->b * s->b)))) : r(s, hypot(s->a, s->b));
    return over(s, s->g, out == COT_DA ? s->a : s->b, h);
}

static double pow_steps(const steps *s, cot_operand out)
{
    double power = r(s, pow(s->a, out == COT_DA ? r(s, s->b - 1) : s->b));
    return out == COT_DA ? thrice(s, s->g, s->b, power) : thrice(s, s->g, power, r(s, log(s->a)));
}

static double lerp_steps(const steps *s, cot_operand out)
{
    double w = r(s, (double)(float)s->e->desc.param);
    if (s->faults & FUSED && out == COT_DA)
        return r(s, fma(-w, s->g, s->g));
    return r(s, (out == COT_DA ? r(s, 1 - w) : w) * s->g);
}

/* 0: the formula is not here. */
static int evaluate(const steps *s, cot_operand out, double *result)
{
    switch (s->e->desc.op) {
    case COT_MEAN: *result = r(s, s->g / r(s, (double)s->e->n)); return 1;
    case COT_PROD: *result = over(s, s->g, s->y, s->x); return 1;
    case COT_NORM2: *result = over(s, s->g, s->x, s->y); return 1;
    case COT_LOGSUMEXP: *result = r(s, s->g * r(s, exp(r(s, s->x - s->y)))); return 1;
    case COT_DIV: *result = div_steps(s, out); return 1;
    case COT_POW: *result = pow_steps(s, out); return 1;
    case COT_ATAN2: *result = atan2_steps(s, out); return 1;
    case COT_HYPOT: *result = hypot_steps(s, out); return 1;
    case COT_LERP: *result = lerp_steps(s, out); return 1;
    default: return 0;
    }
}

double flush_subnormal(const cot_desc *desc, double number)
{
    double least = desc->element == COT_F64 ? 0x1p-1022 : desc->element == COT_F16 ? 0x1p-14 : 0x1p-126;
    return fabs(number) < least ? copysign(0, number) : number;
}

static double operand(const exhibit *e, cot_operand o, int64_t i, unsigned faults)
{
    double number = exhibit_cell(e, o, i);
    return faults & FLUSHED ? flush_subnormal(&e->desc, number) : number;
}

static steps steps_at(const exhibit *e, cot_element type, unsigned faults, int64_t i)
{
    return (steps){ e,
                    type,
                    faults,
                    operand(e, COT_DY, i, faults),
                    operand(e, COT_X, i, faults),
                    operand(e, COT_Y, i, faults),
                    operand(e, COT_A, i, faults),
                    operand(e, COT_B, i, faults) };
}

/* Whether all outputs are what steps in a type give, and not what the spec's give. What has left the range tells by
 * itself: numbers come near each other by chance, infinities do not. */
static int line_has_steps(const exhibit *e, cot_element type, unsigned faults)
{
    int64_t same = 0, cells = 0, told = 0, lost = 0;
    for (int o = COT_DX; o < OPERANDS; o++)
        for (int64_t i = 0; e->cells[o] && i < e->n; i++) {
            steps wrong = steps_at(e, type, faults, i), right = steps_at(e, compute_type(e), 0, i);
            double suspect, spec, got = e->cells[o][i];
            if (!evaluate(&wrong, (cot_operand)o, &suspect) || !evaluate(&right, (cot_operand)o, &spec))
                return 0;
            suspect = in_type(e->desc.element, suspect), spec = in_type(e->desc.element, spec);
            int is = same_number(got, suspect), tells = !same_number(suspect, spec);
            cells++, same += is, told += is && tells;
            lost += i == e->at && is && tells && (!isfinite(got) || got == 0 || !isfinite(spec));
        }
    return told && (same == cells || lost);
}

int line_is_stepwise(const exhibit *e)
{
    return e->desc.element <= COT_BF16
           && (line_has_steps(e, e->desc.element, 0) || line_has_steps(e, e->desc.element, UNSCALED));
}

int line_is_unscaled(const exhibit *e)
{
    return e->desc.op == COT_HYPOT && line_has_steps(e, compute_type(e), UNSCALED);
}

int line_is_flushed(const exhibit *e) { return line_has_steps(e, compute_type(e), FLUSHED); }

/* A result that a cell has by these steps, rounded to the element type; 0: no formula is here. */
static int result(const exhibit *e, unsigned faults, cot_operand o, int64_t i, double *number)
{
    steps s = steps_at(e, compute_type(e), faults, i);
    int known = evaluate(&s, o, number);
    *number = known ? in_type(e->desc.element, *number) : 0;
    return known;
}

/* Cells that tell steps from the spec's speak for them, or against. -1: some cell is of neither, or too many are
 * against. Where the steps leave the range somebody may have guarded them. */
static int64_t votes(const exhibit *e, unsigned faults)
{
    int64_t pro = 0, contra = 0;
    double suspect, guarded, spec;
    for (int o = COT_DX; o < OPERANDS; o++)
        for (int64_t i = 0; e->cells[o] && i < e->n; i++) {
            double got = e->cells[o][i];
            if (!result(e, faults, (cot_operand)o, i, &suspect) || !result(e, 0, (cot_operand)o, i, &spec)
                || !result(e, faults & RECIPROCAL, (cot_operand)o, i, &guarded))
                return -1;
            if (!same_number(got, suspect) && !same_number(got, spec) && !same_number(got, guarded))
                return -1;
            pro += same_number(got, suspect) && !same_number(got, spec);
            contra += !same_number(got, suspect) && isnormal(suspect);
        }
    return pro > MARGIN * contra ? pro : -1;
}

int line_is_reassociated(const exhibit *e)
{
    static const unsigned ways[] = {
        HOISTED, QUOTIENTS, RECIPROCAL, HOISTED | RECIPROCAL, QUOTIENTS | RECIPROCAL, FUSED
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (votes(e, ways[i]) > 0)
            return 1;
    return 0;
}

/* ---- single ops ------------------------------------------------------------------------------ */

static int is_mean_of(const exhibit *e, double suspect)
{
    int64_t same = 0;
    for (int64_t i = 0; i < e->n; i++)
        same += same_number(e->cells[COT_DX][i], in_type(e->desc.element, in_type(compute_type(e), suspect)));
    return e->n && same == e->n;
}

int line_is_by_reciprocal(const exhibit *e)
{
    double part = in_type(compute_type(e), 1 / in_type(compute_type(e), (double)e->n));
    return e->desc.op == COT_MEAN && is_mean_of(e, e->cells[COT_DY][0] * part);
}

int line_counts_in_element(const exhibit *e)
{
    return e->desc.op == COT_MEAN && is_mean_of(e, e->cells[COT_DY][0] / in_type(e->desc.element, (double)e->n));
}

/* exp(x) or exp(y) has left the range where exp(x - y) would not. */
int line_is_unshifted(const exhibit *e)
{
    cot_element type = compute_type(e);
    if (e->desc.op != COT_LOGSUMEXP)
        return 0;
    double above = in_type(type, exp(exhibit_cell(e, COT_X, e->at))),
           below = in_type(type, exp(exhibit_cell(e, COT_Y, e->at))), got = e->cells[COT_DX][e->at];
    int left = isinf(above) || isinf(below) || above == 0 || below == 0;
    return left && (!isfinite(got) || got == 0) && isfinite(exhibit_cell(e, COT_X, e->at));
}

static int all_are_of(const exhibit *e, cot_element type)
{
    int all = 1;
    for (int o = COT_DX; o < OPERANDS; o++)
        for (int64_t i = 0; e->cells[o] && i < e->n; i++)
            all &= same_number(in_type(type, e->cells[o][i]), e->cells[o][i]);
    return all;
}

int line_is_narrowed(const exhibit *e, double got, double want)
{
    for (int type = COT_F16; type <= COT_F32 && type < (int)e->desc.element; type++)
        if (e->desc.element >= COT_F32 && !isnan(want) && same_number(in_type((cot_element)type, want), got)
            && all_are_of(e, (cot_element)type) && line_is_stored_in(e, (cot_element)type))
            return 1;
    return 0;
}

/* ---- var and std ----------------------------------------------------------------------------- */

static long double mean_over(const exhibit *e, double count)
{
    long double sum = 0;
    for (int64_t i = 0; i < e->n; i++)
        sum += e->cells[COT_X][i];
    return sum / count;
}

static long double moment(const exhibit *e, int64_t i, long double mean, double m)
{
    long double centred = e->cells[COT_X][i] - mean, g = exhibit_cell(e, COT_DY, i);
    return e->desc.op == COT_VAR ? g * 2 * centred / m : g * centred / (m * exhibit_cell(e, COT_Y, i));
}

/* How far the line is from a divisor and a mean, and how large it would be: sums over its cells. NaN where a cell is
 * not finite. */
typedef struct fit {
    long double distance, size;
} fit;

static fit fit_of(const exhibit *e, long double mean, double m)
{
    fit sum = { 0, 0 };
    for (int64_t i = 0; i < e->n; i++) {
        long double cell = moment(e, i, mean, m);
        sum.distance += fabsl(e->cells[COT_DX][i] - cell);
        sum.size += fabsl(cell);
    }
    return sum;
}

static double divisor(const exhibit *e)
{
    int64_t m = e->n - e->desc.correction;
    return m > 0 ? (double)m : 1;
}

/* It explains nearly all that is wrong, and nearly all that came out. */
static int explains(fit suspect, fit spec)
{
    return suspect.distance < spec.distance / 8 && suspect.distance < suspect.size / 16;
}

static int has_moments(const exhibit *e) { return e->desc.op == COT_VAR || e->desc.op == COT_STD; }

int line_has_divisor(const exhibit *e, double m)
{
    if (!has_moments(e) || m == divisor(e))
        return 0;
    long double mean = mean_over(e, (double)e->n);
    return explains(fit_of(e, mean, m), fit_of(e, mean, divisor(e)));
}

int line_has_mean_over(const exhibit *e, double m)
{
    if (!has_moments(e) || m == (double)e->n)
        return 0;
    return explains(fit_of(e, mean_over(e, m), divisor(e)), fit_of(e, mean_over(e, (double)e->n), divisor(e)));
}
