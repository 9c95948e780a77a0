/* The lines that truth looks at: all of a small case, or where it is cheap; the ends, a power of two and others of a
 * large one. */
#include "conformance/tap/tap.h"
#include "truth_lines.h"

#include <stdio.h>

static truth_lines chosen(const char *id, int64_t lines)
{
    test_case c;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why))
        BAIL_OUT("%s: %s", id, why);
    return case_truth_lines(&c, lines);
}

static void test_small(void)
{
    truth_lines t = chosen("max/f32/2048x128/1/contig/uniform/1", 2048);
    ok(t.all && t.count == 2048, "a case of 262,144 cells is looked at whole");
    ok(truth_line_at(&t, 0) == 0 && truth_line_at(&t, 2047) == 2047, "line after line");
    t = chosen("max/f32/1048577/0/contig/uniform/1", 1);
    ok(t.all && t.count == 1, "so is a case of one line, however long");
    t = chosen("max/f32/5x131072/1/contig/uniform/1", 5);
    ok(t.all && t.count == 5, "and one of no more lines than are looked at anyway");
    t = chosen("max/f32/0x3/0/contig/uniform/1", 0);
    ok(t.all && t.count == 0, "where there is no line, none");
}

static int rises(const truth_lines *t, int64_t lines)
{
    int good = truth_line_at(t, 0) == 0 && truth_line_at(t, t->count - 1) == lines - 1;
    for (int64_t k = 1; k < t->count; k++)
        good &= truth_line_at(t, k - 1) < truth_line_at(t, k);
    return good;
}

static int has_boundary(const truth_lines *t)
{
    for (int64_t k = 1; k < t->count; k++) {
        int64_t line = truth_line_at(t, k);
        if (truth_line_at(t, k - 1) == line - 1 && !(line & (line - 1)))
            return 1;
    }
    return 0;
}

static int has_between(const truth_lines *t, int64_t least, int64_t most)
{
    for (int64_t k = 0; k < t->count; k++)
        if (truth_line_at(t, k) >= least && truth_line_at(t, k) <= most)
            return 1;
    return 0;
}

static void test_large(void)
{
    int good = 1, boundaries = 1, differs = 0, early = 0;
    int64_t before = 0;
    for (int seed = 1; seed <= 200; seed++) {
        char id[CASE_ID_SIZE];
        snprintf(id, sizeof id, "softmax/f32/700000x3/1/contig/uniform/%d", seed);
        truth_lines t = chosen(id, 700000);
        good &= !t.all && t.count == TRUTH_LINES_MOST && rises(&t, 700000);
        boundaries &= has_boundary(&t);
        differs += truth_line_at(&t, 20) != before;
        before = truth_line_at(&t, 20);
        early += has_between(&t, 32, 63);
    }
    ok(good, "700,000 short lines: 64 of them, rising, the first and the last among them");
    ok(boundaries, "and two on both sides of a power of two");
    cmp_ok(differs, ">", 190, "by the seed");
    cmp_ok(early, ">", 120, "most seeds see the second block of 32 lines, of 21,875");
    truth_lines one = chosen("softmax/f32/1000x65536/1/contig/uniform/7", 1000);
    truth_lines again = chosen("softmax/f32/1000x65536/1/contig/uniform/7", 1000);
    ok(one.count == TRUTH_LINES_LEAST && rises(&one, 1000), "1,000 long lines: six");
    cmp_mem(one.line, again.line, sizeof one.line, "and the same ones again");
    truth_lines inner = chosen("pow/f32/2x70000x3/-/contig/uniform/7", 140000);
    ok(inner.count == TRUTH_LINES_MOST && rises(&inner, 140000), "an elementwise op's lines are its last dimension's");
}

static void test_cheap(void)
{
    truth_lines t = chosen("mul/f32/2x70000x3/-/contig/uniform/7", 140000);
    ok(t.all && t.count == 140000, "an op without a sum and without a slow function is looked at whole");
    t = chosen("max/f32/64x65536/0/contig/uniform/7", 65536);
    ok(t.all && t.count == 65536, "up to 4,194,304 cells");
    t = chosen("max/f32/65x65536/0/contig/uniform/7", 65536);
    ok(!t.all && t.count == TRUTH_LINES_MOST, "and no further");
    t = chosen("logsumexp/f32/64x65536/0/contig/uniform/7", 65536);
    ok(!t.all && t.count == TRUTH_LINES_MOST, "one with a slow function is not");
    t = chosen("cumsum/f32/64x65536/0/contig/uniform/7", 65536);
    ok(!t.all && t.count == TRUTH_LINES_MOST, "nor one with a sum");
}

int main(void)
{
    plan(NO_PLAN);
    test_small();
    test_large();
    test_cheap();
    return done_testing();
}
