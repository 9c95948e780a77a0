#include "oracle.h"
#include "generate.h"
#include "judge_cell.h"
#include "judge_lines.h"
#include "philox.h"
#include "truth.h"

#include <math.h>
#include <string.h>

/* ---- which op, on which numbers ---------------------------------------------------------------------------------- */

/* Ops whose formula is exact on small integers, and those of them whose lines can be turned round. */
static const struct { cot_op op; int mirrors; } exact_ops[] = {
    { COT_SUM, 1 }, { COT_MAX, 1 }, { COT_MIN, 1 }, { COT_CUMSUM, 1 }, { COT_CUMMAX, 1 }, { COT_CUMMIN, 1 }, { COT_ADD, 0 }, { COT_SUB, 0 },
    { COT_MUL, 0 }, { COT_MAXIMUM, 0 }, { COT_MINIMUM, 0 }, { COT_SOFTMAX, 1 },
};

static int has_policies(const test_case *c)
{
    static const cot_policies none;
    return memcmp(&c->desc.policies, &none, sizeof none) != 0;
}

static int is_generator(const test_case *c, const char *name)
{
    return !strcmp(generator_at(c->generator)->name, name);
}

int integers_are_exact(const test_case *c)
{
    int exact = 0;
    for (size_t i = 0; i < sizeof exact_ops / sizeof *exact_ops; i++)
        exact |= exact_ops[i].op == c->desc.op;
    return exact && is_generator(c, "integers") && !has_policies(c);
}

/* ---- other inputs -------------------------------------------------------------------------------------------------- */

typedef double change(const cot_view *view, int axis, cot_operand operand, int64_t index);

static double four_times_dy(const cot_view *view, int axis, cot_operand operand, int64_t index)
{
    return (void)axis, (operand == COT_DY ? 4 : 1) * cell_value(view, index);
}

static int64_t mirror_index(const cot_view *view, int axis, int64_t index)
{
    int64_t inner = 1, n = view->shape[axis];
    for (int d = axis + 1; d < view->rank; d++)
        inner *= view->shape[d];
    return index + (n - 1 - 2 * (index / inner % n)) * inner;
}

static double mirrored(const cot_view *view, int axis, cot_operand operand, int64_t index)
{
    return (void)operand, cell_value(view, mirror_index(view, axis, index));
}

/* The same case on changed inputs. */
static cot_status run_changed(cot_backend *backend, const problem *p, const test_case *c, change *how, problem *q, trial *t, cot_error *error)
{
    if (problem_make(q, c))
        return COT_INTERNAL;
    size_t size = cot_element_size(c->desc.element);
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *from = &p->tensors[o].view, *to = &q->tensors[o].view;
        for (int64_t i = 0, cells = p->tensors[o].memory ? cell_count(from) : 0; i < cells; i++)
            cot_cell_set(to->element, (char *)to->data + (size_t)cell_offset(to, i) * size, how(from, c->desc.axis, (cot_operand)o, i));
    }
    return trial_run(t, backend, q, first_paint, error);
}

typedef int agrees(const trial *t, double got, double changed); /* 0 no, 1 yes, -1 nothing can be said */

static void compare(const trial *t, const trial *other, int mirrors, agrees *rule, const char *clause, const char *says, verdict *v)
{
    int axis = t->p->c.desc.axis;
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!t->p->tensors[o].memory)
            continue;
        cot_view view = trial_view(t, (cot_operand)o), peer = trial_view(other, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&view); i < cells; i++) {
            double got = cell_value(&view, i), changed = cell_value(&peer, mirrors ? mirror_index(&view, axis, i) : i);
            int good = rule(t, got, changed);
            v->oracle_cells += good >= 0;
            if (!good && verdict_fail(v, LEVEL_B, clause, "%s: %.17g became %.17g", says, got, changed))
                verdict_at(v, t->p, (cot_operand)o, i, got, changed);
        }
    }
}

/* ---- four times dy gives four times the result, bit for bit --------------------------------------------------------- */

/* Away from over- and underflow rounding does not know of exponents. (The least normal number itself may come from below.) */
static int scaled_by_four(const trial *t, double got, double changed)
{
    static const double least[] = { [COT_F16] = 0x1p-14, [COT_BF16] = 0x1p-60, [COT_F32] = 0x1p-60, [COT_F64] = 0x1p-500 };
    double size = fabs(got);
    return size > least[t->p->c.desc.element] && isfinite(changed) ? changed == 4 * got : -1;
}

/* logcumsumexp may be computed in logarithms of dy. */
static int can_scale(const test_case *c)
{
    return c->desc.op != COT_LOGCUMSUMEXP && (is_generator(c, "uniform") || is_generator(c, "normal") || is_generator(c, "integers"));
}

static void judge_scale(cot_backend *backend, const trial *t, verdict *v)
{
    problem q = { 0 };
    trial changed = { 0 };
    cot_error error;
    if (!run_changed(backend, t->p, &t->p->c, four_times_dy, &q, &changed, &error))
        compare(t, &changed, 0, scaled_by_four, "ARITH-COMPUTE", "dy times four", v);
    trial_free(&changed);
    problem_free(&q);
}

/* ---- a line turned round gives its result turned round --------------------------------------------------------------- */

static int same(const trial *t, double got, double changed)
{
    return (void)t, same_number(got, changed);
}

static int can_mirror(const test_case *c)
{
    int mirrors = 0;
    for (size_t i = 0; i < sizeof exact_ops / sizeof *exact_ops; i++)
        mirrors |= exact_ops[i].mirrors && exact_ops[i].op == c->desc.op;
    return mirrors && integers_are_exact(c);
}

static void judge_mirror(cot_backend *backend, const trial *t, verdict *v)
{
    problem q = { 0 };
    trial changed = { 0 };
    cot_error error;
    test_case c = t->p->c;
    int scans = cot_op_get(c.desc.op)->family == COT_SCAN;
    c.desc.reverse = scans && !c.desc.reverse;
    if (!run_changed(backend, t->p, &c, mirrored, &q, &changed, &error))
        compare(t, &changed, 1, same, scans ? "SCAN-REVERSE" : truth_clause(c.desc.op), "the line turned round, on integers", v);
    trial_free(&changed);
    problem_free(&q);
}

/* ---- the adjoint identity -------------------------------------------------------------------------------------------- */

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
    return cell_value(view, cot_op_get(l->t->p->c.desc.op)->family != COT_REDUCE || o == COT_X ? l->first + i * l->step : l->number);
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

static const struct { cot_op op; double (*forward)(const line *l); } linear[] = {
    { COT_SUM, of_sum }, { COT_CUMSUM, of_cumsum }, { COT_CUMMAX, of_cummax }, { COT_CUMMIN, of_cummin },
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
    if (got != want && verdict_fail(v, LEVEL_B, truth_clause(l->t->p->c.desc.op), "the adjoint identity, on integers: <u, dx> is %.17g, <J u, dy> %.17g", got, want))
        verdict_at(v, l->t->p, COT_DX, l->first, got, want);
}

static void judge_adjoint(cot_backend *backend, const trial *t, verdict *v)
{
    const cot_desc *d = &t->p->c.desc;
    int64_t n = d->shape[d->axis], inner = 1;
    cot_view out = trial_view(t, COT_DX);
    (void)backend;
    for (int i = d->axis + 1; i < d->rank; i++)
        inner *= d->shape[i];
    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++)
        for (int64_t number = 0, lines = n ? cell_count(&out) / n : 0; number < lines && linear[i].op == d->op; number++) {
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

/* ---- all of them ----------------------------------------------------------------------------------------------------- */

static const struct {
    int (*applies)(const test_case *c);
    void (*judge)(cot_backend *backend, const trial *t, verdict *v);
} oracles[] = { { can_scale, judge_scale }, { can_mirror, judge_mirror }, { has_adjoint, judge_adjoint } };

void judge_oracles(cot_backend *backend, const trial *t, verdict *v)
{
    for (size_t i = 0; i < sizeof oracles / sizeof *oracles && !t->p->c.alias; i++)
        if (oracles[i].applies(&t->p->c))
            oracles[i].judge(backend, t, v);
}
