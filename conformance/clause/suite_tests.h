/* The tests of the suite, and which clauses they are of (tests.def). */
#ifndef COT_SUITE_TESTS_H
#define COT_SUITE_TESTS_H

#include "conformance/case/cases.h"

/* A case, or a line of a forward operation. */
typedef struct suite_test {
    test_case c;
    int forward;
    int64_t cells;
    char id[CASE_ID_SIZE + 8]; /* "forward:..." */
} suite_test;

typedef struct suite_tests {
    suite_test *at;
    int64_t count;
} suite_tests;

/* All of them, small ones first, but for those whose id a glob in `without` matches (NULL: none). 0, or -1: out of
 * memory. */
int suite_tests_list(const case_range *range, const char *without, suite_tests *list);
void suite_tests_free(suite_tests *list);

const char *tested_clause_at(int index); /* the rows of tests.def; NULL past the last */
const char *
clause_globs(const char *clause); /* of the ids of its tests, separated by spaces; NULL where there are none */

/* Whether a test is one of a clause: a glob of the clause matches, and its op is in the clause's scope. */
int test_of_clause(const suite_test *t, const char *clause, const char *scope);

/* Calls `visit` for the forward operations' lines, which are cases of one dimension, as cases_visit does. */
int forward_visit(const case_range *range, int (*visit)(void *self, const test_case *c), void *self);

#endif
