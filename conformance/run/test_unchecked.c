/* Nothing passes without a check, and a failing backend is caught by a case with an id. */
#include "conformance/case/cases.h"
#include "conformance/judge/judge.h"
#include "conformance/port/backends.h"
#include "conformance/tap/tap.h"
#include "unchecked.h"

#include <string.h>

static test_case parsed(const char *id)
{
    test_case c;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why))
        BAIL_OUT("%s: %s", id, why);
    return c;
}

static void test_unchecked(void)
{
    test_case cells = parsed("max/f32/5x37/1/contig/ties/7"), none = parsed("max/f32/0x37/1/contig/ties/7");
    verdict v = { .statuses = 0 };
    fail_unchecked(&cells, &v);
    ok(v.failed && !*v.clause && v.reason == REASON_UNCHECKED, "a verdict without a check fails");
    v = (verdict){ .statuses = 1, .guard_bytes = 64 };
    fail_unchecked(&cells, &v);
    ok(v.failed, "so does one without a cell, where there are cells");
    v = (verdict){ .statuses = 1 };
    fail_unchecked(&none, &v);
    ok(!v.failed, "where there are none, a status is a check");
    test_case bad = parsed("max/f32/4x6/1/contig/uniform/1,bad=size_small");
    v = (verdict){ .guard_bytes = 64 };
    fail_unchecked(&bad, &v);
    ok(v.failed, "a call that must be refused fails without a status");
    v = (verdict){ .cells = 185 };
    fail_unchecked(&bad, &v);
    ok(v.failed && v.reason == REASON_UNCHECKED_STATUS, "and cells do not stand in for it");
    v = (verdict){ .statuses = 1 };
    fail_unchecked(&bad, &v);
    ok(!v.failed, "and a status is all it needs");
    v = (verdict){ .cells = 185 };
    fail_unchecked(&cells, &v);
    ok(!v.failed, "cells are checks");
    v = (verdict){ .cells = 185, .unjudged_cells = 2, .statuses = 1, .guard_bytes = 64 };
    fail_unchecked(&cells, &v);
    ok(v.failed && v.reason == REASON_UNJUDGED && v.count == 2 && !*v.clause, "a cell without a ruling fails its case");
    v = (verdict){ .cells = 185 };
    verdict_leave(&v, UNJUDGED_FOREIGN_SAVE, 2);
    fail_unchecked(&cells, &v);
    ok(v.failed && v.reason == REASON_UNJUDGED, "a reason whose clause is not about the op is none");
    test_case scan = parsed("logcumsumexp/f32/5x37/1/contig/uniform/7"),
              foreign = parsed("logcumsumexp/f32/5x37/1/contig/foreign/7");
    v = (verdict){ .cells = 185 };
    verdict_leave(&v, UNJUDGED_FOREIGN_SAVE, 2);
    verdict same = v;
    fail_unchecked(&scan, &v);
    fail_unchecked(&foreign, &same);
    ok(v.failed && !same.failed, "and a save that the forward operation has made is not foreign");
}

/* A verdict that leaves some cells for lines that truth does not look at. */
static verdict left_lines(const test_case *c, int64_t cells)
{
    verdict v = { .cells = 2 * cot_cell_count(c->desc.rank, c->desc.shape) };
    verdict_leave(&v, UNJUDGED_OTHER_LINE, cells);
    fail_unchecked(c, &v);
    return v;
}

/* Another line is one that truth does not look at: of a small case there is none, of a large one there are so many. */
static void test_other_lines(void)
{
    test_case small = parsed("max/f32/5x37/1/contig/ties/7"), cheap = parsed("mul/f32/300x1000/-/contig/uniform/7"),
              large = parsed("softmax/f32/300x1000/1/contig/uniform/7"),
              pairs = parsed("pow/f32/300x1000/-/contig/uniform/7");
    verdict v = left_lines(&small, 37);
    ok(v.failed && v.reason == REASON_UNJUDGED && v.count == 37, "a small case leaves no line out");
    v = left_lines(&large, 236 * 1000);
    ok(!v.failed, "of 300 lines that are too many, 64 are looked at");
    v = left_lines(&large, 237 * 1000);
    ok(v.failed && v.reason == REASON_UNJUDGED && v.count == 1000, "and one of those may not be left");
    v = left_lines(&pairs, 2 * 236 * 1000);
    ok(!v.failed, "two gradients leave twice as many cells");
    v = left_lines(&pairs, 2 * 236 * 1000 + 1);
    ok(v.failed && v.count == 1, "and none more");
    v = left_lines(&cheap, 1);
    ok(v.failed && v.count == 1, "nothing is left where truth is cheap");
}

/* ---- a range of cases, until the first failure ----------------------------------------------- */

typedef struct hunt {
    const court *seat;
    char *id;
    int judged;
} hunt;

static int judge_one(void *self, const test_case *c)
{
    hunt *h = self;
    verdict v;
    if (judge_case(h->seat, c, &v) == COT_UNSUPPORTED && !v.failed)
        return 0;
    h->judged = 1;
    fail_unchecked(c, &v);
    if (v.failed)
        case_print(c, h->id);
    return v.failed != 0;
}

/* 1: something fails, whose id is left; 0: nothing does; -1: nothing could be judged. */
static int suite_catches(const court *seat, const case_range *range, char id[CASE_ID_SIZE])
{
    hunt h = { seat, id, 0 };
    *id = 0;
    if (cases_visit(range, judge_one, &h))
        return 1;
    return h.judged ? 0 : -1;
}

/* A backend that does nothing, and says that it has done it. */
static cot_status accept(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)desc, (void)error;
    sku->layouts = COT_LAYOUT_ALL;
    return COT_OK;
}

static cot_status idle(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc,
                       const cot_args *args, cot_error *error)
{
    (void)self, (void)stream, (void)workspace, (void)bytes, (void)desc, (void)args, (void)error;
    return COT_OK;
}

static cot_status refuse(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)desc, (void)sku;
    *error = (cot_error){ .code = COT_UNSUPPORTED, .message = "nothing is done here" };
    return COT_UNSUPPORTED;
}

static void test_catches(void)
{
    static const cot_backend_api lazy = {
        .abi = COT_BACKEND_ABI, .size = sizeof lazy, .name = "lazy", .capabilities = accept, .run = idle
    };
    static const cot_backend_api none = {
        .abi = COT_BACKEND_ABI, .size = sizeof none, .name = "none", .capabilities = refuse, .run = idle
    };
    case_range range = { .op_glob = "add", .elements = 1u << COT_F16 }, nothing = { .op_glob = "zz" };
    char id[CASE_ID_SIZE];
    cot_error error;
    court seat = { .level = LEVEL_X };
    suite_backend_open("ref", NULL, &seat.backend, &error);
    cmp_ok(suite_catches(&seat, &range, id), "==", 0, "the reference is not caught");
    cmp_ok(suite_catches(&seat, &nothing, id), "==", -1, "a range without a case catches nobody, and does not acquit");
    cot_backend_close(seat.backend);
    cot_backend_from(&lazy, NULL, &seat.backend, &error);
    cmp_ok(suite_catches(&seat, &range, id), "==", 1, "a backend that writes nothing is caught");
    ok(!strncmp(id, "add/f16/", 8), "by a case with an id: %s", id);
    cot_backend_close(seat.backend);
    cot_backend_from(&none, NULL, &seat.backend, &error);
    cmp_ok(suite_catches(&seat, &range, id), "==", -1, "a backend that refuses everything is not acquitted");
    cot_backend_close(seat.backend);
    judge_end();
}

int main(void)
{
    if (judge_unusable())
        plan(SKIP_ALL, "no judge in this build");
    plan(NO_PLAN);
    test_unchecked();
    test_other_lines();
    test_catches();
    return done_testing();
}
