/* What tests what: a clause's cases by tests.def, its mutants by mutants.def, and who of them is caught. */
#ifndef COT_COVERAGE_H
#define COT_COVERAGE_H

#include "cases.h"
#include "judge.h"
#include "mutant.h"

/* A test of the suite: a case, or a line of a forward operation. */
typedef struct suite_test {
    test_case c;
    int forward;
    int64_t cells;
    char id[CASE_ID_SIZE + 8]; /* "forward:..." */
} suite_test;

const char *clause_tests(const char *clause); /* globs, separated by spaces; NULL where there are none */
int globs_match(const char *globs, const char *id);

/* Whether a test is one of a clause: it matches, and its op is in the scope. */
int test_of_clause(const suite_test *t, const char *clause, const char *scope);

/* The suite's tests, small ones first; those that `without` matches are left out (NULL: none). NULL: out of memory. */
typedef struct suite_tests {
    suite_test *at;
    int64_t count;
} suite_tests;

int suite_tests_list(const case_range *range, const char *without, suite_tests *list); /* 0, or -1: out of memory */
void suite_tests_free(suite_tests *list);

/* A mutant on trial. */
typedef struct catch {
    const suite_test *by; /* the first test of its clause that fails it as its row says, or NULL */
    const suite_test *elsewhere; /* the first that fails it with a clause that its row does not have, and that clause */
    const char *as;
    int64_t tried;
    verdict v;
} catch;

/* Judges the mutant by its clause's tests, at most `most` of them. A status where it could not be opened. */
cot_status mutant_catch(const mutant *m, const char *scope, const suite_tests *list, int64_t most, catch *out);

/* The honest reference (or "mutant:none") on one of the tests. */
cot_status judge_honestly(const char *backend, const suite_test *t, verdict *v);

#endif
