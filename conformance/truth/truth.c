/* Truth: which kind of numbers a line takes, and how far a result is from what they say. */
#include "truth.h"
#include "truth_engine.h"
#include "truth_format.h"
#include "truth_real.h"

#include <math.h>

/* ---- lines ----------------------------------------------------------------------------------- */

const char *truth_clause(cot_op op) { return truth_wide_engine.clause(op); }

cot_status truth_gradient_by(truth_numbers which, const truth_line *line, truth_cell *first, truth_cell *second,
                             int *sure)
{
    const truth_engine *engine = which == TRUTH_QUICK ? &truth_quick_engine : &truth_wide_engine;
    *sure = 1;
    return line->n ? engine->gradient(line, first, second, sure) : COT_OK;
}

static cot_status gradient_of_run(const truth_line *line, truth_cell *first, truth_cell *second)
{
    int sure;
    cot_status status = truth_gradient_by(TRUTH_QUICK, line, first, second, &sure);
    return status || sure ? status : truth_gradient_by(TRUTH_WIDE, line, first, second, &sure);
}

enum { RUN = 32 }; /* cells that need no others: so many go to MPFR because of one of them */

static const double *after(const double *cells, int64_t count) { return cells ? cells + count : NULL; }

cot_status truth_gradient(const truth_line *line, truth_cell *first, truth_cell *second)
{
    cot_status status = COT_OK;
    if (cot_has_axis(cot_op_get(line->desc->op)))
        return gradient_of_run(line, first, second);
    for (int64_t i = 0; i < line->n && !status; i += RUN) {
        truth_line run = {
            line->desc,       line->n - i < RUN ? line->n - i : RUN, after(line->dy, i), NULL, NULL, after(line->a, i),
            after(line->b, i)
        };
        status = gradient_of_run(&run, first + i, second ? second + i : NULL);
    }
    return status;
}

cot_status truth_forward(const truth_line *line, truth_cell *y)
{
    cot_op op = line->desc->op;
    int sure;
    if (line->n == 0 && cot_op_get(op)->traits & COT_OP_NONEMPTY) /* FWD-EMPTY */
        return COT_INVALID_PROBLEM;
    if (line->n == 0 && cot_op_get(op)->family != COT_REDUCE)
        return COT_OK;
    cot_status status = truth_quick_engine.forward(line, y, &sure);
    return status || sure ? status : truth_wide_engine.forward(line, y, &sure);
}

/* ---- judging a result ------------------------------------------------------------------------ */

/* The distance of a result from the exact value, scaled as that is; an infinite result stands for all that round to
 * it, from the largest number and half a step on. */
static double distance(const truth_cell *cell, const real_format *f, double got)
{
    if (isfinite(got)) {
        double scaled = scale_by(got, -cell->exponent);
        return fabs((scaled - cell->exact) - cell->rest);
    }
    double threshold = ldexp(2 - ldexp(1, -f->bits), (int)f->most - 1 - cell->exponent);
    double gap = got > 0 ? (threshold - cell->exact) - cell->rest : (threshold + cell->exact) + cell->rest;
    return gap < 0 ? 0 : gap;
}

/* BOUND-RANDOM: 64 in place of the square root of how often a line may differ from its expectation. */
static const double random_factor = 64;

/* BOUND-RANGE: the further roundings of a reciprocal that is subnormal, and has two bits less. */
static const double subnormal_reciprocal = 4;

/* BOUND: the error of the arithmetic, and where the element is narrower, that of rounding to it once. */
static double bound_of(const truth_cell *cell, cot_element element, const truth_bound *b)
{
    const real_format *compute = compute_format(element), *stored = &element_formats[element];
    double u = compute->unit, ku = b->roundings * u, depth = b->depth * cell->summed;
    if (b->random && random_factor * cell->spread < depth)
        depth = random_factor * cell->spread;
    double arithmetic = u * depth + ku / (1 - ku) * (cell->condition + u * depth);
    double below = scale_by((b->roundings + 1) * compute->smallest, -cell->exponent);
    if (compute->bits == stored->bits)
        return arithmetic + below;
    double rounding = stored->unit * (fabs(cell->exact) + arithmetic);
    return arithmetic + below + fmax(rounding, scale_by(stored->smallest / 2, -cell->exponent));
}

double truth_score(const truth_cell *cell, cot_element element, double got, const truth_bound *bound)
{
    if (isnan(got))
        return (double)INFINITY;
    double error = distance(cell, &element_formats[element], got);
    return error == 0 ? 0 : error / bound_of(cell, element, bound);
}

static int is_near(const truth_cell *cell, cot_element element, double got, const truth_bound *bound)
{
    const truth_bound near = { bound->roundings + subnormal_reciprocal, bound->depth, bound->random };
    double bent = 1 + cell->bend;
    truth_cell other = { .exact = cell->exact * bent, .condition = cell->condition * bent, .exponent = cell->exponent };
    return truth_score(cell, element, got, &near) <= 1
           || (cell->bend != 0 && truth_score(&other, element, got, &near) <= 1);
}

/* The spec's own: both it and the result were rounded. */
static int is_literal(const truth_cell *cell, cot_element element, double got, const truth_bound *bound)
{
    truth_cell literal = { .exact = cell->literal, .condition = fabs(cell->literal) };
    if (!isfinite(cell->literal))
        return isnan(got) ? isnan(cell->literal) : got == cell->literal;
    return truth_score(&literal, element, got, bound) <= 2;
}

static int is_stray(const truth_cell *cell, double got)
{
    unsigned stray = isnan(got) ? TRUTH_NAN : got == 0 ? TRUTH_ZERO : got > 0 ? TRUTH_PLUS : TRUTH_MINUS;
    return (!isfinite(got) || got == 0) && cell->holds & stray;
}

int truth_admits(const truth_cell *cell, cot_element element, double got, const truth_bound *bound)
{
    if (is_near(cell, element, got, bound) || is_literal(cell, element, got, bound) || is_stray(cell, got))
        return 1;
    return cell->holds & TRUTH_EITHER_SIGN
           && (is_near(cell, element, -got, bound) || is_literal(cell, element, -got, bound));
}

double truth_ulps(const truth_cell *cell, cot_element element, double got)
{
    const real_format *f = &element_formats[element];
    int last = (int)f->least - 1 - cell->exponent, exponent; /* of the last place; that of subnormals */
    if (isnan(got) || !isfinite(cell->exact))
        return 0;
    frexp(cell->exact, &exponent);
    if (cell->exact != 0 && exponent - f->bits > last)
        last = exponent - f->bits;
    return ldexp(distance(cell, f, got), -last);
}

double truth_nearest(const truth_cell *cell) { return scale_by(cell->exact, cell->exponent); }

int truth_allows_threads(void) { return real_allows_threads(); }

void truth_end(void) { real_end(); }
