/* Every innocent is acquitted in every op that it stands for, at the level that it promises; an op without a case
 * acquits nobody. And each differs from the reference: somewhere its bits are others, and the clause that is named
 * there is one that its row has.
 *
 * usage: test_innocents [--long] [I/N] [NAME...]
 *
 * Without --long it tries a share of the quick range, another one for each innocent; with it all of the quick range.
 * I/N is the I-th of N parts of the table. Under sanitizers, which make it slow, it tries every seventh row: they look
 * at memory, and innocents share the code that touches it. */
#include "conformance/clause/clauses.h"
#include "conformance/clause/scope.h"
#include "conformance/describe/describe.h"
#include "conformance/tap/tap.h"
#include "innocent_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE = 41, LARGEST = 5000, INNOCENTS_AT_LEAST = 40 };

static const innocent_share everything = { 1, 0, INT64_MAX };

static void say_accusations(const innocent_trial *t)
{
    for (int i = 0; i < t->shown; i++) {
        char why[WHY_SIZE];
        describe_why(&t->at[i].v, why);
        diag("%s at %s: %s, %.3g of its bound: %s", t->at[i].t->id, level_name(t->at[i].v.failed_at), t->at[i].v.clause,
             t->at[i].v.ratio, why);
    }
}

static void check_clauses(const innocent *v, const cot_op_info *op, const innocent_trial *t)
{
    const struct accusation *first = &t->misnaming;
    if (!ok(!t->misnamed, "innocent:%s in %s: %d that differ name a clause of its row", v->name, op->name, t->told))
        diag("%s: %s at %s, and not %s", first->t->id, first->v.clause, level_name(first->v.failed_at), v->clauses);
}

/* In one op; how many more cases tell which clause it breaks. */
static int check_op(const innocent *v, const cot_op_info *op, const suite_tests *tests, innocent_share share,
                    int *differs)
{
    innocent_trial t;
    int opened = !innocent_try(v, op, tests, share, *differs, &t);
    ok(opened && is_acquitted(&t), "innocent:%s in %s: %" PRId64 " of %" PRId64 " cases accuse it, worst %.3g", v->name,
       op->name, t.accused, t.tried, t.worst);
    say_accusations(&t);
    if (t.told)
        check_clauses(v, op, &t);
    *differs |= t.differs > 0;
    return t.told;
}

static void check_innocent(const innocent *v, int row, const suite_tests *tests, int all)
{
    innocent_share share = all ? everything : (innocent_share){ SHARE, 0, LARGEST };
    const cot_op_info *op;
    int differs = 0, told = 0, ops = 0;
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        if (scope_names(v->ops, op)) {
            share.offset = all ? 0 : 7 * row + 3 * ops++;
            told += check_op(v, op, tests, share, &differs);
        }
    ok(differs && told, "innocent:%s differs from the reference, and in enough cells to tell how", v->name);
}

/* Of a list of clauses, those that the spec has not. */
static int unknown_clauses(const char *list)
{
    int known = 0, listed = *list != 0;
    for (const char *at = list; *at; at++)
        listed += *at == ',';
    for (int i = 0; clause_at(i); i++)
        known += scope_mentions(list, clause_at(i)->id);
    return listed - known;
}

/* The table itself: enough rows, names that are told apart, clauses of the spec, and no op without an innocent. */
static void check_table(void)
{
    const innocent *v;
    const cot_op_info *op;
    int rows = 0, twice = 0, unknown = 0;
    for (; (v = innocent_at(rows)); rows++) {
        twice += innocent_find(v->name) != v;
        unknown += !*v->clauses || unknown_clauses(v->clauses);
    }
    ok(rows >= INNOCENTS_AT_LEAST && !twice, "%d innocents, %d names twice", rows, twice);
    ok(!unknown, "%d innocents break clauses that are none", unknown);
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        int count = 0;
        for (int row = 0; (v = innocent_at(row)); row++)
            count += scope_names(v->ops, op);
        ok(count >= 3, "%d innocents stand for %s", count, op->name);
    }
}

/* Every so many rows are tried. */
static int stride(void)
{
    const char *flags = getenv("SANITIZE");
    return flags && *flags ? 7 : 1;
}

/* What this test would say if an innocent's last case in an op were gone. */
static void check_removal(const char *name, const char *op, const char *globs)
{
    suite_tests fewer;
    innocent_trial t;
    if (suite_tests_list(&(case_range){ .op_glob = op }, globs, &fewer))
        BAIL_OUT("out of memory");
    int opened = !innocent_try(innocent_find(name), cot_op_find(op), &fewer, everything, 1, &t);
    ok(opened && !t.tried && !is_acquitted(&t), "without cases of %s innocent:%s is not acquitted", op, name);
    suite_tests_free(&fewer);
}

int main(int argc, char **argv)
{
    suite_tests tests;
    const innocent *v;
    int all = 0, part = 1, parts = 1, named = 0;
    plan(NO_PLAN);
    if (suite_tests_list(&(case_range){ 0 }, NULL, &tests))
        BAIL_OUT("out of memory");
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--long"))
            all = 1;
        else if (sscanf(argv[i], "%d/%d", &part, &parts) != 2 && ++named
                 && ok((v = innocent_find(argv[i])) != NULL, "innocent:%s", argv[i]))
            check_innocent(v, 0, &tests, all);
    for (int row = 0; !named && (v = innocent_at(row)); row++)
        if (row % parts == part - 1 && row % stride() == 0)
            check_innocent(v, row, &tests, all);
    if (!named && part == 1) {
        check_table();
        check_removal("distributed", "softmax", "softmax/*/*/*/*/*/*");
        check_removal("welford", "var", "var/*/*/*/*/*/*");
    }
    suite_tests_free(&tests);
    judge_end();
    return done_testing();
}
