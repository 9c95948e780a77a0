/* Case ids: what is printed parses to the same case, and what is malformed says why. Inputs: pinned numbers. */
#include "case.h"
#include "generate.h"
#include "philox.h"
#include "problem.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const char *const canonical[] = {
    "max/f32/5x37/1/contig/ties/7",
    "cumsum/bf16/1025/0/transposed/uniform/1,rev=1",
    "var/f64/2x1x3/2/sliced/nan/18446744073709,corr=-3",
    "std/f16/0x3/1/broadcast/inf/0,corr=2147483647,denominator=zero",
    "lerp/f32/4/-/offset/zeros/3,w=0x1.3333333333333p-2",
    "lerp/f32/4/-/contig/zeros/3,w=nan",
    "prod/f32/1x1x1x1x1x1x1x2/7/contig/integers/9,conv=torch",
    "max/f32/5x37/1/contig/ties/7,ties=split,max_nan=first,alias=x",
};

static const struct { const char *id, *says; } malformed[] = {
    { "", "expected op/dtype/shape" },
    { "max/f32/5x37/1/contig/ties", "expected op/dtype/shape" },
    { "max/f32/5x37/1/contig/ties/7/8", "too many parts" },
    { "maxx/f32/5x37/1/contig/ties/7", "no op \"maxx\"" },
    { "max/f8/5x37/1/contig/ties/7", "no element type \"f8\"" },
    { "max/f32/5x-37/1/contig/ties/7", "in the shape" },
    { "max/f32/1x1x1x1x1x1x1x1x1/0/contig/ties/7", "in the shape" },
    { "max/f32/99999999999/0/contig/ties/7", "in the shape" },
    { "max/f32/5x37/2/contig/ties/7", "as axis" },
    { "mul/f32/5x37/0/contig/ties/7", "- for an elementwise op" },
    { "max/f32/5x37/1/diagonal/ties/7", "no layout \"diagonal\"" },
    { "max/f32/5x37/1/contig/tie/7", "no generator \"tie\"" },
    { "max/f32/5x37/1/contig/ties/x", "as seed" },
    { "max/f32/5x37/1/contig/ties/7,rev", "expected key=value" },
    { "max/f32/5x37/1/contig/ties/7,rev=2", "no such key" },
    { "max/f32/5x37/1/contig/ties/7,ties=most", "no such key" },
    { "max/f32/5x37/1/contig/ties/7,alias=dx", "no such key" },
    { "max/f32/5x37/1/contig/ties/7,alias=dy", "alias=dy" },
    { "sum/f32/5x37/1/contig/ties/7,alias=x", "alias=x" },
    { "mul/f32/5x37/-/broadcast/ties/7,alias=a", "alias=a" },
    { "lerp/f32/4/-/contig/zeros/3,w=", "no such key" },
};

static void test_ids(void)
{
    test_case c;
    char why[CASE_ID_SIZE] = "", id[CASE_ID_SIZE] = "";
    for (size_t i = 0; i < sizeof canonical / sizeof *canonical; i++) {
        if (!ok(!case_parse(canonical[i], &c, why), "parses: %s", canonical[i]))
            diag("%s", why);
        case_print(&c, id);
        is(id, canonical[i], "and prints as it was");
        ok(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_/,.=+-") == strlen(id), "and is safe in a shell and a URL");
    }
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        if (!ok(case_parse(malformed[i].id, &c, why) && strstr(why, malformed[i].says), "refused: \"%s\"", malformed[i].id))
            diag("it said: %s", why);
    char endless[2 * CASE_ID_SIZE];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = 0;
    ok(case_parse(endless, &c, why), "refused: an id without end");
}

/* The known answers of Random123's Philox 4x32-10. */
static void test_philox(void)
{
    philox zero = philox_at(0, 0, 0);
    static const uint32_t zeros[4] = { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 };
    philox ones = philox_at(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    static const uint32_t all[4] = { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd };
    cmp_mem(zero.word, zeros, sizeof zeros, "Philox of zeros is the published one");
    cmp_mem(ones.word, all, sizeof all, "and of ones");
}

static void test_problem(void)
{
    test_case c;
    char why[CASE_ID_SIZE];
    problem p;
    case_parse("mul/f32/3x4/-/sliced/uniform/7", &c, why);
    ok(!problem_make(&p, &c), "a problem is made");
    unsigned char *a = problem_image(&p, COT_A, second_paint), *da = problem_image(&p, COT_DA, second_paint);
    size_t first = (size_t)((unsigned char *)p.tensors[COT_DA].view.data - p.tensors[COT_DA].memory);
    ok(problem_damage(&p, COT_A, second_paint, a) == 0 && problem_damage(&p, COT_DA, second_paint, da) == 0, "and is whole");
    a[first] ^= 1;
    cmp_ok(problem_damage(&p, COT_A, second_paint, a), "==", 1, "a changed input is seen");
    da[0] ^= 1;
    cmp_ok(problem_damage(&p, COT_DA, second_paint, da), "==", 1, "so is a byte before an output");
    da[first + 4] ^= 1;
    cmp_ok(problem_damage(&p, COT_DA, second_paint, da), "==", 2, "and a gap between its cells");
    da[first] ^= 1;
    cmp_ok(problem_damage(&p, COT_DA, second_paint, da), "==", 2, "but not a cell of it");
    free(a);
    free(da);
    problem_free(&p);
}

int main(void)
{
    plan(NO_PLAN);
    test_ids();
    test_philox();
    test_problem();
    return done_testing();
}
