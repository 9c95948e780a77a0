/* Which clause a wrong cell breaks: facts about the cell, the predicates of tests.def, and the first row that holds. A
 * clause that many cells are about (ties, a direction, a correction) is named only where breaking it gives the whole
 * line as it came out. */
#include "judge_clause.h"
#include "suspects.h"
#include "conformance/clause/clauses.h"
#include "conformance/clause/scope.h"
#include "conformance/truth/truth.h"
#include "core/formula/spec.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- what a cell looks like ------------------------------------------------------------------ */

typedef struct facts {
    const cot_desc *desc;
    const verdict *v;
    const exhibit *line;  /* with what came out; NULL: only the cell is known */
    double g, x, y, a, b; /* NaN where the op does not read it */
    int64_t n, rest;      /* along the axis; and n - correction */
    int tied;             /* more than one cell of the line equals y */
    int nan, infinite;    /* somewhere in what the line reads */
    int repeated;         /* a cell of x equals an earlier one */
    int x_nan, x_zero;    /* somewhere in the line's x */
    int leads_nan;        /* the forward scan's first x is NaN */
} facts;

static double read_at(const problem *p, cot_operand o, const facts *f, int64_t along)
{
    const cot_view *view = &p->tensors[o].view;
    return cell_value(view, exhibit_place(view, f->v->index, f->desc->axis, along));
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
            f->x_nan |= isnan(cell);
            f->x_zero |= cell == 0;
            f->leads_nan |= isnan(cell) && i == (f->desc->reverse ? f->n - 1 : 0);
            equal += cell == f->y;
            f->repeated |= cell == most || cell == least;
            most = fmax(most, cell);
            least = fmin(least, cell);
        }
    f->tied = equal > 1;
}

static double input(const verdict *v, cot_operand o) { return v->has_inputs >> o & 1 ? v->inputs[o] : (double)NAN; }

static facts look(const verdict *v, const problem *p)
{
    const cot_desc *d = &p->c.desc;
    facts f = { .desc = d,
                .v = v,
                .g = input(v, COT_DY),
                .x = input(v, COT_X),
                .y = input(v, COT_Y),
                .a = input(v, COT_A),
                .b = input(v, COT_B),
                .n = d->shape[d->axis] };
    f.rest = f.n - d->correction;
    if (cot_has_axis(cot_op_get(d->op)))
        look_along(&f, p);
    return f;
}

/* ---- what clauses speak of ------------------------------------------------------------------- */

static double most_of(const facts *f) /* the largest number of the element type */
{
    static const double most[] = {
        [COT_F16] = 65504, [COT_BF16] = 0x1.fep127, [COT_F32] = 0x1.fffffep127, [COT_F64] = 0x1.fffffffffffffp1023
    };
    return most[f->desc->element];
}

static int is_range(const facts *f, double number) /* over- or underflows in the compute type */
{
    double least = f->desc->element == COT_F64 ? 0x1p-1022 : 0x1p-126,
           most = f->desc->element == COT_F64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
    return fabs(number) > most || fabs(number) < least;
}

static int is_no_rounding(const facts *f) { return f->v->reason == REASON_SUM; }
static int is_open(const facts *f) { return f->v->reason == REASON_OPEN; }
static int always(const facts *f) { return f != NULL; }

/* ---- other questions that the line answers --------------------------------------------------- */

/* Right for another descriptor, and not for its own: so wrong bits, and integers that are not exact, show nothing. */
static int answers(const facts *f, const cot_desc *other)
{
    return exhibit_is_right_for(f->line, other, NULL) && !exhibit_is_right_for(f->line, &f->line->desc, NULL);
}

static int other_policy(const facts *f, size_t offset)
{
    const cot_policy_info *policy;
    if (!f->line)
        return 0;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        for (int value = 0; policy->offset == offset && policy->values[value]; value++) {
            cot_desc other = f->line->desc;
            uint8_t *at = (uint8_t *)&other.policies + offset;
            if (*at != value && (*at = (uint8_t)value, answers(f, &other)))
                return 1;
        }
    return 0;
}

/* A policy that was asked for, and another one heeded; or the spec's own, where some other was. The line holds what
 * the policy is about: else a larger bound would speak for it. */
#define POLICY_TOLD(name, edge) \
    static int name##_told(const facts *f) { return (edge) && other_policy(f, offsetof(cot_policies, name)); } \
    static int name##_asked(const facts *f) { return f->desc->policies.name && name##_told(f); }

/* The policy decides here, whatever came out. */
#define POLICY_RULES(name, edge) \
    static int name##_rules(const facts *f) { return f->desc->policies.name && (edge); }

#define POLICY(name, edge) POLICY_TOLD(name, edge) POLICY_RULES(name, edge)

static int has_zero(const facts *f) { return f->x_zero || f->a == 0 || f->b == 0; }
static int weight_rounds(const facts *f) { return !(f->desc->param == (double)(float)f->desc->param); }

/* Is g * 0 another number than +0? */
static int g_shows(const facts *f) { return !(f->g * 0 == 0) || signbit(f->g); }

POLICY(ties, f->tied)
POLICY(max_nan, isnan(f->y))
POLICY(scan_ties, f->repeated)
POLICY(scan_nan, f->x_nan)
POLICY_TOLD(zeros, has_zero(f) || f->nan || f->infinite)
POLICY(denominator, f->y == 0)
POLICY(divisor, f->rest <= 0)
POLICY(pair_nan, isnan(f->a) || isnan(f->b))
POLICY(pow_zero, has_zero(f))
POLICY(atan2_zero, f->a * f->a + f->b * f->b == 0)
POLICY(hypot_zero, f->a == 0 && f->b == 0)
POLICY_TOLD(lerp_weight, weight_rounds(f))
POLICY_TOLD(quotient, 1)
POLICY_TOLD(centre, 1)
POLICY_TOLD(losers, g_shows(f))
POLICY_RULES(zeros, 1) /* another formula everywhere */
POLICY_RULES(quotient, 1)
POLICY_RULES(centre, 1)
POLICY_RULES(losers, g_shows(f) && !(fabs(f->v->want) > 0))

static int turned(const facts *f)
{
    if (!f->line || f->n < 4) /* fewer cells come out alike by chance */
        return 0;
    cot_desc other = f->line->desc;
    other.reverse = !other.reverse;
    return answers(f, &other);
}

static int clamped_weight(const facts *f)
{
    double w = f->desc->param;
    if (!f->line || (w >= 0 && w <= 1))
        return 0;
    cot_desc other = f->line->desc;
    other.param = w > 1 ? 1 : 0;
    return answers(f, &other);
}

/* n and n - 1 for n - correction, no sign, no clamp in 32 bits. */
static int other_divisor(const facts *f)
{
    if (!f->line)
        return 0;
    int32_t wrapped = (int32_t)((uint32_t)f->n - (uint32_t)f->desc->correction);
    double suspects[] = { (double)f->n, (double)f->n - 1, wrapped, wrapped > 0 ? wrapped : 1 };
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (line_has_divisor(f->line, suspects[i]))
            return 1;
    return 0;
}

static int unclamped(const facts *f)
{
    return f->line && f->rest <= 0 && (divisor_told(f) || line_has_divisor(f->line, (double)f->rest));
}

static int other_mean(const facts *f)
{
    return f->line && line_has_mean_over(f->line, f->rest > 0 ? (double)f->rest : 1);
}

static int flushed_inputs(const facts *f)
{
    return f->line && exhibit_is_right_for(f->line, &f->line->desc, flush_subnormal)
           && !exhibit_is_right_for(f->line, &f->line->desc, NULL);
}

/* ---- evaluations that people write ----------------------------------------------------------- */

static int zero_sign(const facts *f) { return f->v->got == 0 && f->v->want == 0; }
static int starts_at_plus_zero(const facts *f)
{
    int scans = cot_op_get(f->desc->op)->order == COT_ORDER_SCAN;
    return zero_sign(f) && f->line && terms_are_negative_zeros(f->line)
           && (!scans || signbit(f->v->want) || f->desc->op == COT_CUMPROD);
}
static int second_zero_sign(const facts *f) { return zero_sign(f) && f->v->operand == COT_DB; }
static int stepwise(const facts *f) { return f->line && line_is_stepwise(f->line); }
static int reassociated(const facts *f) { return f->line && line_is_reassociated(f->line); }
static int by_reciprocal(const facts *f) { return f->line && line_is_by_reciprocal(f->line); }
static int counts_in_element(const facts *f) { return f->line && line_counts_in_element(f->line); }
static int unscaled(const facts *f) { return f->line && line_is_unscaled(f->line); }
static int unshifted(const facts *f) { return f->line && line_is_unshifted(f->line); }
static int narrowed_results(const facts *f) { return f->line && line_is_narrowed(f->line, f->v->got, f->v->want); }
static int flushed_steps(const facts *f) { return f->line && line_is_flushed(f->line); }
static int narrow_sum(const facts *f) { return f->line && line_is_summed_narrowly(f->line); }
static int order_overflows(const facts *f)
{
    return f->line && cot_op_get(f->desc->op)->order != COT_ORDER_NONE && !f->nan && !f->infinite
           && !isfinite(f->v->got) && isfinite(f->v->want) && line_can_overflow(f->line);
}

/* ---- edges that the cell lies on ------------------------------------------------------------- */

static int x_or_y_nan(const facts *f) { return isnan(f->x) || isnan(f->y); }
static int zeros_tie(const facts *f) { return f->x == 0 && f->y == 0; }

/* Of the zeros that tie, those with y's own sign take g, and no other does. */
static int signs_tell_zeros(const facts *f)
{
    int told = 0;
    if (!f->line || f->y != 0)
        return 0;
    for (int64_t i = 0; i < f->n; i++) {
        double x = exhibit_cell(f->line, COT_X, i), got = exhibit_cell(f->line, COT_DX, i);
        int takes = signbit(x) == signbit(f->y);
        if (x == 0 && !same_number(got, takes ? f->g : 0))
            return 0;
        told += x == 0 && !takes;
    }
    return told > 0;
}

static int x_is_zero(const facts *f) { return f->x == 0; }
static int y_is_zero(const facts *f) { return f->y == 0; }
static int infinite(const facts *f) { return isinf(f->x) || isinf(f->y) || isinf(f->a) || isinf(f->b); }
static int leading_nan(const facts *f) { return f->leads_nan || (isnan(f->x) && f->v->got != 0); }
static int line_infinite(const facts *f) { return f->infinite && !(isfinite(f->v->got) && isfinite(f->v->want)); }
static int line_not_finite(const facts *f)
{
    return (f->nan || f->infinite) && (!isfinite(f->v->want) || isnan(f->v->got));
}
static int div_overflows(const facts *f) { return is_range(f, f->b * f->b) || is_range(f, f->g * f->a); }
static int pair_nan(const facts *f) { return isnan(f->a) || isnan(f->b); }
static int pair_equal(const facts *f) { return f->a == f->b; }
static int loses_tie(const facts *f) { return f->a == f->b && zero_sign(f) && !signbit(f->v->got); }
static int a_is_zero(const facts *f) { return f->a == 0; }
static int a_is_negative(const facts *f) { return f->a < 0 && !isnan(f->b) && !isnan(f->g); }
static int squares_range(const facts *f) { return is_range(f, f->a * f->a + f->b * f->b); }
static int hypot_range(const facts *f)
{
    return (f->a == 0 && f->b == 0) || is_range(f, f->g * f->a) || is_range(f, f->g * f->b);
}

static int is_subnormal(const facts *f, double number)
{
    return number != 0
           && fabs(number) < (f->desc->element == COT_F64   ? 0x1p-1022
                              : f->desc->element == COT_F16 ? 0x1p-14
                                                            : 0x1p-126);
}

static int flushed_result(const facts *f) { return is_subnormal(f, f->v->want) && f->v->got == 0; }

static double error_of(const facts *f) /* relative to what is wanted */
{
    return fabs(f->v->got - f->v->want) / fabs(f->v->want);
}

static int one_is_nan(const facts *f) { return isnan(f->v->got) != isnan(f->v->want); }
static int saturated(const facts *f)
{
    return fabs(f->v->got) == most_of(f) && (isinf(f->v->want) || fabs(f->v->want) > most_of(f));
}
static int narrow(const facts *f) { return f->desc->element <= COT_BF16; }
static int a_unit_off(const facts *f)
{
    return narrow(f) && error_of(f) <= (f->desc->element == COT_F16 ? 0x1p-10 : 0x1p-7);
}
static int nearly(const facts *f) { return error_of(f) <= (f->desc->element == COT_BF16 ? 0x1p-4 : 0x1p-7); }
static int folds(const facts *f) { return cot_op_get(f->desc->op)->order == COT_ORDER_FOLD; }
static int nearly_without_fold(const facts *f) { return !folds(f) && nearly(f); }
static int alone_in_a_fold(const facts *f) { return folds(f) && f->n == 1; }
static int as_in_float(const facts *f)
{
    return f->desc->element == COT_F64 && error_of(f) > 0x1p-42 && error_of(f) <= 0x1p-20;
}

/* n is not a number of the element type; m is none of the compute type. */
static int count_rounds(const facts *f)
{
    cot_element type = f->desc->op == COT_MEAN || f->desc->element == COT_F64 ? f->desc->element : COT_F32;
    double count = f->desc->op == COT_MEAN ? (double)f->n : f->rest > 0 ? (double)f->rest : 1, cell;
    cot_cell_set(type, &cell, count);
    return cot_cell_get(type, &cell) != count;
}

static int wants_plus_zero(const facts *f) { return zero_sign(f) && !signbit(f->v->want); }
static int zeros_of_both_signs(const facts *f) { return f->a == 0 && f->b == 0 && signbit(f->a) != signbit(f->b); }
static int x_nan_not_leading(const facts *f) { return f->x_nan && !f->leads_nan; }

/* ---- the table ------------------------------------------------------------------------------- */

static int past_a_tile(const facts *f) { return f->n > COT_TILE; }
static int a_segment(const facts *f) { return f->n <= COT_SEGMENT; } /* there is only one order in it */

typedef struct row {
    const char *clause;
    int (*holds)(const facts *f);
} row;

#define WRONG_VALUE(clause, predicate) { clause, predicate },
static const row by_value[] = {
#include "conformance/clause/tests.def"
};

#define WRONG_BITS(clause, predicate) { clause, predicate },
static const row by_bits[] = {
#include "conformance/clause/tests.def"
};

static const char *find(const row *rows, size_t count, const facts *f)
{
    for (size_t i = 0; i < count; i++)
        if (scope_names(clause_find(rows[i].clause)->scope, cot_op_get(f->desc->op)) && rows[i].holds(f))
            return rows[i].clause;
    return truth_clause(f->desc->op);
}

static const char *clause_of(const facts *f, level at)
{
    return at < LEVEL_D ? find(by_value, sizeof by_value / sizeof *by_value, f)
                        : find(by_bits, sizeof by_bits / sizeof *by_bits, f);
}

const char *cell_clause(const verdict *v, level at, const problem *p)
{
    facts f = look(v, p);
    return clause_of(&f, at);
}

/* ---- the sentence ---------------------------------------------------------------------------- */

typedef struct sentence_row {
    const char *clause, *begins;
    int (*holds)(const facts *f);
} sentence_row;

#define SENTENCE(clause, begins, predicate) { clause, begins, predicate },
static const sentence_row sentences[] = {
#include "conformance/clause/tests.def"
};

static int sentence_of(const facts *f)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (!strcmp(sentences[i].clause, f->v->clause) && sentences[i].holds(f))
            return clause_sentence(clause_find(f->v->clause), sentences[i].begins);
    return 0;
}

static int is_about_a_number(const verdict *v)
{
    return v->operand
           && (v->reason == REASON_EDGE || v->reason == REASON_BOUND || v->reason == REASON_SUM
               || v->reason == REASON_EXACT || v->reason == REASON_BITS || v->reason == REASON_OTHER_BITS);
}

void blame_by_line(const trial *t, verdict *v)
{
    exhibit line;
    if (!v->failed || !is_about_a_number(v))
        return;
    facts f = look(v, t->p);
    f.line = exhibit_make(&line, t, v) ? NULL : &line;
    v->taken = f.line && v->failed_at < LEVEL_D ? line_takes_of_sum(f.line) : SUM_WHOLE;
    verdict_blame(v, v->taken && v->reason == REASON_SUM ? truth_clause(f.desc->op) : clause_of(&f, v->failed_at));
    v->sentence = sentence_of(&f);
    exhibit_free(&line);
}
