/* The parts of a run: nothing passes without a check, a hole is found, a failing backend is caught at its first failure. */
#include "backends.h"
#include "device_checks.h"
#include "generate.h"
#include "report.h"
#include "runner.h"
#include "tap.h"

#include <string.h>

static test_case parsed(const char *id)
{
    test_case c;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why))
        BAIL_OUT("%s: %s", id, why);
    return c;
}

static void test_demands(void)
{
    test_case cells = parsed("max/f32/5x37/1/contig/ties/7"), none = parsed("max/f32/0x37/1/contig/ties/7");
    verdict v = { .statuses = 0 };
    demand_checks(&cells, &v);
    ok(v.failed && !v.clause, "a verdict without a check fails");
    v = (verdict){ .statuses = 1, .guard_bytes = 64 };
    demand_checks(&cells, &v);
    ok(v.failed, "so does one without a cell, where there are cells");
    v = (verdict){ .statuses = 1 };
    demand_checks(&none, &v);
    ok(!v.failed, "where there are none, a status is a check");
    test_case bad = parsed("max/f32/4x6/1/contig/uniform/1,bad=size_small");
    v = (verdict){ .guard_bytes = 64 };
    demand_checks(&bad, &v);
    ok(v.failed, "a call that must be refused fails without a status");
    v = (verdict){ .statuses = 1 };
    demand_checks(&bad, &v);
    ok(!v.failed, "and a status is all it needs");
    v = (verdict){ .cells = 185 };
    demand_checks(&cells, &v);
    ok(!v.failed, "cells are checks");
}

static size_t reports;

static size_t count_reports(void) { return reports; }
static void clear_reports(void) { reports = 0; }

static int get_report(size_t index, softgpuReport *to)
{
    *to = (softgpuReport){ .check = SOFTGPU_RACECHECK, .text = "a race" };
    return index >= reports;
}

static void test_device_reports(void)
{
    const device_checks device = { .count = count_reports, .get = get_report, .clear = clear_reports };
    verdict v = { .cells = 4 };
    device_checks_judge(&device, &v);
    ok(!v.failed, "a device without a report has nothing against a case");
    reports = 1;
    device_checks_judge(&device, &v);
    ok(v.failed && strstr(v.why, "a race"), "a report fails its case: %s", v.why);
    v = (verdict){ .cells = 4 };
    device_checks_judge(&device, &v);
    ok(!v.failed, "and not the next one");
}

static void keep_hole(void *self, const combination *hole)
{
    *(combination *)self = *hole;
}

static void test_coverage(void)
{
    case_range range = { .op_glob = "max", .element = COT_F32 };
    tally *t = tally_new();
    result r = { .c = parsed("max/f32/4/0/contig/uniform/1"), .v = { .cells = 4, .reached = LEVEL_X } };
    combination hole = { 0 };
    int64_t all = 0;
    tally_promise_range(t, &range);
    all = tally_coverage(t).promised;
    cmp_ok(all, ">=", 40, "a range promises every generator in every layout");
    cmp_ok(tally_coverage(t).holes, "==", all, "before the run all of it is holes");
    for (r.c.generator = 0; generator_at(r.c.generator); r.c.generator++)
        for (r.c.layout = 0; layout_name(r.c.layout); r.c.layout++)
            if (strcmp(generator_at(r.c.generator)->name, "nan") || r.c.layout != LAYOUT_SLICED)
                tally_take(t, &r);
    cmp_ok(tally_coverage(t).holes, "==", 1, "what was not judged is a hole");
    tally_holes(t, keep_hole, &hole);
    ok(!strcmp(generator_at(hole.generator)->name, "nan") && hole.layout == LAYOUT_SLICED, "and is named");
    r.c = parsed("max/f32/4/0/sliced/nan/1");
    r.v = (verdict){ .cells = 4, .unjudged_cells = 4 };
    tally_take(t, &r);
    cmp_ok(tally_coverage(t).holes, "==", 1, "judged without a check it still is one");
    r.v = (verdict){ .failed = 0 };
    r.status = COT_UNSUPPORTED;
    tally_take(t, &r);
    cmp_ok(tally_coverage(t).holes, "==", 0, "refused as unsupported it is none");
    cmp_ok(tally_coverage(t).unsupported, "==", 1, "but counted as such");
    tally_free(t);
}

static void test_levels(void)
{
    tally *t = tally_new();
    int max = 0;
    while (strcmp(cot_op_at((size_t)max)->name, "max"))
        max++;
    result r = { .c = parsed("max/f32/4/0/contig/uniform/1"), .v = { .cells = 4, .reached = LEVEL_X } };
    tally_take(t, &r);
    cmp_ok(tally_row(t, max, COT_F32)->reached, "==", LEVEL_X, "a row reaches what its cases reach");
    r.v = (verdict){ .cells = 4, .failed = 1, .failed_at = LEVEL_D };
    tally_take(t, &r);
    cmp_ok(tally_row(t, max, COT_F32)->reached, "==", LEVEL_B, "and no more than the last level that none fails");
    cmp_ok(tally_row(t, max, COT_F64)->reached, "==", LEVELS, "a row without a case reaches nothing");
    tally_free(t);
}

/* A backend that does nothing, and says that it has done it. */
static cot_status accept(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)desc, (void)error;
    sku->layouts = COT_LAYOUT_ALL;
    return COT_OK;
}

static cot_status idle(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc, const cot_args *args,
                       cot_error *error)
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
    static const cot_backend_api lazy = { .abi = COT_BACKEND_ABI, .size = sizeof lazy, .name = "lazy", .capabilities = accept, .run = idle };
    static const cot_backend_api none = { .abi = COT_BACKEND_ABI, .size = sizeof none, .name = "none", .capabilities = refuse, .run = idle };
    case_range range = { .op_glob = "add", .element = COT_F16 }, nothing = { .op_glob = "zz" };
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
    test_demands();
    test_device_reports();
    test_coverage();
    test_levels();
    test_catches();
    return done_testing();
}
