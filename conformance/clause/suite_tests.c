/* Lists the tests of the suite, and matches their ids with the globs of a clause. */
#include "suite_tests.h"
#include "conformance/case/generate.h"
#include "scope.h"
#include "core/formula/spec.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TESTS(clause_, globs_) { clause_, globs_ },
static const struct {
    const char *clause, *globs;
} tests[] = {
#include "tests.def"
};

const char *tested_clause_at(int index)
{
    return index >= 0 && index < (int)(sizeof tests / sizeof *tests) ? tests[index].clause : NULL;
}

const char *clause_globs(const char *clause)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(tests[i].clause, clause))
            return tests[i].globs;
    return NULL;
}

static int same_kind(const char *glob, const char *id, const char *mark)
{
    return !strstr(glob, mark) == !strstr(id, mark);
}

static int globs_match(const char *globs, const char *id)
{
    char glob[CASE_ID_SIZE];
    for (const char *at = globs + strspn(globs, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        snprintf(glob, sizeof glob, "%.*s", (int)length, at);
        at += length;
        if (same_kind(glob, id, "forward:") && same_kind(glob, id, "bad=")
            && !fnmatch(glob, id, strchr(glob, '/') ? FNM_PATHNAME : 0))
            return 1;
    }
    return 0;
}

int test_of_clause(const suite_test *t, const char *clause, const char *scope)
{
    const char *globs = clause_globs(clause);
    return globs && scope_names(scope, cot_op_get(t->c.desc.op)) && globs_match(globs, t->id);
}

/* ---- forward operations ---------------------------------------------------------------------- */

static int visit_line(test_case c, int32_t n, int (*visit)(void *self, const test_case *c), void *self)
{
    int stop = 0;
    c.desc.shape[0] = n;
    for (c.generator = 0; generator_at(c.generator) && !stop; c.generator++) {
        if (n > COT_TILE && c.generator % 4 != (int)c.desc.element - COT_F16) /* the types take turns */
            continue;
        c.desc.correction = c.generator % 3; /* past n at the short lines: VAR-CLAMP's m */
        for (c.desc.reverse = 0; c.desc.reverse <= (cot_op_get(c.desc.op)->family == COT_SCAN) && !stop;
             c.desc.reverse++)
            stop = visit(self, &c);
    }
    return stop;
}

int forward_visit(const case_range *range, int (*visit)(void *self, const test_case *c), void *self)
{
    static const int32_t lengths[] = { 0, 1, 5, 33, 2100 };
    const cot_op_info *op;
    int stop = 0;
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths && !stop; l++)
                if (range_has_op(range, op) && range_has_element(range, (cot_element)e))
                    stop = visit_line(
                        (test_case){ .desc = { COT_SIZED(cot_desc), .op = op->op, .element = (cot_element)e, .rank = 1,
                                               .param = cot_op_takes(op, COT_TAKES_PARAM) ? 0.3 : 0 },
                                     .seed = 5 },
                        lengths[l], visit, self);
    return stop;
}

/* ---- the list -------------------------------------------------------------------------------- */

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
    *t = (suite_test){ .c = *c, .forward = to->forward, .cells = cot_cell_count(c->desc.rank, c->desc.shape) };
    snprintf(t->id, sizeof t->id, "%s%s", to->forward ? "forward:" : "", id);
    list->count += !(to->without && globs_match(to->without, t->id));
    return 0;
}

static int64_t effort(const suite_test *t) /* what has no cells shows little, and comes late */
{
    return t->cells ? t->cells : 256;
}

static int by_effort(const void *a, const void *b)
{
    const suite_test *s = a, *t = b;
    if (effort(s) != effort(t))
        return effort(s) < effort(t) ? -1 : 1;
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
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_effort);
    return failed;
}

void suite_tests_free(suite_tests *list)
{
    free(list->at);
    *list = (suite_tests){ 0 };
}
