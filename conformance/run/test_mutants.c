/* Every mutant is caught in every op that it breaks, by a test of its clause, and one of the first three tests that
 * fail it names a clause that its row has: where a few cells cannot tell one defect from another it may be the second
 * or the third, which is printed. The reference passes those same tests. Every clause has a test and a mutant. Without
 * a clause's tests this fails.
 *
 * usage: test_mutants [NAME...]
 *
 * Under sanitizers, which make it slow, it tries a sample: they look at memory, and mutants share most of theirs. */
#include "conformance/clause/clauses.h"
#include "conformance/describe/describe.h"
#include "mutant_trial.h"
#include "conformance/clause/scope.h"
#include "conformance/tap/tap.h"

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

/* ---- mutants --------------------------------------------------------------------------------- */

static void say_why(const char *what, const verdict *v)
{
    char why[WHY_SIZE];
    describe_why(v, why);
    diag("%s: %s", what, why);
}

/* Large tests catch many mutants: what the reference has passed it need not pass again. */
static int was_passed(const suite_test *t, int now)
{
    enum { REMEMBERED = 4096 };
    static const suite_test *passed[REMEMBERED];
    const suite_test **at = &passed[(uintptr_t)t / sizeof *t % REMEMBERED];
    *at = now ? t : *at;
    return *at == t;
}

/* Both the reference and the reference behind the mutants' machinery. */
static int passes_without_defect(const suite_test *t)
{
    verdict reference, behind;
    if (was_passed(t, 0))
        return 1;
    if (control_try("ref", t, &reference) || control_try("mutant:none", t, &behind))
        return 0;
    if (reference.failed || behind.failed)
        say_why("the reference fails it too", reference.failed ? &reference : &behind);
    return !reference.failed && !behind.failed && was_passed(t, 1);
}

static int is_caught(const mutant *m, const cot_op_info *op, const suite_tests *tests, mutant_trial *t)
{
    *t = (mutant_trial){ 0 };
    return !mutant_try(m, find_clause(m->clause)->scope, op, tests, t) && t->caught && passes_without_defect(t->caught);
}

static void report(const mutant *m, const char *where, int caught, const mutant_trial *t)
{
    ok(caught, "mutant:%s in %s, %s: after %lld by %s as %s", m->name, where, m->clause, (long long)t->tried,
       t->caught ? t->caught->id : "none", t->caught ? t->v.clause : "nothing");
    if (t->caught && t->elsewhere)
        diag("as the clause of its row by test %d of those that fail it, not yet by %s", t->blames + 1,
             t->elsewhere->id);
    if (!t->caught && t->elsewhere)
        diag("%s: blamed on %s at %s", m->about, t->v.clause, t->elsewhere->id);
    else if (!t->caught)
        diag("%s: not caught at all", m->about);
}

/* What is refused is the same in every op: one that shows it is enough. */
static void check_mutant(const mutant *m, const suite_tests *tests)
{
    const cot_op_info *op;
    const clause *c = find_clause(m->clause);
    mutant_trial t = { 0 };
    if (!c) {
        fail("mutant:%s breaks a clause of the spec, %s", m->name, m->clause);
        return;
    }
    if (m->check) {
        int caught = is_caught(m, NULL, tests, &t);
        report(m, "any op", caught, &t);
    }
    for (size_t i = 0; (op = cot_op_at(i)) && !m->check; i++)
        if (scope_names(m->ops, op)) {
            int caught = scope_names(c->scope, op) && is_caught(m, op, tests, &t);
            report(m, op->name, caught, &t);
        }
}

/* The machinery that recomputes lines must give the reference's bits where it has no defect. */
static void check_controls(const suite_tests *tests)
{
    const mutant *m;
    for (int i = 0; (m = control_at(i)); i++) {
        mutant_trial t;
        mutant_try(m, m->ops, NULL, tests, &t);
        ok(t.tried > 100 && !t.caught && !t.elsewhere, "mutant:%s passes %lld tests: it is not broken", m->name,
           (long long)t.tried);
        if (t.caught || t.elsewhere)
            say_why(t.caught ? t.caught->id : t.elsewhere->id, &t.v);
    }
}

/* ---- clauses --------------------------------------------------------------------------------- */

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
    const char *id;
    for (int i = 0; (c = clause_at(i)); i++)
        ok(has_test(c, tests) && has_mutant(c), "%s has a test and a mutant", c->id);
    for (int i = 0; (id = tested_clause_at(i)); i++)
        ok(find_clause(id) != NULL, "tests.def: %s is a clause of the spec", id);
}

/* What this test would say if the cases of a clause were gone. */
static void check_removal(const char *clause_id, const char *mutant_name)
{
    suite_tests fewer;
    mutant_trial t;
    const clause *c = find_clause(clause_id);
    if (suite_tests_list(&(case_range){ 0 }, clause_globs(clause_id), &fewer))
        BAIL_OUT("out of memory");
    ok(!has_test(c, &fewer), "without its cases %s has no test", clause_id);
    ok(!is_caught(mutant_find(mutant_name), NULL, &fewer, &t), "and mutant:%s is not caught", mutant_name);
    suite_tests_free(&fewer);
}

/* Every so many mutants are tried. */
static int stride(void)
{
    const char *flags = getenv("SANITIZE");
    return flags && *flags ? 17 : 1;
}

int main(int argc, char **argv)
{
    suite_tests tests;
    const mutant *m;
    plan(NO_PLAN);
    if (suite_tests_list(&(case_range){ 0 }, NULL, &tests))
        BAIL_OUT("out of memory");
    for (int i = 1; i < argc; i++)
        if (ok((m = mutant_find(argv[i])) != NULL, "mutant:%s", argv[i]))
            check_mutant(m, &tests);
    for (int i = 0; argc == 1 && (m = mutant_at(i)); i++)
        if (i % stride() == 0)
            check_mutant(m, &tests);
    if (argc == 1 && stride() == 1)
        check_controls(&tests);
    if (argc == 1) {
        check_clauses(&tests);
        check_removal("MAX-TIE", "max_tie_split");
        check_removal("SCAN-REVERSE", "reverse_ignored");
        check_removal("VALID-LENGTH", "length_unchecked");
        check_removal("FWD-EMPTY", "forward_nothing_is_zero");
    }
    suite_tests_free(&tests);
    judge_end();
    return done_testing();
}
