#include "judge.h"
#include "judge_cell.h"
#include "judge_lines.h"
#include "trial.h"

#include <stdio.h>

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

/* A NaN in the first run that is the second run's paint was never written. */
static void differs_by_paint(const comparison *c, cot_operand out, int64_t index, double got, double again)
{
    unsigned char cell[8];
    for (int i = 0; i < 8; i++)
        cell[i] = second_paint.unwritten;
    if (got == got || !same_number(again, cot_cell_get(c->t->p->c.desc.element, cell)))
        differs_again(c, out, index, got, again);
    else if (verdict_fail(c->v, LEVEL_E, "LAYOUT-ONLY-CELLS", "the cell was not written"))
        verdict_at(c->v, c->t->p, out, index, again, got);
}

static void differs_from_reference(const comparison *c, cot_operand out, int64_t index, double got, double want)
{
    char numbers[256];
    describe_pair(numbers, sizeof numbers, c->t->p->c.desc.element, got, want);
    if (verdict_fail(c->v, LEVEL_X, "ARITH-ORDER", "not the bits that it must equal: %s", numbers))
        verdict_at(c->v, c->t->p, out, index, got, want);
}

/* ---- levels --------------------------------------------------------------------------------------------------------- */

static void judge_guards(const trial *t, verdict *v)
{
    int64_t damage = trial_damage(t, &v->guard_bytes);
    if (damage)
        verdict_fail(v, LEVEL_E, "LAYOUT-ONLY-CELLS", "%lld bytes that are not cells of an output were changed", (long long)damage);
}

/* A good call that failed, or was refused. */
static void fail_status(const problem *p, cot_status status, const cot_error *error, verdict *v)
{
    const char *clause = !output_cells(p) ? "EMPTY-RUN" : status == COT_INTERNAL ? "ERROR-INTERNAL" : "VALID-ORDER";
    verdict_fail(v, LEVEL_E, clause, "%s: %s", cot_status_name(status), error->message);
}

/* The call again, on a backend that must give the same. */
static void judge_again(const trial *t, cot_backend *backend, level upto, verdict *v, differs *found)
{
    trial again;
    cot_error error;
    cot_status status = trial_run(&again, backend, t->p, second_paint, &error);
    v->statuses++;
    if (status) {
        fail_status(t->p, status, &error, v);
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
    } else if (status != COT_UNSUPPORTED) {
        verdict_fail(v, LEVEL_X, "ERROR-INTERNAL", "the backend that it must equal: %s", error.message);
    }
    trial_free(&other);
}

static void judge_trial(const court *seat, const trial *t, verdict *v)
{
    v->statuses++;
    judge_guards(t, v);
    if (judge_lines(t, seat->level, v))
        verdict_fail(v, LEVEL_E, "ERROR-INTERNAL", "out of memory");
    judge_again(t, seat->backend, seat->level, v, differs_by_paint);
    for (cot_backend *const *twin = seat->twins; seat->level >= LEVEL_D && twin && *twin; twin++)
        judge_again(t, *twin, seat->level, v, differs_again);
    if (seat->level >= LEVEL_X && seat->against)
        judge_bits(seat, t, v);
    if (!v->cells && output_cells(t->p))
        verdict_fail(v, LEVEL_E, "ERROR-INTERNAL", "no cell was compared");
    v->reached = seat->level;
}

const char *judge_unusable(void)
{
    return NULL;
}

cot_status judge_case(const court *seat, const test_case *c, verdict *v)
{
    problem p;
    trial t;
    cot_error error;
    *v = (verdict){ 0 };
    if (problem_make(&p, c)) {
        verdict_fail(v, LEVEL_E, "ERROR-INTERNAL", "out of memory");
        return COT_INTERNAL;
    }
    cot_status status = trial_run(&t, seat->backend, &p, first_paint, &error);
    if (!status)
        judge_trial(seat, &t, v);
    else if (status != COT_UNSUPPORTED)
        fail_status(&p, status, &error, v);
    trial_free(&t);
    problem_free(&p);
    return status;
}

void judge_end(void)
{
    truth_end();
}
