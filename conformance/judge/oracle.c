/* Oracles: relations between results that hold to the bit, whatever order a backend sums in. */
#include "oracle.h"
#include "conformance/case/generate.h"
#include "court_run.h"
#include "walk.h"
#include "conformance/case/philox.h"
#include "conformance/truth/truth.h"

#include <math.h>
#include <string.h>

/* ---- which op, on which numbers -------------------------------------------------------------- */

static int is_generator(const test_case *c, const char *name) { return c->generator == generator_find(name); }

static int has_trait(const test_case *c, uint32_t trait) { return (cot_op_get(c->desc.op)->traits & trait) != 0; }

/* A policy that the op does not heed changes nothing. */
int integers_are_exact(const test_case *c)
{
    return has_trait(c, COT_OP_EXACT) && is_generator(c, "integers")
           && cot_uses_spec_policies(c->desc.op, &c->desc.policies);
}

/* ---- other inputs ---------------------------------------------------------------------------- */

typedef double change(const cot_view *view, int axis, cot_operand operand, int64_t index);

static double four_times_dy(const cot_view *view, int axis, cot_operand operand, int64_t index)
{
    return (void)axis, (operand == COT_DY ? 4 : 1) * cell_value(view, index);
}

static int64_t mirror_index(const cot_view *view, int axis, int64_t index)
{
    int64_t n = view->shape[axis], inner = cot_cell_count(view->rank - axis - 1, view->shape + axis + 1);
    return index + (n - 1 - 2 * (index / inner % n)) * inner;
}

static double mirrored(const cot_view *view, int axis, cot_operand operand, int64_t index)
{
    return (void)operand, cell_value(view, mirror_index(view, axis, index));
}

static cot_status make_changed(const problem *p, const test_case *c, change *how, problem *q)
{
    if (problem_make(q, c))
        return COT_INTERNAL;
    size_t size = cot_element_size(c->desc.element);
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *from = &p->tensors[o].view, *to = &q->tensors[o].view;
        for (int64_t i = 0, cells = p->tensors[o].memory ? cell_count(from) : 0; i < cells; i++)
            cot_cell_set(to->element, (char *)to->data + (size_t)cot_cell_offset(to, i) * size,
                         how(from, c->desc.axis, (cot_operand)o, i));
    }
    return COT_OK;
}

cot_status mirror_problem(const problem *p, const test_case *c, problem *q) { return make_changed(p, c, mirrored, q); }

/* The same case on changed inputs. */
static cot_status run_changed(const court *seat, const problem *p, const test_case *c, change *how, problem *q,
                              trial *t, cot_error *error)
{
    cot_status status = make_changed(p, c, how, q);
    return status ? status : court_run(seat, seat->backend, t, q, first_fill, error);
}

typedef int agrees(const trial *t, double got, double changed); /* 0 no, 1 yes, -1 nothing can be said */

static void compare(const trial *t, const trial *other, int mirrors, agrees *rule, reason why, const char *clause,
                    verdict *v)
{
    walk cells_of_t = walk_begin(t->p, v);
    int axis = t->p->c.desc.axis;
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!t->p->tensors[o].memory)
            continue;
        cot_view view = trial_view(t, (cot_operand)o), peer = trial_view(other, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&view); i < cells; i++) {
            double got = cell_value(&view, i), changed = cell_value(&peer, mirrors ? mirror_index(&view, axis, i) : i);
            int good = rule(t, got, changed);
            v->oracle_cells += good >= 0;
            if (!good)
                walk_fail(&cells_of_t, why, clause, (cot_operand)o, i, got, changed);
        }
    }
    walk_end(&cells_of_t);
}

/* ---- four times dy gives four times the result, bit for bit ---------------------------------- */

/* Away from over- and underflow rounding does not know of exponents. (The least normal number itself may come from
 * below.) */
static int scaled_by_four(const trial *t, double got, double changed)
{
    static const double least[] = {
        [COT_F16] = 0x1p-14, [COT_BF16] = 0x1p-60, [COT_F32] = 0x1p-60, [COT_F64] = 0x1p-500
    };
    double size = fabs(got);
    return size > least[t->p->c.desc.element] && isfinite(changed) ? changed == 4 * got : -1;
}

/* A recurrence may be computed in logarithms of dy. */
static int can_scale(const test_case *c)
{
    return cot_op_get(c->desc.op)->kind != COT_KIND_RECURRENCE
           && (is_generator(c, "uniform") || is_generator(c, "normal") || is_generator(c, "integers"));
}

static void judge_scale(const court *seat, const trial *t, verdict *v)
{
    problem q = { 0 };
    trial changed = { 0 };
    cot_error error;
    if (!run_changed(seat, t->p, &t->p->c, four_times_dy, &q, &changed, &error))
        compare(t, &changed, 0, scaled_by_four, REASON_SCALED, "ARITH-COMPUTE", v);
    trial_free(&changed);
    problem_free(&q);
}

/* ---- a line in reverse gives its result in reverse ------------------------------------------- */

static int same(const trial *t, double got, double changed) { return (void)t, same_number(got, changed); }

static int can_mirror(const test_case *c) { return has_trait(c, COT_OP_MIRRORS) && integers_are_exact(c); }

static void judge_mirror(const court *seat, const trial *t, verdict *v)
{
    problem q = { 0 };
    trial changed = { 0 };
    cot_error error;
    test_case c = t->p->c;
    int scans = cot_op_get(c.desc.op)->family == COT_SCAN;
    c.desc.reverse = scans && !c.desc.reverse;
    if (!run_changed(seat, t->p, &c, mirrored, &q, &changed, &error))
        compare(t, &changed, 1, same, REASON_MIRRORED, scans ? "SCAN-REVERSE" : truth_clause(c.desc.op), v);
    trial_free(&changed);
    problem_free(&q);
}

/* ---- the adjoint identity -------------------------------------------------------------------- */

/* A line of integers, along the axis in the forward direction; its sums are exact in a double. */
typedef struct line {
    const trial *t;
    cot_view out;
    int64_t n, first, step; /* cells; the index of the first, and what leads from one to the next */
    int64_t number;         /* of the line: the index of a reduced cell */
} line;

static double cell(const line *l, cot_operand o, int64_t i)
{
    const cot_view *view = &l->t->p->tensors[o].view;
    return cell_value(view, cot_op_get(l->t->p->c.desc.op)->family != COT_REDUCE || o == COT_X ? l->first + i * l->step
                                                                                               : l->number);
}

static double test_vector(const line *l, int64_t i)
{
    return (double)(philox_at(l->t->p->c.seed, 1000, (uint64_t)(l->number * l->n + i)).word[0] % 7) - 3;
}

/* <J u, dy> from the op's derivative, straight from its definition. */
static double of_sum(const line *l)
{
    double sum = 0;
    for (int64_t i = 0; i < l->n; i++)
        sum += test_vector(l, i) * cell(l, COT_DY, i);
    return sum;
}

static double of_cumsum(const line *l)
{
    double sum = 0, running = 0;
    for (int64_t i = 0; i < l->n; i++) {
        running += test_vector(l, i);
        sum += running * cell(l, COT_DY, i);
    }
    return sum;
}

static double of_extremum(const line *l, int sign)
{
    double sum = 0, best = 0, winner = 0;
    for (int64_t i = 0; i < l->n; i++) {
        double x = sign * cell(l, COT_X, i);
        if (i == 0 || x > best)
            best = x, winner = test_vector(l, i);
        sum += winner * cell(l, COT_DY, i);
    }
    return sum;
}

static double of_cummax(const line *l) { return of_extremum(l, 1); }
static double of_cummin(const line *l) { return of_extremum(l, -1); }

static const struct {
    cot_op op;
    double (*forward)(const line *l);
} linear[] = {
    { COT_SUM, of_sum },
    { COT_CUMSUM, of_cumsum },
    { COT_CUMMAX, of_cummax },
    { COT_CUMMIN, of_cummin },
};

/* <u, dx>, and whether every dx is an integer that the element type holds exactly. */
static double of_result(const line *l, int *exact)
{
    static const double most[] = { [COT_F16] = 0x1p11, [COT_BF16] = 0x1p8, [COT_F32] = 0x1p24, [COT_F64] = 0x1p53 };
    double sum = 0;
    *exact = 1;
    for (int64_t i = 0; i < l->n; i++) {
        double dx = cell_value(&l->out, l->first + i * l->step);
        *exact &= fabs(dx) <= most[l->t->p->c.desc.element];
        sum += test_vector(l, i) * dx;
    }
    return sum;
}

static void judge_line(const line *l, double (*forward)(const line *l), verdict *v)
{
    int exact;
    double got = of_result(l, &exact), want = exact ? forward(l) : 0;
    if (!exact)
        return;
    v->oracle_cells += l->n;
    walk sums = walk_begin(l->t->p, v); /* which of the line's cells is wrong is not known: no pattern */
    if (got != want)
        walk_fail(&sums, REASON_ADJOINT, truth_clause(l->t->p->c.desc.op), COT_DX, l->first, got, want);
}

static void judge_adjoint(const court *seat, const trial *t, verdict *v)
{
    const cot_desc *d = &t->p->c.desc;
    int64_t n = d->shape[d->axis], inner = cot_cell_count(d->rank - d->axis - 1, d->shape + d->axis + 1);
    cot_view out = trial_view(t, COT_DX);
    (void)seat;
    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++)
        for (int64_t number = 0, lines = n ? cell_count(&out) / n : 0; number < lines && linear[i].op == d->op;
             number++) {
            line l = { t, out, n, number / inner * inner * n + number % inner, inner, number };
            if (d->reverse)
                l.first += (n - 1) * inner, l.step = -inner;
            judge_line(&l, linear[i].forward, v);
        }
}

static int has_adjoint(const test_case *c)
{
    int has = 0;
    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++)
        has |= linear[i].op == c->desc.op;
    return has && integers_are_exact(c);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
    int (*applies)(const test_case *c);
    void (*judge)(const court *seat, const trial *t, verdict *v);
    level from; /* scaling compares the bits of two runs, whatever the order of each */
} oracles[] = { { can_scale, judge_scale, LEVEL_D },
                { can_mirror, judge_mirror, LEVEL_B },
                { has_adjoint, judge_adjoint, LEVEL_B },
                { has_exact_sum, judge_exact_sum, LEVEL_B } };

void judge_oracles(const court *seat, const trial *t, verdict *v)
{
    for (size_t i = 0; i < sizeof oracles / sizeof *oracles && !t->p->c.alias; i++)
        if (seat->level >= oracles[i].from && oracles[i].applies(&t->p->c))
            oracles[i].judge(seat, t, v);
}
