/* The lines of a result against truth: a line at a time, every cell judged by itself. */
#include "judge_lines.h"
#include "judge_cell.h"
#include "judge_clause.h"
#include "conformance/case/generate.h"
#include "conformance/case/truth_lines.h"
#include "oracle.h"
#include "own_sums.h"
#include "walk.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* A case under judgement: a line of each input as doubles, and what truth says of it. */
typedef struct hearing {
    const problem *p;
    const trial *t;
    level upto;
    int axis;
    int64_t n, inner; /* extent along the axis; cells between neighbours on it */
    double *inputs[OPERANDS];
    truth_cell *first, *second;
    cell_bounds bounds;
    int exact; /* integers: the bits are the same in every order */
    int sums;  /* the formula holds a sum */
    verdict *v;
    walk *walk;
} hearing;

/* ---- what is said of a cell ------------------------------------------------------------------ */

static void fail_cell(const hearing *h, cot_operand out, int64_t index, const truth_cell *want, double got,
                      cell_verdict cell)
{
    double wanted = cell.ruling == BY_BOUND ? truth_nearest(want) : want->literal;
    if (!walk_fail(h->walk, cell.wrong, truth_clause(h->p->c.desc.op), out, index, got, wanted))
        return;
    h->walk->v->ratio = cell.ratio;
    h->walk->v->ulps = cell.ulps;
    verdict_blame(h->walk->v, cell_clause(h->walk->v, reason_at(cell.wrong)->level, h->p));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int64_t first_cell(const hearing *h, int64_t line, int64_t n)
{
    return line / h->inner * h->inner * n + line % h->inner;
}

/* A line of a view: where its first cell is, and bytes from one to the next. */
typedef struct row {
    const char *first;
    int64_t step;
} row;

static row row_of(const hearing *h, const cot_view *view, int64_t first)
{
    int64_t size = (int64_t)cot_element_size(view->element);
    return (row){ (const char *)view->data + cot_cell_offset(view, first) * size, view->strides[h->axis] * size };
}

static void read_line(const hearing *h, cot_operand operand, int64_t line)
{
    const cot_view *view = &h->p->tensors[operand].view;
    int64_t n = view->shape[h->axis];
    row from = row_of(h, view, first_cell(h, line, n));
    for (int64_t i = 0; i < n; i++)
        h->inputs[operand][i] = cot_cell_get(view->element, from.first + i * from.step);
}

static void count_cell(const hearing *h, const truth_cell *want, cell_verdict cell)
{
    verdict *v = h->v;
    v->cells++;
    v->open_cells += cell.ruling == BY_OPEN;
    v->edge_cells += cell.ruling == BY_EDGE;
    v->nan_cells += cell.ruling == BY_EDGE && isnan(want->literal);
    v->bit_cells += cell.ruling == BY_BITS;
    if (cell.ruling == NOT_RULED)
        verdict_leave(v, h->upto < LEVEL_B ? UNJUDGED_NOT_ASKED : UNJUDGED_FOREIGN_SAVE, 1);
    v->worst = fmax(v->worst, cell.ratio);
    v->worst_ulps = fmax(v->worst_ulps, cell.ulps);
}

/* What the cell's error is under the bounds of other orders. An op without a sum has no order to grade. */
static void grade_cell(const hearing *h, const truth_cell *want, cot_element element, double got, double ratio)
{
    if (!h->sums || h->upto < LEVEL_B || !(want->holds & TRUTH_BOUND) || want->holds & (TRUTH_EDGE | TRUTH_FOREIGN))
        return;
    h->v->graded_cells++;
    for (int g = 0; g < GRADES && ratio > 0; g++)
        h->v->graded[g] = fmax(h->v->graded[g], truth_score(want, element, got, &h->bounds.grade[g]));
}

/* BOUND-RANDOM of somebody's own numbers: within the bound of any order, and further off than orders go. */
static void doubt_sum(const truth_bound *own, const truth_cell *want, cot_element element, double got, cell_verdict *v)
{
    double ratio =
        v->ruling == BY_BOUND && !v->wrong && own->depth < (double)INFINITY ? truth_score(want, element, got, own) : 0;
    if (ratio > 1)
        v->wrong = REASON_SUM, v->ratio = ratio;
}

static void judge_output(const hearing *h, cot_operand out, const truth_cell *truth, int64_t line,
                         const truth_bound *own)
{
    const cot_view view = trial_view(h->t, out);
    int64_t first = first_cell(h, line, h->n);
    row from = row_of(h, &view, first);
    for (int64_t i = 0; i < h->n; i++) {
        double got = cot_cell_get(view.element, from.first + i * from.step);
        cell_verdict cell = judge_cell(&truth[i], view.element, got, &h->bounds.claimed, h->upto, h->exact);
        doubt_sum(own, &truth[i], view.element, got, &cell);
        h->v->oracle_cells += h->exact && cell.ruling == BY_BITS;
        count_cell(h, &truth[i], cell);
        grade_cell(h, &truth[i], view.element, got, cell.ratio);
        if (cell.wrong)
            fail_cell(h, out, first + i * h->inner, &truth[i], got, cell);
    }
}

static int is_heard_whole(const hearing *h) { return h->p->c.generator < 0; } /* somebody's own result */

static truth_bound own_bound(const hearing *h)
{
    truth_bound own = { h->bounds.claimed.roundings, (double)INFINITY, 0 };
    const own_line line = { &h->p->c.desc, h->n, h->inputs[COT_DY], h->inputs[COT_X], h->inputs[COT_Y] };
    if (is_heard_whole(h) && h->upto >= LEVEL_B)
        own.depth = own_depth(&line);
    return own;
}

static cot_status hear_line(const hearing *h, int64_t l)
{
    int pairs = h->p->tensors[COT_DA].memory != NULL;
    for (int o = COT_DY; o < COT_DX; o++)
        if (h->inputs[o])
            read_line(h, (cot_operand)o, l);
    truth_line line = { &h->p->c.desc,   h->n, h->inputs[COT_DY], h->inputs[COT_X], h->inputs[COT_Y], h->inputs[COT_A],
                        h->inputs[COT_B] };
    cot_status status = truth_gradient(&line, h->first, pairs ? h->second : NULL);
    const truth_bound own = own_bound(h);
    if (!status)
        judge_output(h, pairs ? COT_DA : COT_DX, h->first, l, &own);
    if (!status && pairs)
        judge_output(h, COT_DB, h->second, l, &own);
    return status;
}

/* The other lines of a large tensor. Where bits are claimed they are compared all the same. */
static void leave_lines(const hearing *h, int64_t lines)
{
    int64_t cells = lines * h->n * (h->p->tensors[COT_DA].memory ? 2 : 1);
    h->v->cells += cells;
    verdict_leave(h->v, UNJUDGED_OTHER_LINE, cells);
}

static int allocate(hearing *h)
{
    size_t cells = (size_t)h->n + 1;
    int missing = 0;
    for (int o = COT_DY; o < COT_DX; o++)
        if (h->p->tensors[o].memory)
            missing |= !(h->inputs[o] = malloc(cells * sizeof(double)));
    h->first = malloc(cells * sizeof *h->first);
    if (h->p->tensors[COT_DA].memory)
        missing |= !(h->second = malloc(cells * sizeof *h->second));
    return missing || !h->first;
}

static void release(hearing *h)
{
    for (int o = COT_DY; o < COT_DX; o++)
        free(h->inputs[o]);
    free(h->first);
    free(h->second);
}

static int64_t line_count(const hearing *h)
{
    cot_operand out = h->p->tensors[COT_DA].memory ? COT_DA : COT_DX;
    return h->n ? cell_count(&h->p->tensors[out].view) / h->n : 0;
}

/* Some of the lines that are heard, in memory of its own. */
static cot_status hear(hearing *h, int64_t from, int64_t to)
{
    int64_t lines = line_count(h);
    truth_lines heard = case_truth_lines(&h->p->c, lines);
    if (is_heard_whole(h))
        heard = (truth_lines){ lines, 1, { 0 } };
    cot_status status = allocate(h) ? COT_INTERNAL : COT_OK;
    for (int64_t k = from; k < heard.count && k < to && !status; k++)
        status = hear_line(h, truth_line_at(&heard, k));
    leave_lines(h, from ? 0 : lines - heard.count);
    release(h);
    return status;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* A share of the lines, judged by a thread into a verdict of its own. */
typedef struct share {
    hearing h;
    verdict v;
    walk cells;
    int64_t from, to;
    pthread_t thread;
    int runs; /* in that thread */
    cot_status status;
} share;

static void *hear_aside(void *given)
{
    share *s = given;
    s->status = hear(&s->h, s->from, s->to);
    truth_end();
    return NULL;
}

static void begin_share(share *s, const hearing *h, int which, int shares)
{
    int64_t lines = line_count(h);
    s->h = *h;
    s->h.v = &s->v;
    s->h.walk = &s->cells;
    s->cells = walk_begin(h->p, &s->v);
    s->cells.marks = h->walk->marks;
    s->from = lines * which / shares;
    s->to = lines * (which + 1) / shares;
    s->runs = which && !pthread_create(&s->thread, NULL, hear_aside, s);
}

/* The first share is this thread's, and so is any for which there is no other. Joined in the order of lines. */
static cot_status hear_together(const hearing *h, int shares)
{
    cot_status status = COT_OK;
    share *all = calloc((size_t)shares, sizeof *all);
    for (int i = shares - 1; all && i >= 0; i--)
        begin_share(&all[i], h, i, shares);
    for (int i = 0; all && i < shares; i++) {
        share *s = &all[i];
        if (s->runs)
            pthread_join(s->thread, NULL);
        else
            s->status = hear(&s->h, s->from, s->to);
        walk_join(h->walk, &s->cells);
        status = status ? status : s->status;
    }
    free(all);
    return all ? status : COT_INTERNAL;
}

/* Threads pay off in what is large, and their memory is that of some lines each. */
static int threads_for(const hearing *h)
{
    enum { MANY_CELLS = 1 << 16, LONG_LINE = 1 << 16, MOST_THREADS = 8 };
    int64_t lines = line_count(h), processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (!is_heard_whole(h) || h->n > LONG_LINE || lines * h->n < MANY_CELLS || !truth_allows_threads())
        return 1;
    return (int)(processors < 1 ? 1 : processors > MOST_THREADS ? MOST_THREADS : processors);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* POLICY-CENTRE: what is summed has a term in common. */
static int is_shifted(const cot_desc *desc)
{
    return cot_op_get(desc->op)->traits & COT_OP_CORRECTS && desc->policies.centre == COT_CENTRE_SHIFTED;
}

/* BOUND-RANDOM: each dy, and each x, is drawn by itself, and is as often negative as positive. */
static int is_random(const test_case *c)
{
    int symmetric = c->generator == generator_find("uniform") || c->generator == generator_find("normal");
    return c->layout != LAYOUT_BROADCAST && symmetric && !is_shifted(&c->desc);
}

static truth_bound bound_under(const test_case *c, cot_order claimed)
{
    cot_bound b = cot_bound_under(&c->desc, claimed);
    return (truth_bound){ b.roundings, b.depth, is_random(c) };
}

/* Whoever claims the spec's bits is held to the spec's own evaluation. */
static cell_bounds bounds_of(const trial *t)
{
    const test_case *c = &t->p->c;
    return (cell_bounds){ .claimed = bound_under(c, t->claim.bit_identical ? COT_ORDER_FOLD : t->claim.order),
                          .grade = { [GRADE_PAIRWISE] = bound_under(c, COT_ORDER_PAIRWISE),
                                     [GRADE_SPEC] = bound_under(c, COT_ORDER_FOLD),
                                     [GRADE_SEQUENTIAL] = bound_under(c, COT_ORDER_SEQUENTIAL) } };
}

cot_status judge_lines_by(const trial *t, level upto, int threads, verdict *v)
{
    const cot_desc *desc = &t->p->c.desc;
    walk cells = walk_begin(t->p, v);
    cells.marks = t->marks;
    hearing h = { .p = t->p,
                  .t = t,
                  .upto = upto,
                  .bounds = bounds_of(t),
                  .exact = integers_are_exact(&t->p->c),
                  .sums = cot_op_get(desc->op)->kind != COT_KIND_NONE,
                  .v = v,
                  .walk = &cells };
    h.axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    h.n = desc->shape[h.axis];
    h.inner = cot_cell_count(desc->rank - h.axis - 1, desc->shape + h.axis + 1);
    int shares = threads ? threads : threads_for(&h);
    shares = shares > line_count(&h) ? (int)line_count(&h) : shares;
    cot_status status = shares > 1 && is_heard_whole(&h) ? hear_together(&h, shares) : hear(&h, 0, INT64_MAX);
    walk_end(&cells);
    return status;
}

cot_status judge_lines(const trial *t, level upto, verdict *v) { return judge_lines_by(t, upto, 0, v); }
