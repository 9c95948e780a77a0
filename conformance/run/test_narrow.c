/* A bound that holds for every order is loose on a long line, and an accumulator of f16 or bf16 behind results of f32
 * or f64 must not slip through it: each is caught at level B on long lines alone, in every op that sums, though it
 * promises nothing. */
#include "conformance/clause/scope.h"
#include "conformance/clause/suite_tests.h"
#include "conformance/mutant/mutant.h"
#include "conformance/tap/tap.h"
#include "court.h"

#include <stdio.h>

enum { LONG = 2048, MOST_CELLS = 1 << 18 }; /* terms of a sum; cells of a case that is tried */

static int is_long(const suite_test *t, const cot_op_info *op, cot_element element)
{
    const cot_desc *d = &t->c.desc;
    return d->op == op->op && d->element == element && !t->forward && !t->c.bad[0].row && d->shape[d->axis] > LONG
           && t->cells <= MOST_CELLS;
}

/* The case that catches it; NULL: none of the quick range does. */
static const suite_test *catcher(const char *backend, const cot_op_info *op, cot_element element,
                                 const suite_tests *tests, int *tried)
{
    court seat;
    cot_error error;
    const suite_test *found = NULL;
    if (court_open(&seat, backend, NULL, NULL, LEVEL_B, &error))
        BAIL_OUT("%s: %s", backend, error.message);
    seat.unclaimed = 1;
    for (int64_t i = 0; i < tests->count && !found; i++) {
        verdict v;
        if (!is_long(&tests->at[i], op, element))
            continue;
        ++*tried;
        if (!judge_case(&seat, &tests->at[i].c, &v) && v.failed && v.failed_at <= LEVEL_B)
            found = &tests->at[i];
    }
    court_close(&seat);
    return found;
}

static void test_mutant(const char *name, const suite_tests *tests)
{
    const mutant *m = mutant_find(name);
    const cot_op_info *op;
    char backend[80];
    if (!ok(m != NULL, "there is a mutant %s", name))
        return;
    snprintf(backend, sizeof backend, "mutant:%s", name);
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F32; e <= COT_F64 && scope_names(m->ops, op); e++) {
            int tried = 0;
            const suite_test *by = catcher(backend, op, (cot_element)e, tests, &tried);
            ok(by != NULL, "%s in %s %s: caught after %d by %s", name, op->name, cot_element_name((cot_element)e),
               tried, by ? by->id : "none");
        }
}

/* Without a defect the same lines pass, promises or none. */
static void test_right(const suite_tests *tests)
{
    const cot_op_info *op;
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        if (op->kind != COT_KIND_NONE) {
            int tried = 0;
            const suite_test *by = catcher("ref", op, COT_F32, tests, &tried);
            ok(!by && tried, "the reference passes %d of them in %s%s%s", tried, op->name, by ? ", not " : "",
               by ? by->id : "");
        }
}

int main(void)
{
    static const char *const narrow[] = {
        "sums_in_f16",    "sums_in_bf16",    "scans_in_f16",      "scans_in_bf16",
        "winners_in_f16", "winners_in_bf16", "recurrence_in_f16", "recurrence_in_bf16"
    };
    suite_tests tests;
    plan(NO_PLAN);
    if (suite_tests_list(&(case_range){ 0 }, NULL, &tests))
        BAIL_OUT("out of memory");
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        test_mutant(narrow[i], &tests);
    test_right(&tests);
    suite_tests_free(&tests);
    judge_end();
    return done_testing();
}
