/* Whether the suite catches a mutant. */
#ifndef COT_MUTANT_TRIAL_H
#define COT_MUTANT_TRIAL_H

#include "judge.h"
#include "mutant.h"
#include "suite_tests.h"

typedef struct mutant_trial {
    const suite_test *caught;    /* by the first test of its clause that fails it as its row says; or NULL */
    const suite_test *elsewhere; /* the first that fails it, but by a clause that its row does not have; and that clause */
    const char *blamed;
    int64_t tried;
    verdict v;
} mutant_trial;

/* Judges it by the tests of its clause, whose scope is given, and of an op (NULL: of any), until it is caught. Not COT_OK: it could
 * not be opened. */
cot_status mutant_try(const mutant *m, const char *scope, const cot_op_info *op, const suite_tests *tests, mutant_trial *trial);

/* An honest backend ("ref", "mutant:none") on one test. */
cot_status honest_try(const char *backend, const suite_test *test, verdict *v);

#endif
