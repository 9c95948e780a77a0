/* The library's forward operations against truth's. */
#include "judge_forward.h"
#include "conformance/clause/suite_tests.h"
#include "conformance/tap/tap.h"

typedef struct tally {
    test_case last;
    int lines, good;
    long long cells;
} tally;

static int same_group(const test_case *a, const test_case *b)
{
    return a->desc.op == b->desc.op && a->desc.element == b->desc.element;
}

static void report(const tally *t)
{
    if (t->lines)
        ok(t->good && t->cells, "%s %s: lines=%d cells=%lld", cot_op_get(t->last.desc.op)->name,
           cot_element_name(t->last.desc.element), t->lines, t->cells);
}

static int judge_one(void *self, const test_case *c)
{
    tally *t = self;
    verdict v;
    char id[CASE_ID_SIZE];
    if (t->lines && !same_group(&t->last, c)) {
        report(t);
        *t = (tally){ .good = 1 };
    }
    t->last = *c;
    t->lines++;
    if (judge_forward(NULL, NULL, c, &v) || v.failed) {
        case_print(c, id);
        diag("forward:%s: %s at %d: got %a, want %a", id, reason_at(v.reason)->name, v.index[0], v.got, v.want);
        t->good = 0;
    }
    t->cells += v.cells;
    return 0;
}

int main(void)
{
    tally t = { .good = 1 };
    plan(NO_PLAN);
    forward_visit(&(case_range){ 0 }, judge_one, &t);
    report(&t);
    judge_end();
    return done_testing();
}
