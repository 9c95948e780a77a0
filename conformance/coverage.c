#include "coverage.h"
#include "judge_forward.h"
#include "scope.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TESTS(clause_, globs_) { clause_, globs_ },
static const struct { const char *clause, *globs; } tests[] = {
#include "tests.def"
};
#undef TESTS

const char *clause_tests(const char *clause)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(tests[i].clause, clause))
            return tests[i].globs;
    return NULL;
}

int globs_match(const char *globs, const char *id)
{
    char glob[CASE_ID_SIZE];
    for (const char *at = globs; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        snprintf(glob, sizeof glob, "%.*s", (int)length, at);
        at += length;
        if (!strncmp(glob, "forward:", 8) == !strncmp(id, "forward:", 8) && !fnmatch(glob, id, 0))
            return 1;
    }
    return 0;
}

int test_of_clause(const suite_test *t, const char *clause, const char *scope)
{
    const char *globs = clause_tests(clause);
    return globs && scope_names(scope, cot_op_get(t->c.desc.op)) && globs_match(globs, t->id);
}

/* ---- the list -------------------------------------------------------------------------------------------------------- */

typedef struct collector {
    suite_tests *list;
    const char *without;
    int64_t room;
    int forward;
} collector;

static int collect(void *self, const test_case *c)
{
    collector *to = self;
    suite_tests *list = to->list;
    if (list->count == to->room) {
        int64_t room = to->room ? 2 * to->room : 4096;
        suite_test *more = realloc(list->at, (size_t)room * sizeof *more);
        if (!more)
            return -1;
        list->at = more;
        to->room = room;
    }
    suite_test *t = &list->at[list->count];
    char id[CASE_ID_SIZE];
    case_print(c, id);
    *t = (suite_test){ .c = *c, .forward = to->forward, .cells = 1 };
    snprintf(t->id, sizeof t->id, "%s%s", to->forward ? "forward:" : "", id);
    for (int d = 0; d < c->desc.rank; d++)
        t->cells *= c->desc.shape[d];
    list->count += !(to->without && globs_match(to->without, t->id));
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const suite_test *s = a, *t = b;
    if (s->cells != t->cells)
        return s->cells < t->cells ? -1 : 1;
    return strcmp(s->id, t->id);
}

int suite_tests_list(const case_range *range, const char *without, suite_tests *list)
{
    collector to = { .list = list, .without = without };
    *list = (suite_tests){ 0 };
    int failed = cases_visit(range, collect, &to);
    to.forward = 1;
    if (!failed)
        failed = forward_visit(range, collect, &to);
    if (failed)
        suite_tests_free(list);
    else
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_size);
    return failed;
}

void suite_tests_free(suite_tests *list)
{
    free(list->at);
    *list = (suite_tests){ 0 };
}

/* ---- trials ------------------------------------------------------------------------------------------------------------ */

static cot_status forward_of(const void *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    const mutant *m = self;
    return m->forward(m, desc, args, error);
}

static cot_status judge_test(const court *seat, const mutant *m, const suite_test *t, verdict *v)
{
    if (!t->forward)
        return judge_case(seat, &t->c, v);
    return judge_forward(m && m->forward ? forward_of : NULL, m, &t->c, v);
}

static int expected(const mutant *m, const char *clause)
{
    return !strcmp(m->clause, clause) || scope_mentions(m->also, clause);
}

cot_status mutant_catch(const mutant *m, const char *scope, const suite_tests *list, int64_t most, catch *out)
{
    court seat;
    cot_error error;
    char name[80];
    snprintf(name, sizeof name, "mutant:%s", m->name);
    *out = (catch){ 0 };
    cot_status status = court_open(&seat, m->forward ? "ref" : name, NULL, "ref", LEVEL_X, &error);
    for (int64_t i = 0; i < list->count && !status && !out->by && out->tried < most; i++) {
        const suite_test *t = &list->at[i];
        if (t->forward != !!m->forward || !scope_names(m->ops, cot_op_get(t->c.desc.op)) || !test_of_clause(t, m->clause, scope))
            continue;
        out->tried++;
        judge_test(&seat, m, t, &out->v);
        if (out->v.failed && expected(m, out->v.clause))
            out->by = t;
        else if (out->v.failed && !out->elsewhere)
            out->elsewhere = t, out->as = out->v.clause;
    }
    court_close(&seat);
    return status;
}

cot_status judge_honestly(const char *backend, const suite_test *t, verdict *v)
{
    court seat;
    cot_error error;
    cot_status status = court_open(&seat, backend, NULL, "ref", LEVEL_X, &error);
    if (!status)
        status = judge_test(&seat, NULL, t, v);
    court_close(&seat);
    return status;
}
