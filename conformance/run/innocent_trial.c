/* An innocent on the tests of an op. */
#include "innocent_trial.h"
#include "conformance/clause/scope.h"
#include "court.h"

#include <stdio.h>
#include <string.h>

/* Refusals are the core's, and other policies are not done. */
static int is_of(const suite_test *t, const cot_op_info *op, int64_t largest)
{
    return t->c.desc.op == op->op && !t->forward && !t->c.bad[0].row && t->cells <= largest
           && cot_uses_spec_policies(op->op, &t->c.desc.policies);
}

static level promised(const innocent *v)
{
    int which = LEVEL_E;
    while (level_name((level)which) && strcmp(level_name((level)which), v->promise))
        which++;
    return (level)which;
}

/* A few cells cannot tell one defect from another, nor can cells that are rounded to 16 bits. The sign of a zero tells
 * where a sum starts, and of an order nothing: what underflows there may have either. */
static int tells(const suite_test *t, const innocent *who, const verdict *v)
{
    enum { ENOUGH = 8 };
    int signs = v->got == 0 && v->want == 0 && !(who->flags & FROM_ZERO);
    return t->cells >= ENOUGH && t->c.desc.element >= COT_F32 && !signs;
}

static void take_difference(innocent_trial *out, const suite_test *t, const innocent *who, const verdict *v)
{
    out->differs++;
    if (!tells(t, who, v) || out->told++ >= TOLD || scope_mentions(who->clauses, v->clause))
        return;
    if (!out->misnamed++)
        out->misnaming = (struct accusation){ t, *v };
}

static void take(innocent_trial *out, const suite_test *t, const innocent *who, const verdict *v)
{
    out->tried++;
    out->cells += v->cells;
    out->unjudged += v->unjudged_cells;
    out->worst = v->worst > out->worst ? v->worst : out->worst;
    if (v->failed && v->failed_at > promised(who)) {
        take_difference(out, t, who, v);
    } else if (v->failed) {
        out->accused++;
        if (out->shown < ACCUSATIONS)
            out->at[out->shown++] = (struct accusation){ t, *v };
    }
}

static int is_compared(const innocent_trial *out, int differs)
{
    return (!differs && !out->differs) || (out->compared < COMPARED && out->told < TOLD);
}

static cot_status judge_share(court seats[2], const innocent *who, const cot_op_info *op, const suite_tests *tests,
                              innocent_share share, int differs, innocent_trial *out)
{
    cot_status status = COT_OK;
    int64_t number = 0;
    for (int64_t i = 0; i < tests->count && !status; i++) {
        const suite_test *t = &tests->at[i];
        verdict v;
        if (!is_of(t, op, share.largest) || number++ % share.every != share.offset % share.every)
            continue;
        int compared = is_compared(out, differs);
        out->compared += compared;
        status = judge_case(&seats[compared], &t->c, &v);
        take(out, t, who, &v);
    }
    return status;
}

cot_status innocent_try(const innocent *v, const cot_op_info *op, const suite_tests *tests, innocent_share share,
                        int differs, innocent_trial *out)
{
    court seats[2] = { { 0 } }; /* up to what it promises; and compared with the reference */
    cot_error error;
    char name[80];
    *out = (innocent_trial){ 0 };
    snprintf(name, sizeof name, "innocent:%s", v->name);
    cot_status status = court_open(&seats[0], name, NULL, NULL, promised(v), &error);
    if (!status)
        status = court_open(&seats[1], name, NULL, "ref", LEVEL_X, &error);
    if (!status)
        status = judge_share(seats, v, op, tests, share, differs, out);
    court_close(&seats[0]);
    court_close(&seats[1]);
    return status;
}

int is_acquitted(const innocent_trial *t) { return t->tried > 0 && !t->accused; }
