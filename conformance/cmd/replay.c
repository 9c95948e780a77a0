/* Runs a vector's call on a backend and compares what comes back with what the framework returned. */
#include "replay.h"
#include "conformance/case/device_run.h"
#include "conformance/case/problem.h"
#include "conformance/describe/describe.h"
#include "conformance/judge/judge_views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- running --------------------------------------------------------------------------------- */

static int settle(replay *r, replay_outcome outcome, const char *why)
{
    r->outcome = outcome;
    snprintf(r->why, sizeof r->why, "%s", why);
    return 0;
}

/* The vector's inputs, with a result of one's own. */
static void arrange(const vector *v, const cot_view outputs[OPERANDS], cot_view views[OPERANDS])
{
    for (int o = COT_DY; o < OPERANDS; o++)
        views[o] = cot_is_output((cot_operand)o) ? outputs[o] : v->view[o];
}

/* The framework took the call for an error, and so must the library: the forward op of no cells has no result. */
static int expect_refusal(const vector *v, replay *r)
{
    cot_view views[OPERANDS], y;
    cot_args args;
    cot_error error = { 0 };
    memcpy(views, v->view, sizeof views);
    if (operand_make(&v->desc, COT_Y, &y))
        return -1;
    views[COT_Y] = y;
    point_args(&args, views);
    cot_status status = cot_forward(&v->desc, &args, &error);
    free(y.data);
    return settle(r, status ? REPLAY_SAME : REPLAY_DIFFERS, status ? "" : "the framework refuses it");
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* NaN, an infinity, a zero or a number, and of what sign. */
static int class_of(double value)
{
    int sign = signbit(value) ? -1 : 1;
    return isnan(value) ? 0 : sign * (isinf(value) ? 1 : value == 0 ? 2 : 3);
}

typedef struct comparison {
    int64_t bits, classes; /* cells that differ */
    cot_operand operand;   /* where the first is whose class differs */
    int64_t cell;
} comparison;

static void compare(const cot_view *got, const cot_view *want, cot_operand operand, comparison *c)
{
    for (int64_t i = 0; i < got->length; i++) {
        double a = cell_value(got, i), b = cell_value(want, i);
        c->bits += !same_number(a, b);
        if (class_of(a) != class_of(b) && !c->classes++)
            c->operand = operand, c->cell = i;
    }
}

static void say_cell(const vector *v, replay *r, cot_operand operand, int64_t cell)
{
    snprintf(r->why, sizeof r->why, "%s[%lld] is %.9g, and the framework has %.9g", cot_operand_name(operand),
             (long long)cell, cell_value(&r->got[operand], cell), cell_value(&v->view[operand], cell));
}

static void say_verdict(const verdict *v, const char *whose, replay *r)
{
    char why[WHY_SIZE];
    describe_why(v, why);
    snprintf(r->why, sizeof r->why, "%s, %.30s: %.400s", whose, clause_or(v), why);
}

static int judge_both(const vector *v, replay *r)
{
    cot_view views[OPERANDS];
    verdict ours, theirs;
    comparison c = { 0 };
    arrange(v, r->got, views);
    if (judge_views(&v->desc, views, &ours) || judge_views(&v->desc, v->view, &theirs))
        return -1;
    for (int o = COT_DX; o < OPERANDS; o++)
        if (cot_operand_used(cot_op_get(v->desc.op), (cot_operand)o))
            compare(&r->got[o], &v->view[o], (cot_operand)o, &c);
    r->outcome = ours.failed                  ? REPLAY_WRONG
                 : theirs.failed || c.classes ? REPLAY_DIFFERS
                 : c.bits                     ? REPLAY_NEAR
                                              : REPLAY_SAME;
    if (ours.failed)
        say_verdict(&ours, "the backend", r);
    else if (c.classes)
        say_cell(v, r, c.operand, c.cell);
    else if (theirs.failed)
        say_verdict(&theirs, "the framework", r);
    return 0;
}

int replay_run(cot_backend *backend, const vector *v, replay *r)
{
    cot_view views[OPERANDS];
    cot_error error = { 0 };
    *r = (replay){ 0 };
    if (v->refused)
        return expect_refusal(v, r);
    for (int o = COT_DX; o < OPERANDS; o++)
        if (cot_operand_used(cot_op_get(v->desc.op), (cot_operand)o)
            && operand_make(&v->desc, (cot_operand)o, &r->got[o]))
            return -1;
    arrange(v, r->got, views);
    cot_status status = device_execute(backend, &v->desc, views, &error);
    if (status)
        return settle(r, status == COT_UNSUPPORTED ? REPLAY_SKIPPED : REPLAY_WRONG, error.message);
    return judge_both(v, r);
}

void replay_free(replay *r)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        free(r->got[o].data);
    *r = (replay){ 0 };
}
