#include "mutant_trial.h"
#include "judge_forward.h"
#include "scope.h"

#include <stdio.h>
#include <string.h>

static cot_status forward_of(const void *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    const mutant *m = self;
    return m->forward(m, desc, args, error);
}

static cot_status judge_test(const court *seat, const mutant *m, const suite_test *t, verdict *v)
{
    if (!t->forward)
        return judge_case(seat, &t->c, v);
    return judge_forward(m && m->forward ? forward_of : NULL, m, &t->c, v);
}

static int expected(const mutant *m, const char *clause)
{
    return !strcmp(m->clause, clause) || scope_mentions(m->also, clause);
}

/* Tests that may pass it, and fail it for another reason, before it counts as not caught; cells of a test that is worth it. */
enum { PATIENCE = 2500, BLAMES = 40, LARGEST = 5000 };

static int is_worth(const suite_test *t, const mutant *m, const cot_op_info *op)
{
    const cot_op_info *own = cot_op_get(t->c.desc.op);
    return t->cells <= LARGEST && t->forward == !!m->forward && (!op || op == own) && scope_names(m->ops, own);
}

cot_status mutant_try(const mutant *m, const char *scope, const cot_op_info *op, const suite_tests *tests, mutant_trial *out)
{
    court seat;
    cot_error error;
    char name[80];
    int blames = 0;
    snprintf(name, sizeof name, "mutant:%s", m->name);
    *out = (mutant_trial){ 0 };
    cot_status status = court_open(&seat, m->forward ? "ref" : name, NULL, "ref", LEVEL_X, &error);
    for (int64_t i = 0; i < tests->count && !status && !out->caught && out->tried < PATIENCE && blames < BLAMES; i++) {
        const suite_test *t = &tests->at[i];
        if (!is_worth(t, m, op) || !test_of_clause(t, m->clause, scope))
            continue;
        out->tried++;
        judge_test(&seat, m, t, &out->v);
        if (out->v.failed && expected(m, out->v.clause))
            out->caught = t;
        else if (out->v.failed && !blames++)
            out->elsewhere = t, out->blamed = out->v.clause;
    }
    court_close(&seat);
    return status;
}

cot_status honest_try(const char *backend, const suite_test *t, verdict *v)
{
    court seat;
    cot_error error;
    cot_status status = court_open(&seat, backend, NULL, "ref", LEVEL_X, &error);
    if (!status)
        status = judge_test(&seat, NULL, t, v);
    court_close(&seat);
    return status;
}
