/* Every mutant is caught, by a test of the clause that it breaks and under a clause that its row has, and the reference is not;
 * every clause has a test and a mutant; and without a clause's tests all this fails.
 *
 * usage: test_mutants [NAME] or test_mutants PART PARTS: one mutant, or part of them. */
#include "clauses.h"
#include "mutant_trial.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const clause *find_clause(const char *id)
{
    const clause *c;
    for (int i = 0; (c = clause_at(i)); i++)
        if (!strcmp(c->id, id))
            return c;
    return NULL;
}

/* ---- mutants ------------------------------------------------------------------------------------------------------------ */

/* Not 0: caught, and two honest backends pass where it was. */
static int is_caught(const mutant *m, const suite_tests *tests, mutant_trial *trial)
{
    verdict honest, behind;
    const clause *c = find_clause(m->clause);
    *trial = (mutant_trial){ 0 };
    if (!c || mutant_try(m, c->scope, tests, trial) || !trial->caught)
        return 0;
    if (honest_try("ref", trial->caught, &honest) || honest_try("mutant:none", trial->caught, &behind))
        return 0;
    if (honest.failed || behind.failed)
        diag("the reference fails it too: %s", honest.failed ? honest.why : behind.why);
    return !honest.failed && !behind.failed;
}

static void check_mutant(const mutant *m, const suite_tests *tests)
{
    mutant_trial t;
    int caught = is_caught(m, tests, &t);
    ok(caught, "mutant:%s %s after=%lld by %s as %s", m->name, m->clause, (long long)t.tried, t.caught ? t.caught->id : "none",
       t.caught ? t.v.clause : "nothing");
    if (!t.caught && t.elsewhere)
        diag("%s: blamed on %s at %s", m->about, t.blamed, t.elsewhere->id);
    else if (!t.caught)
        diag("%s: not caught at all", m->about);
}

/* ---- clauses ------------------------------------------------------------------------------------------------------------- */

static int has_test(const clause *c, const suite_tests *tests)
{
    for (int64_t i = 0; i < tests->count; i++)
        if (test_of_clause(&tests->at[i], c->id, c->scope))
            return 1;
    return 0;
}

static int has_mutant(const clause *c)
{
    const mutant *m;
    for (int i = 0; (m = mutant_at(i)); i++)
        if (!strcmp(m->clause, c->id))
            return 1;
    return 0;
}

static void check_clauses(const suite_tests *tests)
{
    const clause *c;
    for (int i = 0; (c = clause_at(i)); i++)
        ok(has_test(c, tests) && has_mutant(c), "%s has a test and a mutant", c->id);
}

/* What this test would say if the tests that a glob matches were gone. */
static void check_removal(const char *clause_id, const char *mutant_name)
{
    suite_tests fewer;
    mutant_trial t;
    const clause *c = find_clause(clause_id);
    if (suite_tests_list(&(case_range){ 0 }, clause_globs(clause_id), &fewer))
        BAIL_OUT("out of memory");
    ok(!has_test(c, &fewer), "without its cases %s has no test", clause_id);
    ok(!is_caught(mutant_find(mutant_name), &fewer, &t) && t.tried == 0, "and mutant:%s is not caught", mutant_name);
    suite_tests_free(&fewer);
}

int main(int argc, char **argv)
{
    suite_tests tests;
    const mutant *m;
    int part = argc > 2 ? atoi(argv[1]) : 0, parts = argc > 2 ? atoi(argv[2]) : 1;
    plan(NO_PLAN);
    if (suite_tests_list(&(case_range){ 0 }, NULL, &tests))
        BAIL_OUT("out of memory");
    for (int i = 0; (m = mutant_at(i)); i++)
        if (argc == 2 ? !strcmp(argv[1], m->name) : i % parts == part)
            check_mutant(m, &tests);
    if (argc != 2 && part == 0) {
        check_clauses(&tests);
        check_removal("MAX-TIE", "max_tie_split");
        check_removal("FWD-EMPTY", "forward_nothing_is_zero");
    }
    suite_tests_free(&tests);
    judge_end();
    return done_testing();
}
