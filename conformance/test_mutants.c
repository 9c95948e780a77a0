/* Every mutant is caught by a test of the clause that it breaks, and the reference is not; every clause has a test and a mutant.
 * usage: test_mutants [PART PARTS]: only that part of the mutants. */
#include "clauses.h"
#include "coverage.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const char *scope_of(const char *clause_id)
{
    const clause *c;
    for (int i = 0; (c = clause_at(i)); i++)
        if (!strcmp(c->id, clause_id))
            return c->scope;
    return NULL;
}

static void check_mutant(const mutant *m, const suite_tests *list)
{
    catch c;
    verdict honest = { .failed = 1 }, wrapped = { .failed = 1 };
    const char *scope = scope_of(m->clause);
    if (!ok(scope != NULL, "mutant:%s breaks a clause of the spec, %s", m->name, m->clause))
        return;
    cot_status status = mutant_catch(m, scope, list, getenv("MOST") ? atoi(getenv("MOST")) : INT64_MAX, &c);
    if (c.by) {
        judge_honestly("ref", c.by, &honest);
        judge_honestly("mutant:none", c.by, &wrapped);
    }
    ok(!status && c.by && !honest.failed && !wrapped.failed, "mutant:%s %s tried=%lld by %s", m->name, m->clause, (long long)c.tried,
       c.by ? c.by->id : "none");
    if (!c.by)
        diag("%s: %s%s%s", m->about, c.elsewhere ? c.as : "not caught at all", c.elsewhere ? " at " : "", c.elsewhere ? c.elsewhere->id : "");
    else
        diag("%s", c.v.why);
}

int main(int argc, char **argv)
{
    suite_tests list;
    const mutant *m;
    int part = argc > 2 ? atoi(argv[1]) : 0, parts = argc > 2 ? atoi(argv[2]) : 1;
    const char *only = argc == 2 ? argv[1] : NULL;
    plan(NO_PLAN);
    if (suite_tests_list(&(case_range){ 0 }, NULL, &list))
        BAIL_OUT("out of memory");
    for (int i = 0; (m = mutant_at(i)); i++)
        if (only ? !strcmp(only, m->name) : i % parts == part)
            check_mutant(m, &list);
    suite_tests_free(&list);
    judge_end();
    return done_testing();
}
