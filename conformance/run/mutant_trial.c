/* A mutant on the tests of its clause, until one fails it and names a clause that its row has. */
#include "mutant_trial.h"
#include "court.h"
#include "conformance/judge/judge_forward.h"
#include "conformance/clause/scope.h"

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

/* Tests that may pass it, and that may fail it for another clause, because a few cells cannot tell one defect from
 * another, before it counts as not caught; cells of a test that is worth it. */
enum { PATIENCE = 2500, BLAMES = 3, LARGEST = 5000 };

static int is_worth(const suite_test *t, const mutant *m, const cot_op_info *op)
{
    const cot_op_info *own = cot_op_get(t->c.desc.op);
    if (m->where ? !m->where(m, &t->c.desc) : t->cells > LARGEST)
        return 0;
    return t->forward == !!m->forward && (!op || op == own) && scope_names(m->ops, own);
}

cot_status mutant_try(const mutant *m, const char *scope, const cot_op_info *op, const suite_tests *tests,
                      mutant_trial *out)
{
    court seat;
    cot_error error;
    char name[80];
    snprintf(name, sizeof name, "mutant:%s", m->name);
    *out = (mutant_trial){ 0 };
    cot_status status = court_open(&seat, m->forward ? "ref" : name, NULL, "ref", LEVEL_X, &error);
    for (int64_t i = 0; i < tests->count && !status && !out->caught && out->tried < PATIENCE && out->blames < BLAMES;
         i++) {
        const suite_test *t = &tests->at[i];
        if (!is_worth(t, m, op) || !test_of_clause(t, m->clause, scope))
            continue;
        out->tried++;
        judge_test(&seat, m, t, &out->v);
        if (out->v.failed && expected(m, out->v.clause))
            out->caught = t;
        else if (out->v.failed && !out->blames++)
            out->elsewhere = t;
    }
    court_close(&seat);
    return status;
}

cot_status mutant_try_unclaimed(const mutant *m, const char *scope, const cot_op_info *op, const suite_tests *tests,
                                mutant_trial *out)
{
    enum { OTHERS = 8 }; /* one in so many of the tests of other clauses */
    court seat;
    cot_error error;
    char name[80];
    snprintf(name, sizeof name, "mutant:%s", m->name);
    *out = (mutant_trial){ 0 };
    cot_status status = court_open(&seat, name, "threads=1", NULL, LEVEL_B, &error);
    seat.unclaimed = 1;
    for (int64_t i = 0; i < tests->count && !status && !out->caught; i++) {
        const suite_test *t = &tests->at[i];
        if (t->c.bad[0].row || !is_worth(t, m, op) || (i % OTHERS && !test_of_clause(t, m->clause, scope)))
            continue;
        out->tried++;
        judge_case(&seat, &t->c, &out->v);
        out->caught = out->v.failed ? t : NULL;
    }
    court_close(&seat);
    return status;
}

cot_status control_try(const char *backend, const suite_test *t, verdict *v)
{
    court seat;
    cot_error error;
    cot_status status = court_open(&seat, backend, NULL, "ref", LEVEL_X, &error);
    if (!status)
        status = judge_test(&seat, NULL, t, v);
    court_close(&seat);
    return status;
}
