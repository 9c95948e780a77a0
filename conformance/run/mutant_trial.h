/* Whether the suite catches a mutant. */
#ifndef COT_MUTANT_TRIAL_H
#define COT_MUTANT_TRIAL_H

#include "conformance/judge/judge.h"
#include "conformance/mutant/mutant.h"
#include "conformance/clause/suite_tests.h"

typedef struct mutant_trial {
    const suite_test *caught; /* the first test of its clause that fails it, under a clause that its row has; or NULL */
    const suite_test *elsewhere; /* that test, where the clause that it names is none of them */
    int64_t tried;
    int blames; /* tests that failed it before that, under clauses that its row has not */
    verdict v;
} mutant_trial;

/* Judges it by the tests of its clause, whose scope is given, and of an op (NULL: of any), until one fails it. Not
 * COT_OK: it could not be opened. */
cot_status mutant_try(const mutant *m, const char *scope, const cot_op_info *op, const suite_tests *tests,
                      mutant_trial *trial);

/* Judges it at level B as one is judged that promises nothing, by the same tests and a share of the others, until one
 * fails it for whatever clause: `caught`, and the rest of the trial stays empty. */
cot_status mutant_try_unclaimed(const mutant *m, const char *scope, const cot_op_info *op, const suite_tests *tests,
                                mutant_trial *trial);

/* A backend without a defect ("ref", "mutant:none") on one test. */
cot_status control_try(const char *backend, const suite_test *test, verdict *v);

#endif
