/* A pass on a long line means that its cells were judged: backends that give nothing, or that lose what lies beyond
 * 65,536 terms, are caught at level B against truth alone, in every op that sums. The same numbers without a fault
 * pass. */
#include "conformance/clause/scope.h"
#include "conformance/describe/describe.h"
#include "conformance/tap/tap.h"
#include "court.h"
#include "conformance/mutant/mutant.h"
#include "unchecked.h"

#include <stdio.h>
#include <string.h>

/* In the first ones an order of sums cannot hide anything; in the others a bound that is loose could. `falling` keeps
 * one winner through a whole line. */
static const char *const generators[] = { "exactlogs", "exactpowers", "exactbalanced", "integers", "falling" };
enum { GENERATORS = sizeof generators / sizeof *generators };

static int judge_on(const char *backend, const cot_op_info *op, const char *generator, verdict *v)
{
    char id[CASE_ID_SIZE], why[CASE_ID_SIZE];
    court seat;
    cot_error error;
    test_case c;
    snprintf(id, sizeof id, "%s/f32/131072/0/contig/%s/1", op->name, generator);
    if (case_parse(id, &c, why))
        BAIL_OUT("%s: %s", id, why);
    if (court_open(&seat, backend, NULL, NULL, LEVEL_B, &error))
        BAIL_OUT("%s: %s", backend, error.message);
    judge_case(&seat, &c, v);
    fail_unchecked(&c, v);
    court_close(&seat);
    return v->failed;
}

static void test_caught(const mutant *m, const cot_op_info *op)
{
    char name[80];
    verdict v;
    const char *by = NULL;
    snprintf(name, sizeof name, "mutant:%s", m->name);
    for (int g = 0; g < GENERATORS && !by; g++)
        by = judge_on(name, op, generators[g], &v) && *v.clause ? generators[g] : NULL;
    ok(by != NULL, "%s in %s: %s, and is caught by %s as %s", name, op->name, m->about, by ? by : "nothing",
       by ? v.clause : "nothing");
}

static void test_honest(const cot_op_info *op)
{
    verdict v;
    char why[WHY_SIZE] = "";
    int failed = 0;
    for (int g = 0; g < GENERATORS && !failed; g++)
        if ((failed = judge_on("mutant:none", op, generators[g], &v)))
            describe_why(&v, why);
    ok(!failed, "the reference passes them in %s", op->name);
    if (failed)
        diag("%s", why);
}

int main(void)
{
    const cot_op_info *op;
    const mutant *m;
    plan(NO_PLAN);
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        int sums = 0;
        for (int k = 0; (m = vacuous_at(k)); k++)
            if (scope_names(m->ops, op)) {
                sums = 1;
                test_caught(m, op);
            }
        if (sums)
            test_honest(op);
        else
            ok(!op->order, "%s has no sum", op->name);
    }
    judge_end();
    return done_testing();
}
