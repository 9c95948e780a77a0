/* Who claims nothing is judged by edges and by the bound of any order: that catches every mutant of a sum but those
 * that are right by it, whose sums have another order or are rounded otherwise. Each of these is named here with its
 * reason, and none of the others passes. */
#include "conformance/clause/clauses.h"
#include "conformance/clause/scope.h"
#include "conformance/tap/tap.h"
#include "mutant_trial.h"

#include <string.h>

#define ORDER "another order of additions"
#define ELSEWHERE "two orders of additions: level I asks for one"
#define PRODUCTS "another order of products"
#define SIGN "the sign of a sum of zeros: level X asks for it"
#define ROUNDED "rounded otherwise, which clause BOUND has room for"

/* What level B acquits by right. */
static const struct {
    const char *mutant, *reason;
} rightful[] = {
    { "fold_in_turn", ORDER },
    { "fold_untiled", ORDER },
    { "fold_missing_plus", SIGN },
    { "scan_in_turn", ORDER },
    { "scan_kogge_stone", ORDER },
    { "scan_total_last", ORDER },
    { "segments_realigned", ORDER },
    { "recurrence_in_turn", ORDER },
    { "lcse_direct", ORDER },
    { "lcse_anchor_half", ROUNDED },
    { "softmax_distributed", ROUNDED },
    { "order_by_rows", ELSEWHERE },
    { "order_by_layout", ELSEWHERE },
    { "scan_split_by_lines", ELSEWHERE },
    { "scan_by_layout", ELSEWHERE },
    { "policy_zeros_prod_of_state", PRODUCTS },
    { "policy_zeros_cumprod_of_state", PRODUCTS },
};

static const char *reason_of(const mutant *m)
{
    for (size_t i = 0; i < sizeof rightful / sizeof *rightful; i++)
        if (!strcmp(rightful[i].mutant, m->name))
            return rightful[i].reason;
    return NULL;
}

static const char *scope_of(const char *id)
{
    const clause *c;
    for (int i = 0; (c = clause_at(i)); i++)
        if (!strcmp(c->id, id))
            return c->scope;
    return "";
}

static void test_op(const cot_op_info *op, const suite_tests *tests)
{
    const mutant *m;
    int all = 0, caught = 0;
    for (int i = 0; (m = mutant_at(i)); i++) {
        mutant_trial t;
        const char *right = reason_of(m);
        if (!m->line || !scope_names(m->ops, op))
            continue;
        all++;
        int failed = !mutant_try_unclaimed(m, scope_of(m->clause), op, tests, &t) && t.caught;
        caught += failed;
        ok(failed == !right, "mutant:%s in %s: %s after %lld: %s", m->name, op->name,
           failed ? t.caught->id : "acquitted", (long long)t.tried, right ? right : m->about);
    }
    if (all)
        diag("%s: %d of %d mutants of its sum are caught though they claim nothing", op->name, caught, all);
}

int main(void)
{
    suite_tests tests;
    const cot_op_info *op;
    plan(NO_PLAN);
    if (suite_tests_list(&(case_range){ 0 }, NULL, &tests))
        BAIL_OUT("out of memory");
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        test_op(op, &tests);
    suite_tests_free(&tests);
    judge_end();
    return done_testing();
}
