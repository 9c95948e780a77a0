/* A combination that was not judged is a hole; a row reaches what all its cases reach. */
#include "conformance/case/generate.h"
#include "conformance/case/shape.h"
#include "conformance/tap/tap.h"
#include "tally.h"

#include <string.h>

static test_case parsed(const char *id)
{
    test_case c;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why))
        BAIL_OUT("%s: %s", id, why);
    return c;
}

static void keep_hole(void *self, const combination *hole) { *(combination *)self = *hole; }

static void test_coverage(void)
{
    case_range range = { .op_glob = "max", .elements = 1u << COT_F32 };
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

static void keep_shape(void *self, const shape_gap *hole) { *(shape_gap *)self = *hole; }

static int judge_unless(void *self, const test_case *c)
{
    result r = { .c = *c, .v = { .cells = 4, .statuses = 1, .reached = LEVEL_X } };
    shape_kind shape = shape_of(&c->desc);
    if (shape.lines != 4 || shape.place != AXIS_MIDDLE)
        tally_take(self, &r);
    return 0;
}

/* All cases of a range but those of one kind. */
static void test_shapes(void)
{
    case_range range = { .op_glob = "max", .elements = 1u << COT_F32 };
    shape_gap gap = { 0 };
    char name[SHAPE_NAME_SIZE];
    tally *t = tally_new();
    tally_promise_range(t, &range);
    cmp_ok(tally_shapes(t).promised, ">=", 70, "a range promises kinds of shapes, too");
    cmp_ok(tally_shapes(t).holes, "==", tally_shapes(t).promised, "before the run they are holes");
    cases_visit(&range, judge_unless, t);
    ok(tally_shapes(t).holes == 1 && tally_gaps(t) == 1, "a kind that was not judged is a hole");
    tally_shape_holes(t, keep_shape, &gap);
    shape_name(gap.kind, name);
    is(name, "65536 lines or more middle", "and is named");
    result r = { .c = parsed("max/f32/7x2x10000/1/contig/uniform/1"),
                 .v = { .cells = 4, .unjudged_cells = 4, .statuses = 1 } };
    tally_take(t, &r);
    cmp_ok(tally_shapes(t).holes, "==", 1, "without a cell judged it still is one");
    r.v.unjudged_cells = 3;
    tally_take(t, &r);
    cmp_ok(tally_shapes(t).holes, "==", 0, "with one it is none");
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

int main(void)
{
    plan(NO_PLAN);
    test_coverage();
    test_shapes();
    test_levels();
    return done_testing();
}
