/* An innocent on the tests of an op. */
#include "innocent_trial.h"
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

static void take(innocent_trial *out, const suite_test *t, level upto, const verdict *v)
{
    out->tried++;
    out->cells += v->cells;
    out->unjudged += v->unjudged_cells;
    out->worst = v->worst > out->worst ? v->worst : out->worst;
    if (v->failed && v->failed_at > upto) {
        out->differs = out->differs ? out->differs : t;
    } else if (v->failed) {
        out->accused++;
        if (out->shown < ACCUSATIONS)
            out->at[out->shown++] = (struct accusation){ t, *v };
    }
}

static cot_status judge_share(court seats[2], level upto, const cot_op_info *op, const suite_tests *tests,
                              innocent_share share, int differs, innocent_trial *out)
{
    cot_status status = COT_OK;
    int64_t number = 0;
    for (int64_t i = 0; i < tests->count && !status; i++) {
        const suite_test *t = &tests->at[i];
        verdict v;
        if (!is_of(t, op, share.largest) || number++ % share.every != share.offset % share.every)
            continue;
        status = judge_case(&seats[!differs && !out->differs], &t->c, &v);
        take(out, t, upto, &v);
    }
    return status;
}

cot_status innocent_try(const innocent *v, const cot_op_info *op, const suite_tests *tests, innocent_share share,
                        int differs, innocent_trial *out)
{
    court seats[2] = { { 0 } }; /* up to what it promises; and compared with the reference */
    cot_error error;
    char name[80];
    level upto = promised(v);
    *out = (innocent_trial){ 0 };
    snprintf(name, sizeof name, "innocent:%s", v->name);
    cot_status status = court_open(&seats[0], name, NULL, NULL, upto, &error);
    if (!status)
        status = court_open(&seats[1], name, NULL, "ref", LEVEL_X, &error);
    if (!status)
        status = judge_share(seats, upto, op, tests, share, differs, out);
    court_close(&seats[0]);
    court_close(&seats[1]);
    return status;
}

int is_acquitted(const innocent_trial *t) { return t->tried > 0 && !t->accused; }
