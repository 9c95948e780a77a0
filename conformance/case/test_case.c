/* Case ids: what is printed parses to the same case, and what is malformed says why. Inputs: pinned numbers. */
#include "case.h"
#include "cases.h"
#include "refusal.h"
#include "generate.h"
#include "philox.h"
#include "problem.h"
#include "conformance/tap/tap.h"

#include <math.h>
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
    "mul/f32/536870912x268435456/-/contig/uniform/1",
    "mul/f32/4x6/-/contig/uniform/1,bad=rank_nine",
    "mul/f32/4x6/-/contig/uniform/1,bad=short.a+overlaps_shifted.da",
};

// clang-format off
static const struct { const char *id, *says; } malformed[] = {
    { "", "expected op/dtype/shape" },
    { "max/f32/5x37/1/contig/ties", "expected op/dtype/shape" },
    { "max/f32/5x37/1/contig/ties/7/8", "too many parts" },
    { "maxx/f32/5x37/1/contig/ties/7", "no op \"maxx\"" },
    { "max/f8/5x37/1/contig/ties/7", "no element type \"f8\"" },
    { "max/f32/5x-37/1/contig/ties/7", "in the shape" },
    { "max/f32/1x1x1x1x1x1x1x1x1/0/contig/ties/7", "in the shape" },
    { "max/f32/99999999999/0/contig/ties/7", "in the shape" },
    { "mul/f32/65536x65536x65536x65536/-/contig/ties/7", "more cells than" },
    { "mul/f32/0x65536x65536x65536x65536/-/contig/ties/7", "more cells than" },
    { "mul/f32/536870912x536870912/-/sliced/ties/7", "more cells than" },
    { "add/f32/32768x32768x32768x32768x16/-/contig/ties/7", "more cells than" },
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
    { "mul/f32/4x6/-/contig/zeros/3,bad=nothing", "no such key" },
    { "mul/f32/4x6/-/contig/zeros/3,bad=absent", "no such key" },
    { "mul/f32/4x6/-/contig/zeros/3,bad=absent.x", "no such key" },
    { "mul/f32/4x6/-/contig/zeros/3,bad=absent.a+absent.b+absent.da", "no such key" },
    { "mul/f32/4x6/-/contig/zeros/3,bad=axis_rank", "cannot be made" },
};
// clang-format on

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
        if (!ok(case_parse(malformed[i].id, &c, why) && strstr(why, malformed[i].says), "refused: \"%s\"",
                malformed[i].id))
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
    unsigned char *a = problem_image(&p, COT_A, second_fill), *da = problem_image(&p, COT_DA, second_fill);
    unsigned char *input = problem_image(&p, COT_A, second_fill), *output = problem_image(&p, COT_DA, second_fill);
    size_t first = (size_t)((unsigned char *)p.tensors[COT_DA].view.data - p.tensors[COT_DA].memory);
    ok(problem_damage(&p, COT_A, input, a) == 0 && problem_damage(&p, COT_DA, output, da) == 0, "and is whole");
    a[first] ^= 1;
    cmp_ok(problem_damage(&p, COT_A, input, a), "==", 1, "a changed input is seen");
    da[0] ^= 1;
    cmp_ok(problem_damage(&p, COT_DA, output, da), "==", 1, "so is a byte before an output");
    da[first + 4] ^= 1;
    cmp_ok(problem_damage(&p, COT_DA, output, da), "==", 2, "and a gap between its cells");
    da[first] ^= 1;
    cmp_ok(problem_damage(&p, COT_DA, output, da), "==", 2, "but not a cell of it");
    free(a);
    free(da);
    free(input);
    free(output);
    problem_free(&p);
}

/* ---- generators ------------------------------------------------------------------------------ */

enum { LINE = 2100 };

/* A line of x and dy, as a problem has it. */
static void draw_line(const char *name, cot_element element, uint64_t seed, double x[LINE], double dy[LINE])
{
    for (int64_t i = 0; i < LINE; i++)
        for (int o = COT_DY; o <= COT_X; o++) {
            unsigned char cell[8];
            draw d = { seed, (cot_operand)o, element, i, LINE, i, 0 };
            generate(generator_find(name), &d, cell);
            (o == COT_X ? x : dy)[i] = cot_cell_get(element, cell);
        }
}

typedef struct census {
    int greatest, least, nans, infinities, zeros, subnormals, rises, falls, changes; /* of x */
    int dy_special;
} census;

static census count_line(const char *name, cot_element element, uint64_t seed)
{
    static double x[LINE], dy[LINE];
    census c = { 0 };
    double most = -(double)INFINITY, least = (double)INFINITY;
    draw_line(name, element, seed, x, dy);
    for (int i = 0; i < LINE; i++)
        most = fmax(most, x[i]), least = fmin(least, x[i]);
    for (int i = 0; i < LINE; i++) {
        c.greatest += x[i] == most;
        c.least += x[i] == least;
        c.nans += isnan(x[i]) != 0;
        c.infinities += isinf(x[i]) != 0;
        c.zeros += x[i] == 0;
        c.subnormals += x[i] != 0 && fabs(x[i]) < 0x1p-126;
        c.rises += i && x[i] > x[i - 1];
        c.falls += i && x[i] < x[i - 1];
        c.dy_special += !isfinite(dy[i]) || dy[i] == 0;
    }
    c.changes = c.rises + c.falls;
    return c;
}

static void test_generators(void)
{
    census c = count_line("ties2", COT_F32, 3);
    ok(c.greatest == 2 && c.least == 2, "ties2: two greatest, two least");
    c = count_line("ties3", COT_BF16, 3);
    ok(c.greatest == 3 && c.least == 3, "ties3: three of each");
    c = count_line("tiesends", COT_F16, 3);
    ok(c.greatest == 2 && c.least == 2, "tiesends: two of each");
    c = count_line("tiestile", COT_F64, 3);
    ok(c.greatest == 4 && c.least == 4 + (LINE % 1024 > 1), "tiestile: around each of the two tile ends");
    c = count_line("tiesall", COT_F32, 3);
    ok(c.greatest == LINE && !c.dy_special, "tiesall: all of them, and no dy is 0");
    ok(count_line("constant", COT_F32, 3).changes == 0, "constant: no change");
    ok(count_line("rising", COT_F32, 3).falls == 0 && count_line("falling", COT_F32, 3).rises == 0,
       "rising, falling: sorted");
    for (uint64_t seed = 3; seed < 6; seed++) { /* what was saved, dy, or both */
        census middle = count_line("nanmid", COT_F32, seed), one = count_line("infone", COT_F32, seed),
               two = count_line("zerotwo", COT_F32, seed);
        ok(middle.nans == (seed != 4) && middle.dy_special == (seed != 3), "nanmid, seed %d: one NaN where its turn is",
           (int)seed);
        cmp_ok(one.infinities, "==", seed != 4, "infone: one infinity");
        cmp_ok(two.zeros, "==", 2 * (seed != 4), "zerotwo: two zeros");
    }
    ok(count_line("nanall", COT_F16, 3).nans == LINE && count_line("zeroall", COT_F16, 3).zeros == LINE,
       "nanall, zeroall: nothing else");
    ok(count_line("subnormal", COT_F32, 3).subnormals > LINE / 2 && !count_line("tiny", COT_F32, 3).subnormals,
       "subnormal is, tiny is not");
    ok(!count_line("huge", COT_F16, 3).infinities && !count_line("exponents", COT_F64, 3).infinities,
       "huge and exponents do not overflow");
}

static void test_payloads(void)
{
    int signs = 0, quiet = 0, signalling = 0;
    for (int64_t i = 0; i < 500; i++) {
        uint32_t bits;
        draw d = { 1, COT_X, COT_F32, i, 500, i, 0 };
        generate(generator_find("nanbits"), &d, &bits);
        if ((bits & 0x7f800000) != 0x7f800000)
            continue;
        signs += bits >> 31;
        quiet += bits >> 22 & 1;
        signalling += !(bits >> 22 & 1) && bits & 0x3fffff;
    }
    ok(signs && quiet && signalling, "nanbits: both signs, quiet and signalling NaNs");
}

static void test_pairs(void)
{
    static int seen[32][32];
    double values[32];
    int count = 0, found = 0;
    for (int64_t i = 0; i < 441; i++) {
        draw d = { 0, COT_A, COT_F32, i, 441, i, 0 }, e = d;
        e.operand = COT_B;
        double a = generator_at(generator_find("pairs"))->value(&d),
               b = generator_at(generator_find("pairs"))->value(&e);
        int at[2] = { -1, -1 };
        for (int k = 0; k < 2; k++) {
            double v = k ? b : a;
            for (int j = 0; j < count; j++)
                if (!memcmp(&values[j], &v, sizeof v))
                    at[k] = j;
            if (at[k] < 0)
                values[at[k] = count++] = v;
        }
        found += !seen[at[0]][at[1]]++;
    }
    ok(count == 21 && found == 441, "pairs: every pair of 21 special values");
}

/* ---- all cases ------------------------------------------------------------------------------- */

enum { OPS = 64, GENERATORS = 64 };

typedef struct collection {
    char (*ids)[CASE_ID_SIZE];
    int count, broken;
    unsigned char covered[OPS][COT_F64 + 1][GENERATORS][LAYOUTS + 1];
    unsigned char tried[GENERATORS * 4]; /* refusals */
} collection;

static int collect(void *self, const test_case *c)
{
    collection *all = self;
    test_case back;
    char why[CASE_ID_SIZE] = "", again[CASE_ID_SIZE];
    all->ids = all->count % 4096 ? all->ids : realloc(all->ids, (size_t)(all->count + 4096) * sizeof *all->ids);
    case_print(c, all->ids[all->count]);
    if (case_parse(all->ids[all->count], &back, why) || (case_print(&back, again), strcmp(again, all->ids[all->count])))
        if (!all->broken++)
            diag("%s: %s", all->ids[all->count], why);
    all->count++;
    if (c->bad[0].row)
        all->tried[c->bad[0].row] = 1;
    else
        all->covered[c->desc.op][c->desc.element][c->generator][c->alias ? LAYOUTS : c->layout] = 1;
    return 0;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void test_cases(int full)
{
    static collection all;
    int doubles = 0, holes = 0, untried = 0;
    const cot_op_info *op;
    all = (collection){ 0 };
    cases_visit(&(case_range){ .full = full }, collect, &all);
    cmp_ok(all.count, ">", 20000, "%s: %d cases", full ? "full" : "quick", all.count);
    cmp_ok(all.broken, "==", 0, "whose ids all parse to the same case");
    qsort(all.ids, (size_t)all.count, sizeof *all.ids, by_name);
    for (int i = 1; i < all.count; i++)
        if (!strcmp(all.ids[i - 1], all.ids[i]) && !doubles++)
            diag("twice: %s", all.ids[i]);
    cmp_ok(doubles, "==", 0, "and are all different");
    for (size_t o = 0; (op = cot_op_at(o)); o++)
        for (int e = COT_F16; e <= COT_F64; e++)
            for (int g = 0; generator_at(g); g++)
                for (int layout = 0; layout <= LAYOUTS; layout++)
                    holes += !all.covered[op->op][e][g][layout];
    cmp_ok(holes, "==", 0, "no hole in op x type x generator x layout, aliased outputs included");
    for (int row = 0; refusal_at(row); row++)
        untried += !all.tried[row + 1];
    cmp_ok(untried, "==", 0, "and every fault is tried");
    free(all.ids);
}

int main(void)
{
    plan(NO_PLAN);
    test_ids();
    test_philox();
    test_problem();
    test_generators();
    test_payloads();
    test_pairs();
    test_cases(0);
    test_cases(1);
    return done_testing();
}
