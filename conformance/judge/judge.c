/* The judge: runs a case, again and again in ways that must not matter, and compares what comes out. */
#include "judge.h"
#include "judge_cell.h"
#include "judge_clause.h"
#include "judge_refusal.h"
#include "circumstances.h"
#include "invariance.h"
#include "judge_lines.h"
#include "oracle.h"
#include "court_run.h"
#include "walk.h"

#include <math.h>
#include <string.h>

/* ---- trials against each other --------------------------------------------------------------- */

static int64_t output_cells(const problem *p)
{
    return cell_count(&p->tensors[p->tensors[COT_DX].memory ? COT_DX : COT_DA].view);
}

typedef struct comparison {
    const trial *t, *other;
    level upto;
    walk *cells;
} comparison;

typedef void differs(const comparison *c, cot_operand out, int64_t index, double got, double other);

/* Calls `found` for every cell that is another number in `other`. */
static void compare(const trial *t, const trial *other, level upto, differs *found, verdict *v)
{
    walk cells_of_t = walk_begin(t->p, v);
    comparison c = { t, other, upto, &cells_of_t };
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!t->p->tensors[o].memory)
            continue;
        cot_view view = trial_view(t, (cot_operand)o), peer = trial_view(other, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&view); i < cells; i++) {
            double got = cell_value(&view, i), there = cell_value(&peer, i);
            if (!same_number(got, there))
                found(&c, (cot_operand)o, i, got, there);
        }
    }
    walk_end(&cells_of_t);
}

static void differs_again(const comparison *c, cot_operand out, int64_t index, double got, double again)
{
    if (c->upto >= LEVEL_D)
        walk_fail(c->cells, REASON_OTHER_RUN, "DETERMINISM", out, index, again, got);
}

/* What a cell holds that a run has not written. */
static int is_unwritten(const trial *t, double number)
{
    unsigned char cell[8];
    memset(cell, t->fill.unwritten, sizeof cell);
    return same_number(number, cot_cell_get(t->p->c.desc.element, cell));
}

/* The second run differs from the first in what it must not depend on. Where the first has NaN and the second what its
 * outputs were filled with, the cell was never written. A NaN of the second comes from beside the cells, or from a save
 * that must not be read. */
static void differs_by_filling(const comparison *c, cot_operand out, int64_t index, double got, double again)
{
    int unread = cot_op_get(c->t->p->c.desc.op)->needs & COT_Y_UNREAD;
    if (got != got && is_unwritten(c->other, again))
        walk_fail(c->cells, REASON_UNWRITTEN, "LAYOUT-ONLY-CELLS", out, index, again, got);
    else if (again != again)
        walk_fail(c->cells, unread ? REASON_READS_Y : REASON_READS_BESIDE, unread ? "VAR-SAVE" : "LAYOUT-STRIDES", out,
                  index, again, got);
    else
        differs_again(c, out, index, got, again);
}

/* The same of a backend whose runs differ anyway: only what was not written is certain. */
static void differs_by_chance(const comparison *c, cot_operand out, int64_t index, double got, double again)
{
    if (again != again)
        differs_again(c, out, index, got, again);
    else
        differs_by_filling(c, out, index, got, again);
}

static void differs_from_reference(const comparison *c, cot_operand out, int64_t index, double got, double want)
{
    if (walk_fail(c->cells, REASON_OTHER_BITS, "ARITH-ORDER", out, index, got, want))
        verdict_blame(c->cells->v, cell_clause(c->cells->v, LEVEL_X, c->t->p));
}

/* ---- levels ---------------------------------------------------------------------------------- */

static void judge_guards(const trial *t, verdict *v)
{
    int64_t damage = trial_damage(t, &v->guard_bytes);
    if (damage)
        verdict_fail_count(v, REASON_DAMAGE, "LAYOUT-ONLY-CELLS", damage);
}

static const char *status_clause(const trial *t, cot_status status, const cot_error *error)
{
    const test_case *c = &t->p->c;
    int reduces = cot_op_get(c->desc.op)->family == COT_REDUCE;
    if (error->operand == COT_WORKSPACE || status == COT_WORKSPACE_TOO_SMALL)
        return "VALID-WORKSPACE";
    if (status == COT_INTERNAL)
        return "ERROR-INTERNAL";
    if (t->fill.junk)
        return "SAVE-IGNORED";
    if (!output_cells(t->p))
        return reduces && cell_count(&t->p->tensors[COT_DY].view) ? "EMPTY-AXIS" : "EMPTY-RUN";
    return c->alias ? "LAYOUT-ALIAS" : c->layout != LAYOUT_CONTIG ? "VALID-LAYOUT" : "VALID-ORDER";
}

/* A good call that failed, or was refused. */
static void fail_status(const trial *t, cot_status status, const cot_error *error, verdict *v)
{
    cot_error said = *error;
    said.code = status;
    verdict_fail_call(v, REASON_FAILED_CALL, status_clause(t, status, error), &said, NULL);
}

/* Whether some cell holds two numbers, in one trial and in the other, of which something is so. */
static int some_cell(const trial *t, const trial *other, int (*is_so)(double first, double second))
{
    int found = 0;
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!t->p->tensors[o].memory)
            continue;
        cot_view view = trial_view(t, (cot_operand)o), peer = trial_view(other, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&view); i < cells && !found; i++)
            found = is_so(cell_value(&view, i), cell_value(&peer, i));
    }
    return found;
}

static int differ(double first, double second) { return !same_number(first, second); }

static int strays(double first, double second) { return isnan(second) && !isnan(first); }

/* Whether the very same call gives other numbers at another time: an order that is left to chance makes NaN of inf -
 * inf now and then, and that has not come from beside the operands. */
static int is_random(const court *seat, const trial *t, cot_backend *backend)
{
    enum { TIMES = 8 };
    int random = 0;
    for (int i = 0; i < TIMES && !random; i++) {
        trial again;
        cot_error error;
        random = !court_run(seat, backend, &again, t->p, t->fill, &error) && some_cell(t, &again, differ);
        trial_free(&again);
    }
    return random;
}

/* The call again, on a backend that must give the same. */
static void judge_again(const court *seat, const trial *t, cot_backend *backend, fill_pattern fill, verdict *v,
                        differs *found)
{
    trial again;
    cot_error error;
    cot_status status = court_run(seat, backend, &again, t->p, fill, &error);
    v->statuses++;
    if (status) {
        fail_status(&again, status, &error, v);
    } else {
        judge_guards(&again, v);
        int chance = found == differs_by_filling && some_cell(t, &again, strays)
                     && (is_random(seat, t, backend) || is_random(seat, &again, backend));
        compare(t, &again, seat->level, chance ? differs_by_chance : found, v);
    }
    trial_free(&again);
}

/* What was judged differs from the reference, and the reference is the one that is wrong. */
static void blame_reference(const verdict *reference, verdict *v)
{
    v->reason = REASON_REFERENCE_WRONG;
    v->reference.reason = reference->reason;
    v->reference.got = reference->got;
    v->reference.want = reference->want;
    v->reference.ratio = reference->ratio;
}

static void judge_bits(const court *seat, const trial *t, verdict *v)
{
    trial other;
    cot_error error;
    verdict reference = { 0 };
    cot_status status = court_run(seat, seat->against, &other, t->p, first_fill, &error);
    if (!status) {
        compare(t, &other, LEVEL_X, differs_from_reference, v);
        v->bit_cells = v->cells; /* every one, those that truth says nothing of included */
        v->unjudged_cells = 0;
        memset(v->unjudged, 0, sizeof v->unjudged);
        if (v->reason == REASON_OTHER_BITS && !judge_lines(&other, LEVEL_B, &reference) && reference.failed)
            blame_reference(&reference, v);
        v->reached = LEVEL_X;
    } else if (status != COT_UNSUPPORTED) {
        verdict_fail_call(v, REASON_REFERENCE_FAILED, "ERROR-INTERNAL", &error, NULL);
    }
    trial_free(&other);
}

static void judge_trial(const court *seat, const trial *t, verdict *v)
{
    v->statuses++;
    judge_guards(t, v);
    judge_again(seat, t, seat->backend, second_fill, v,
                differs_by_filling); /* first: a cell that was not written is not a wrong number */
    if (judge_lines(t, seat->reordered && seat->level > LEVEL_I ? LEVEL_I : seat->level, v))
        verdict_fail(v, REASON_JUDGE_MEMORY, NULL);
    if (seat->bare && !v->failed)
        judge_again(seat, t, seat->backend, bare_fill, v, differs_by_filling);
    if (seat->level >= LEVEL_B)
        judge_oracles(seat, t, v);
    for (int i = 0; i < TWINS && seat->level >= LEVEL_D; i++)
        if (seat->twins[i])
            judge_again(seat, t, seat->twins[i], second_fill, v, differs_again);
    for (int i = 1; i < seat->repeat && seat->level >= LEVEL_D && !v->failed; i++)
        judge_again(seat, t, seat->backend, first_fill, v, differs_again);
    if (seat->level >= LEVEL_I)
        judge_invariance(seat, t, v);
    v->reached = seat->level >= LEVEL_X && seat->against ? LEVEL_I : seat->level;
    if (seat->level >= LEVEL_X && seat->against)
        judge_bits(seat, t, v);
    blame_by_line(t, v);
    if (!v->cells && output_cells(t->p))
        verdict_fail(v, REASON_UNCHECKED_CELLS, NULL);
}

const char *judge_unusable(void) { return NULL; }

static cot_status judge_problem(const court *seat, const problem *p, verdict *v)
{
    trial t;
    cot_error error;
    cot_status status = court_run(seat, seat->backend, &t, p, first_fill, &error);
    if (seat->unclaimed)
        t.claim = (cot_guarantee){ .order = COT_ORDER_ANOTHER };
    if (!status)
        judge_trial(seat, &t, v);
    else if (status != COT_UNSUPPORTED)
        fail_status(&t, status, &error, v);
    else
        v->said = error; /* in its own words why it does not do this */
    trial_free(&t);
    return status;
}

static cot_status judge_once(const court *seat, const test_case *c, verdict *v)
{
    problem p;
    *v = (verdict){ 0 };
    if (c->bad[0].row) {
        court_phase(seat, PHASE_BACKEND); /* nearly all of it is calls */
        return judge_refusal(seat, c, v);
    }
    if (problem_make(&p, c)) {
        verdict_fail(v, REASON_JUDGE_MEMORY, NULL);
        return COT_INTERNAL;
    }
    cot_status status = judge_problem(seat, &p, v);
    problem_free(&p);
    return status;
}

/* ---- circumstances --------------------------------------------------------------------------- */

static court simple_court(const court *seat, const verdict *v)
{
    return (court){ .backend = seat->backend,
                    .against = seat->against,
                    .level = v->failed_at,
                    .reordered = seat->reordered,
                    .phase = seat->phase };
}

/* Judges a case that differs from the failed one in one thing. Where it passes, that thing is what fails, and the
 * clause about it is broken. */
static int blame(const court *seat, const test_case *other, const char *clause, verdict *v)
{
    verdict control;
    court simple = simple_court(seat, v);
    int passes = !judge_once(&simple, other, &control) && !control.failed;
    if (passes)
        verdict_blame(v, clause);
    return passes;
}

/* The same line in reverse, scanned the other way, is the same sum of the same numbers: where only that passes, the
 * direction is what fails. Other numbers would pass by luck. */
static void blame_direction(const court *seat, const test_case *c, verdict *v)
{
    problem p = { 0 }, q = { 0 };
    test_case forward = *c;
    verdict control = { 0 };
    court simple = simple_court(seat, v);
    forward.desc.reverse = 0;
    if (!problem_make(&p, c) && !mirror_problem(&p, &forward, &q) && !judge_problem(&simple, &q, &control)
        && !control.failed)
        verdict_blame(v, "SCAN-REVERSE");
    problem_free(&p);
    problem_free(&q);
}

/* The wrong cell's line passes alone: what stands beside it, or the shape around it, is what fails. */
static int blame_shape(const court *seat, const test_case *c, verdict *v)
{
    problem p = { 0 }, q = { 0 };
    verdict control = { 0 };
    court simple = simple_court(seat, v);
    int passes = !problem_make(&p, c) && take_line_alone(&p, v, &q) > 0 && !judge_problem(&simple, &q, &control)
                 && !control.failed;
    if (passes)
        verdict_blame(v, "EXTENT-ANY");
    problem_free(&p);
    problem_free(&q);
    return passes;
}

/* The clause of a wrong cell may be one about layouts, options, shapes or directions. */
static void blame_circumstances(const court *seat, const test_case *c, verdict *v)
{
    test_case apart = *c, plain = *c, heeded;
    apart.alias = plain.alias = COT_NO_OPERAND;
    plain.layout = LAYOUT_CONTIG;
    if (c->alias && blame(seat, &apart, "LAYOUT-ALIAS", v))
        return;
    if (c->layout != LAYOUT_CONTIG && blame(seat, &plain, "LAYOUT-STRIDES", v))
        return;
    if (leave_out_foreign(c, &heeded) && blame(seat, &heeded, "POLICY-FOREIGN", v))
        return;
    if (blame_shape(seat, c, v))
        return;
    if (c->desc.reverse)
        blame_direction(seat, c, v);
}

cot_status judge_case(const court *seat, const test_case *c, verdict *v)
{
    court_phase(seat, PHASE_JUDGE);
    cot_status status = judge_once(seat, c, v);
    if (v->failed && v->operand && v->failed_at != LEVEL_D && v->failed_at != LEVEL_I)
        blame_circumstances(seat, c, v);
    court_phase(seat, PHASE_BACKEND);
    return status;
}

void judge_end(void) { truth_end(); }
