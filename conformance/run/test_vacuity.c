/* A pass on a long line means that its cells were judged: backends that give nothing, or that lose what lies beyond
 * 65,536 terms, are caught by a case of the quick range at level B, against truth alone and though they promise
 * nothing, in every op that sums and in every type. The same cases pass without a fault. */
#include "conformance/case/generate_exact.h"
#include "conformance/clause/scope.h"
#include "conformance/clause/suite_tests.h"
#include "conformance/describe/describe.h"
#include "conformance/tap/tap.h"
#include "court.h"
#include "conformance/mutant/mutant.h"
#include "unchecked.h"

#include <stdio.h>
#include <string.h>

enum { REACH = 65536 }; /* terms that these mutants sum, or whose sum they forget then */

/* Its case with a sum that is the same in every order. */
static const suite_test *long_test(const suite_tests *tests, const cot_op_info *op, cot_element element)
{
    for (int64_t i = 0; i < tests->count; i++) {
        const test_case *c = &tests->at[i].c;
        if (c->desc.op == op->op && c->desc.element == element && c->desc.shape[c->desc.axis] > REACH
            && c->generator == exact_generator(op->op) && tests->at[i].cells <= 2 * REACH)
            return &tests->at[i];
    }
    return NULL;
}

/* As a backend is judged that claims nothing. */
static int fails(const char *backend, const test_case *c, verdict *v)
{
    court seat;
    cot_error error;
    if (court_open(&seat, backend, "threads=1", NULL, LEVEL_B, &error))
        BAIL_OUT("%s: %s", backend, error.message);
    seat.unclaimed = 1;
    judge_case(&seat, c, v);
    fail_unchecked(c, v);
    court_close(&seat);
    return v->failed;
}

static void test_caught(const mutant *m, const suite_test *t)
{
    char name[80];
    verdict v;
    snprintf(name, sizeof name, "mutant:%s", m->name);
    int failed = fails(name, &t->c, &v);
    ok(failed && *v.clause, "%s in %s: %s, and is caught as %s", name, t->id, m->about, failed ? v.clause : "nothing");
}

static void test_right(const suite_test *t)
{
    verdict v;
    char why[WHY_SIZE] = "";
    int failed = fails("mutant:none", &t->c, &v);
    ok(!failed && v.cells, "the reference passes %s", t->id);
    if (failed)
        describe_why(&v, why);
    if (failed)
        diag("%s", why);
}

/* What is nothing but zeros, or a constant, shows in one type. */
static int has_turn(int which, const cot_op_info *op, cot_element element)
{
    return which >= 2 || (int)op->op % 4 == (int)element - COT_F16;
}

static void test_type(const cot_op_info *op, cot_element element, const suite_tests *tests)
{
    const mutant *m;
    const suite_test *t = long_test(tests, op, element);
    if (!ok(t != NULL, "%s %s has a case with a long sum that is known", op->name, cot_element_name(element)))
        return;
    test_right(t);
    for (int k = 0; (m = vacuous_at(k)); k++)
        if (scope_names(m->ops, op) && has_turn(k, op, element))
            test_caught(m, t);
}

int main(void)
{
    const cot_op_info *op;
    suite_tests tests;
    plan(NO_PLAN);
    if (suite_tests_list(&(case_range){ 0 }, NULL, &tests))
        BAIL_OUT("out of memory");
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        int sums = scope_names(vacuous_at(0)->ops, op);
        ok(sums == (op->kind != COT_KIND_NONE), "%s has %s sum", op->name, sums ? "a" : "no");
        for (int e = COT_F16; e <= COT_F64 && sums; e++)
            test_type(op, (cot_element)e, &tests);
    }
    suite_tests_free(&tests);
    judge_end();
    return done_testing();
}
