#include "judge.h"
#include "judge_cell.h"
#include "judge_clause.h"
#include "judge_fault.h"
#include "judge_lines.h"
#include "oracle.h"
#include "trial.h"

#include <stdio.h>
#include <string.h>

/* ---- trials against each other -------------------------------------------------------------------------------------- */

static int64_t output_cells(const problem *p)
{
    return cell_count(&p->tensors[p->tensors[COT_DX].memory ? COT_DX : COT_DA].view);
}

typedef struct comparison {
    const trial *t, *other;
    level upto;
    verdict *v;
} comparison;

typedef void differs(const comparison *c, cot_operand out, int64_t index, double got, double other);

/* Calls `found` for every cell that is another number in `other`. */
static void compare(const comparison *c, differs *found)
{
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!c->t->p->tensors[o].memory)
            continue;
        cot_view view = trial_view(c->t, (cot_operand)o), peer = trial_view(c->other, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&view); i < cells; i++) {
            double got = cell_value(&view, i), other = cell_value(&peer, i);
            if (!same_number(got, other))
                found(c, (cot_operand)o, i, got, other);
        }
    }
}

static void differs_again(const comparison *c, cot_operand out, int64_t index, double got, double again)
{
    char numbers[256];
    describe_pair(numbers, sizeof numbers, c->t->p->c.desc.element, again, got);
    if (c->upto >= LEVEL_D && verdict_fail(c->v, LEVEL_D, "DETERMINISM", "another run of the same call gives other bits: %s", numbers))
        verdict_at(c->v, c->t->p, out, index, again, got);
}

static int is_paint(const trial *t, double number)
{
    unsigned char cell[8];
    memset(cell, t->colour.unwritten, sizeof cell);
    return same_number(number, cot_cell_get(t->p->c.desc.element, cell));
}

/* The second run differs from the first in what it must not depend on: a NaN of the first that is the second's paint was never
 * written; a NaN of the second comes from beside the cells, or from a save that must not be read. */
static void differs_by_paint(const comparison *c, cot_operand out, int64_t index, double got, double again)
{
    int failed = 0, unread = cot_op_get(c->t->p->c.desc.op)->needs & COT_Y_UNREAD;
    if (got != got && is_paint(c->other, again))
        failed = verdict_fail(c->v, LEVEL_E, "LAYOUT-ONLY-CELLS", "the cell was not written");
    else if (again != again)
        failed = verdict_fail(c->v, LEVEL_E, unread ? "VAR-SAVE" : "LAYOUT-STRIDES",
                              "what lies beside the operands' cells%s enters the result", unread ? ", or in y," : "");
    else
        differs_again(c, out, index, got, again);
    if (failed)
        verdict_at(c->v, c->t->p, out, index, again, got);
}

static void differs_from_reference(const comparison *c, cot_operand out, int64_t index, double got, double want)
{
    char numbers[256];
    describe_pair(numbers, sizeof numbers, c->t->p->c.desc.element, got, want);
    if (verdict_fail(c->v, LEVEL_X, "ARITH-ORDER", "not the bits that it must equal: %s", numbers)) {
        verdict_at(c->v, c->t->p, out, index, got, want);
        c->v->clause = cell_clause(c->v, LEVEL_X, c->t->p);
    }
}

/* ---- levels --------------------------------------------------------------------------------------------------------- */

static void judge_guards(const trial *t, verdict *v)
{
    int64_t damage = trial_damage(t, &v->guard_bytes);
    if (damage)
        verdict_fail(v, LEVEL_E, "LAYOUT-ONLY-CELLS", "%lld bytes that are not cells of an output were changed", (long long)damage);
}

static const char *status_clause(const trial *t, cot_status status, const cot_error *error)
{
    const test_case *c = &t->p->c;
    int reduces = cot_op_get(c->desc.op)->family == COT_REDUCE;
    if (error->operand == COT_WORKSPACE || status == COT_WORKSPACE_TOO_SMALL)
        return "VALID-WORKSPACE";
    if (status == COT_INTERNAL)
        return "ERROR-INTERNAL";
    if (t->colour.junk)
        return "SAVE-IGNORED";
    if (!output_cells(t->p))
        return reduces && cell_count(&t->p->tensors[COT_DY].view) ? "EMPTY-AXIS" : "EMPTY-RUN";
    return c->alias ? "LAYOUT-ALIAS" : c->layout != LAYOUT_CONTIG ? "VALID-LAYOUT" : "VALID-ORDER";
}

/* A good call that failed, or was refused. */
static void fail_status(const trial *t, cot_status status, const cot_error *error, verdict *v)
{
    verdict_fail(v, LEVEL_E, status_clause(t, status, error), "a good call: %s: %s", cot_status_name(status), error->message);
}

/* The call again, on a backend that must give the same. */
static void judge_again(const trial *t, cot_backend *backend, paint colour, level upto, verdict *v, differs *found)
{
    trial again;
    cot_error error;
    cot_status status = trial_run(&again, backend, t->p, colour, &error);
    v->statuses++;
    if (status) {
        fail_status(&again, status, &error, v);
    } else {
        judge_guards(&again, v);
        compare(&(comparison){ t, &again, upto, v }, found);
    }
    trial_free(&again);
}

static void judge_bits(const court *seat, const trial *t, verdict *v)
{
    trial other;
    cot_error error;
    verdict reference = { 0 };
    cot_status status = trial_run(&other, seat->against, t->p, first_paint, &error);
    if (!status) {
        int before = v->failed;
        compare(&(comparison){ t, &other, LEVEL_X, v }, differs_from_reference);
        v->bit_cells = v->cells;
        v->unjudged_cells = 0;
        if (v->failed > before && !judge_lines(&other, LEVEL_B, &reference) && reference.failed) /* else equal to what was judged */
            snprintf(v->why, sizeof v->why, "the backend that it must equal is itself wrong: %.600s", reference.why);
        v->reached = LEVEL_X;
    } else if (status != COT_UNSUPPORTED) {
        verdict_fail(v, LEVEL_X, "ERROR-INTERNAL", "the backend that it must equal: %s", error.message);
    }
    trial_free(&other);
}

static void judge_trial(const court *seat, const trial *t, verdict *v)
{
    v->statuses++;
    judge_guards(t, v);
    judge_again(t, seat->backend, second_paint, seat->level, v, differs_by_paint); /* first: a cell that was not written is not a wrong number */
    if (judge_lines(t, seat->level, v))
        verdict_fail(v, LEVEL_E, "ERROR-INTERNAL", "out of memory");
    if (seat->bare && !v->failed)
        judge_again(t, seat->backend, bare_paint, seat->level, v, differs_by_paint);
    if (seat->level >= LEVEL_B)
        judge_oracles(seat->backend, t, v);
    for (int i = 0; i < TWINS && seat->level >= LEVEL_D; i++)
        if (seat->twins[i])
            judge_again(t, seat->twins[i], second_paint, seat->level, v, differs_again);
    v->reached = seat->level >= LEVEL_X && seat->against ? LEVEL_D : seat->level;
    if (seat->level >= LEVEL_X && seat->against)
        judge_bits(seat, t, v);
    if (!v->cells && output_cells(t->p))
        verdict_fail(v, LEVEL_E, "ERROR-INTERNAL", "no cell was compared");
}

const char *judge_unusable(void)
{
    return NULL;
}

static cot_status judge_once(const court *seat, const test_case *c, verdict *v)
{
    problem p;
    trial t;
    cot_error error;
    *v = (verdict){ 0 };
    if (c->bad[0].row)
        return judge_fault(seat, c, v);
    if (problem_make(&p, c)) {
        verdict_fail(v, LEVEL_E, "ERROR-INTERNAL", "out of memory");
        return COT_INTERNAL;
    }
    cot_status status = trial_run(&t, seat->backend, &p, first_paint, &error);
    if (!status)
        judge_trial(seat, &t, v);
    else if (status != COT_UNSUPPORTED)
        fail_status(&t, status, &error, v);
    trial_free(&t);
    problem_free(&p);
    return status;
}

/* A case that differs from the failed one in one thing, and passes, shows what that thing's clause is broken by. */
static void blame(const court *seat, const test_case *other, const char *clause, verdict *v)
{
    verdict control;
    if (judge_once(&(court){ .backend = seat->backend, .against = seat->against, .level = v->failed_at }, other, &control) == COT_OK && !control.failed)
        v->clause = clause;
}

cot_status judge_case(const court *seat, const test_case *c, verdict *v)
{
    cot_status status = judge_once(seat, c, v);
    if (!v->failed || !v->operand || v->failed_at == LEVEL_D)
        return status;
    test_case plain = *c, forward = *c;
    plain.layout = LAYOUT_CONTIG;
    plain.alias = COT_NO_OPERAND;
    forward.desc.reverse = 0;
    if (c->layout != LAYOUT_CONTIG || c->alias)
        blame(seat, &plain, c->alias ? "LAYOUT-ALIAS" : "LAYOUT-STRIDES", v);
    else if (c->desc.reverse)
        blame(seat, &forward, "SCAN-REVERSE", v);
    return status;
}

void judge_end(void)
{
    truth_end();
}
