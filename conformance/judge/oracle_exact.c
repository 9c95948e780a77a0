/* Results known without truth and without an order: on the numbers of conformance/case/generate_exact.h every order of
 * additions gives the same sum, so a term that was dropped shows at any length of a line. */
#include "oracle.h"
#include "conformance/case/generate_exact.h"
#include "conformance/truth/truth.h"
#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line of a case, as numbers; what must come out, and how large the terms are that it comes from. */
typedef struct exact_line {
    const trial *t;
    int64_t n, first, step, number; /* cells; index of the first, and from one to the next; which line */
    double *want, *size;
} exact_line;

static double get(const exact_line *l, cot_operand o, int64_t i)
{
    const cot_view *view = &l->t->p->tensors[o].view;
    int whole = view->shape[l->t->p->c.desc.axis] == l->n;
    return cell_value(view, whole ? l->first + i * l->step : l->number);
}

/* ---- what must come out ---------------------------------------------------------------------- */

static void of_log_softmax(const exact_line *l) /* exp(0) * sum */
{
    double sum = 0;
    for (int64_t i = 0; i < l->n; i++)
        sum += get(l, COT_DY, i);
    for (int64_t i = 0; i < l->n; i++) {
        double g = get(l, COT_DY, i);
        l->want[i] = g - sum;
        l->size[i] = fabs(g) + fabs(sum);
    }
}

static int64_t from_end(const exact_line *l, int64_t p) { return l->t->p->c.desc.reverse ? p : l->n - 1 - p; }

static void of_logcumsumexp(const exact_line *l)
{
    double sum = 0;
    for (int64_t p = 0; p < l->n; p++) {
        int64_t i = from_end(l, p);
        sum += get(l, COT_DY, i);
        l->want[i] = l->size[i] = sum;
    }
}

static void of_cumprod(const exact_line *l)
{
    double sum = 0;
    for (int64_t p = 0; p < l->n; p++) {
        int64_t i = from_end(l, p);
        double term = get(l, COT_DY, i) * get(l, COT_Y, i), x = get(l, COT_X, i);
        sum += term;
        l->want[i] = sum / x;
        l->size[i] = fabs(sum / x); /* nothing is rounded on the way */
    }
}

static void of_prod(const exact_line *l)
{
    for (int64_t i = 0; i < l->n; i++)
        l->want[i] = l->size[i] = get(l, COT_DY, i) * get(l, COT_Y, i) / get(l, COT_X, i);
}

static void of_softmax(const exact_line *l)
{
    double sum = 0;
    for (int64_t i = 0; i < l->n; i++)
        sum += get(l, COT_DY, i) * get(l, COT_Y, i);
    for (int64_t i = 0; i < l->n; i++) {
        double g = get(l, COT_DY, i), y = get(l, COT_Y, i);
        l->want[i] = y * (g - sum);
        l->size[i] = fabs(y) * (fabs(g) + fabs(sum));
    }
}

/* The mean is 5. */
static void of_moment(const exact_line *l)
{
    double m = (double)l->n - l->t->p->c.desc.correction;
    for (int64_t i = 0; i < l->n; i++) {
        double g = get(l, COT_DY, i), x = get(l, COT_X, i);
        double factor = l->t->p->c.desc.op == COT_VAR ? 2 * g : g / get(l, COT_Y, i);
        l->want[i] = factor * (x - 5) / (m > 0 ? m : 1);
        l->size[i] = fabs(factor) * (x + 5) / (m > 0 ? m : 1);
    }
}

/* `steps`: roundings that grow with the line in a sound evaluation, for each cell: Welford's mean, a recurrence that is
 * rescaled by an exp of 2 ULP. The others have but those of their formula. */
static const struct exact_row {
    cot_op op;
    void (*fill)(const exact_line *l);
    double steps;
} rows[] = {
    { COT_LOG_SOFTMAX, of_log_softmax, 0 },
    { COT_LOGCUMSUMEXP, of_logcumsumexp, 4 },
    { COT_CUMPROD, of_cumprod, 0 },
    { COT_PROD, of_prod, 0 },
    { COT_SOFTMAX, of_softmax, 0 },
    { COT_VAR, of_moment, 1 },
    { COT_STD, of_moment, 1 },
};

static const struct exact_row *row_of(const test_case *c)
{
    static const cot_policies spec;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == c->desc.op && exact_generator(c->desc.op) == c->generator)
            return memcmp(&c->desc.policies, &spec, sizeof spec) ? NULL : &rows[i];
    return NULL;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static double half_unit(cot_element element) /* of the numbers in [1, 2) */
{
    static const double units[] = {
        [COT_F16] = 0x1p-11, [COT_BF16] = 0x1p-8, [COT_F32] = 0x1p-24, [COT_F64] = 0x1p-53
    };
    return units[element];
}

static double stored(cot_element element, double value)
{
    unsigned char cell[8];
    cot_cell_set(element, cell, value);
    return cot_cell_get(element, cell);
}

/* What a sound evaluation may be off by, in half ULPs of the terms: its formula's roundings by clause BOUND, those of
 * its steps, and the three that `want` has itself in double. */
static double roundings(const struct exact_row *row, const exact_line *l)
{
    enum { OWN = 3 };
    return cot_bound_under(&l->t->p->c.desc, COT_ORDER_ANOTHER).roundings + row->steps * (double)l->n + OWN;
}

/* 0 no, 1 yes, -1 not looked at: what rounds to an infinity, or is 0 / 0. A zero may have either sign. */
static int agrees(const struct exact_row *row, const exact_line *l, cot_element element, int64_t i, double got)
{
    double want = l->want[i], u = element == COT_F64 ? 0x1p-53 : 0x1p-24;
    if (!isfinite(stored(element, want)))
        return -1;
    if (got == stored(element, want))
        return 1;
    double most = roundings(row, l) * u * fabs(l->size[i]);
    return fabs(got - want) <= most + (u < half_unit(element) ? 2 * half_unit(element) * fabs(want) + 0x1p-24 : 0);
}

static void judge_line(const struct exact_row *row, const exact_line *l, walk *cells, verdict *v)
{
    cot_view out = trial_view(l->t, COT_DX);
    row->fill(l);
    for (int64_t i = 0; i < l->n; i++) {
        double got = cell_value(&out, l->first + i * l->step);
        int good = agrees(row, l, out.element, i, got);
        v->oracle_cells += good >= 0;
        if (!good)
            walk_fail(cells, REASON_ORDER_FREE, truth_clause(row->op), COT_DX, l->first + i * l->step, got,
                      stored(out.element, l->want[i]));
    }
}

int has_exact_sum(const test_case *c) { return row_of(c) != NULL; }

void judge_exact_sum(const court *seat, const trial *t, verdict *v)
{
    const cot_desc *d = &t->p->c.desc;
    const struct exact_row *row = row_of(&t->p->c);
    int64_t n = d->shape[d->axis], inner = cot_cell_count(d->rank - d->axis - 1, d->shape + d->axis + 1);
    exact_line l = { .t = t, .n = n, .step = inner };
    walk cells = walk_begin(t->p, v);
    int64_t before = v->oracle_cells;
    (void)seat;
    l.want = malloc(((size_t)n + 1) * 2 * sizeof *l.want);
    l.size = l.want ? l.want + n + 1 : NULL;
    if (!l.want)
        verdict_fail(v, REASON_JUDGE_MEMORY, NULL);
    for (int64_t lines = n ? cot_cell_count(d->rank, d->shape) / n : 0; l.want && l.number < lines; l.number++) {
        l.first = l.number / inner * inner * n + l.number % inner;
        judge_line(row, &l, &cells, v);
    }
    walk_end(&cells);
    free(l.want);
    if (v->oracle_cells - before == cot_cell_count(d->rank, d->shape)) { /* every cell has a ruling now */
        v->unjudged_cells = 0;
        memset(v->unjudged, 0, sizeof v->unjudged);
    }
}
