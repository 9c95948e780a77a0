/* exp, log, pow, hypot and atan2 against MPFR: in float every result must be the correctly rounded one, in double it
 * must keep to a bound; and their bits against a pinned digest.
 *
 *     test_math [N]    N times as many points */
#include <inttypes.h>
#include <stdlib.h>

#include "draw.h"
#include "conformance/tap/tap.h"

enum { POINTS = 200000, LONG_WAYS = 20000, PINNED_POINTS = 20000 };

typedef struct {
    double bound; /* in ULP, in double: the worst that doc/math.md states, and little more */
    uint64_t digest[2];
} expectation;

static const expectation expected[FUNCTIONS] = {
    [EXP] = { 0.81, { 0x8fcf1a2e82b28a33, 0x177908e8284a805e } },
    [LOG] = { 0.68, { 0x36fe8f9d7a670946, 0xc51ac9102773bd39 } },
    [POW] = { 0.97, { 0xd8573f6c9773f717, 0x0503d707b35e35bc } },
    [HYPOT] = { 1.23, { 0x5d0ce1d269bdfe0b, 0x8679e056e2c717be } },
    [ATAN2] = { 0.70, { 0x31de60e32b8c3ede, 0x6465f3231854ccff } },
};

/* ---- float: the nearest, and no other -------------------------------------------------------- */

/* Counts a result that is not the correctly rounded one, and shows the first. */
static long misrounded(long before, const char *name, double got, const function *fn, point p)
{
    if (is_rounded(got, fn, p.x, p.y))
        return before;
    if (before == 0)
        diag("%s(%a, %a) is %a", name, p.x, p.y, got);
    return before + 1;
}

static void test_rounding(int f, long points)
{
    source s = { 1, &format_f };
    long wrong = 0;
    for (long i = 0; i < points; i++) {
        point p = drawings[f](&s, (int)(i % KINDS));
        wrong = misrounded(wrong, functions[f].name, functions[f].run[0](p.x, p.y), &functions[f], p);
    }
    ok(wrong == 0, "%s_f: %ld points correctly rounded", functions[f].name, points);
}

/* The long way is rarely taken: here it takes everything that it is made for. */
static void test_long_pow(void)
{
    source s = { 3, &format_f };
    long wrong = 0, tried = 0;
    for (long i = 0; i < LONG_WAYS; i++) {
        point p = draw_pow(&s, 2 + (int)(i % 6));
        p.x = real_d(bits_d(p.x) & 0x7fffffffffffffffu);
        double power = pow_d(p.x, p.y);
        if (!(p.x > 0 && p.x < __builtin_inf() && power > 0x1p-149 && power < 0x1p128) || p.x == 1 || p.y == 0)
            continue;
        tried++;
        wrong = misrounded(wrong, "pow_long_f", (double)pow_long_f((float)p.x, (float)p.y), &functions[POW], p);
    }
    ok(wrong == 0 && tried > LONG_WAYS / 2, "pow_f the long way: %ld points correctly rounded", tried);
}

static void test_long_atan2(void)
{
    source s = { 4, &format_f };
    long wrong = 0, tried = 0;
    for (long i = 0; i < LONG_WAYS; i++) {
        point p = draw_pair(&s, (int)(i % KINDS));
        p.x = real_d(bits_d(p.x) & 0x7fffffffffffffffu);
        float across = abs_f((float)p.y);
        if (!(p.x > 0 && p.x < __builtin_inf() && across > 0 && across < __builtin_inff()))
            continue;
        tried++;
        double got = (double)atan2_long_f((float)p.x, across, p.y < 0);
        wrong = misrounded(wrong, "atan2_long_f", got, &functions[ATAN2], p);
    }
    ok(wrong == 0 && tried > LONG_WAYS / 2, "atan2_f the long way: %ld points correctly rounded", tried);
}

/* x^n in the middle between two floats: integers whose n-th power has 25 bits and is odd; and scaled by a power of two
 * into the subnormals, where the middles are coarser. */
static void test_middles(void)
{
    long wrong = 0, tried = 0;
    for (int n = 2; n <= 15; n++)
        for (int x = 3; x < 5800; x += 2) {
            double power = 1;
            for (int k = 0; k < n && power < 0x1p60; k++)
                power *= x;
            for (int e = -149; e < 9; e++) {
                point p = { x * real_d((uint64_t)(1023 + e) << 52), n };
                double size = power < 0x1p25 ? pow_d(p.x, n) : 0;
                if ((power < 0x1p24 || e % 16) && size > 0x1p-126)
                    continue; /* a float, or one of many */
                if (size < 0x1p-151 || size > 0x1p128)
                    continue;
                tried++;
                wrong = misrounded(wrong, "pow_f", (double)pow_f((float)p.x, (float)n), &functions[POW], p);
            }
        }
    ok(wrong == 0 && tried > 10000, "pow_f: %ld powers that are short or in the middle between two floats", tried);
}

/* What a user would try first. */
static void test_plain(void)
{
    source s = { 5, &format_f };
    long squares = 0, triples = 0;
    for (long i = 0; i < POINTS; i++) {
        float x = (float)any(&s);
        float square = x * x;
        squares += pow_f(x, 2) != square && x == x;
        float k = (float)(i + 1);
        triples += hypot_f(3 * k, 4 * k) != 5 * k;
    }
    ok(squares == 0, "pow_f(x, 2) == x * x for %d floats", POINTS);
    ok(triples == 0, "hypot_f(3 k, 4 k) == 5 k for k up to %d", POINTS);
}

/* Quotients in the middle between two subnormals: an arctangent is less. */
static void test_subnormal_angles(void)
{
    long wrong = 0;
    for (int n = 1; n < 4096; n++)
        for (int e = 1; e < 4; e++) {
            point p = { n * 0x1p-149, real_d((uint64_t)(1023 + e) << 52) };
            wrong = misrounded(wrong, "atan2_f", functions[ATAN2].run[0](p.x, p.y), &functions[ATAN2], p);
        }
    ok(wrong == 0, "atan2_f: angles just below the middle between two subnormals");
}

/* ---- double: within a bound ------------------------------------------------------------------ */

static void test_errors(int f, long points)
{
    source s = { 1, &format_d };
    const char *name = functions[f].name;
    double bound = expected[f].bound, worst = -1;
    point where = { 0, 0 };
    for (long i = 0; i < points; i++) {
        point p = drawings[f](&s, (int)(i % KINDS));
        double e = error_at(&functions[f], 1, p.x, p.y);
        where = e > worst ? p : where;
        worst = e > worst ? e : worst;
    }
    note("%s_d: %.4f ULP at %a, %a", name, worst, where.x, where.y);
    ok(worst <= bound, "%s_d: %ld points within %g ULP", name, points, bound);
}

/* Arguments that a float holds are tried in both widths. */
// clang-format off
static const struct { int f; double x, y; } hard[] = {
    /* The true value lies within 1e-5 ULP of the middle between two neighbours, in the width of the arguments. */
    { EXP, 0x1.9e9cbbfd6080bp-31, 0 }, /* the hardest double, by Lefevre and Muller */
    { EXP, -0x1.4be01ep+4, 0 },
    { EXP, 0x1.2df5465d5f3d8p+7, 0 },
    { LOG, 0x1.cc83bcp+2, 0 },
    { LOG, 0x1.40b71229c03dfp+2, 0 },
    { POW, 0x1.239cecp+0, 0x1.0e7ce6p+6 },
    { POW, 0x1.bb9499f85b783p+0, 0x1.13210161d68b3p+9 },
    { HYPOT, 0x1.daf30ap-1, -0x1.2de1f8p-7 },
    { HYPOT, -0x1.8276ecde104p-2, 0x1.af15628e91cacp-2 },
    { ATAN2, 0x1.493aacp-1, 0x1.0a5accp-1 },
    { ATAN2, 0x1.2910c1645f7a8p-1, 0x1.05b38ee1840c4p-2 },
    /* the worst that long searches found */
    { EXP, -0x1.5ebe92p6, 0 },
    { EXP, -0x1.625f45d32c461p9, 0 },
    { LOG, 0x1.67dd3ep0, 0 },
    { LOG, 0x1.67db3ef04f3efp-1, 0 },
    { POW, 0x1.000002p0, -0x1.5ea526p29 },
    { POW, 0x1.69a4a1aa52711p-1, 0x1.b51ff1f02d843p10 },
    { HYPOT, 0x1.07155ep0, 0x1.079cc8p0 },
    { HYPOT, 0x1.000000652ffb6p0, 0x1.0356c42039758p0 },
    { ATAN2, -0x1.3bbc1cp-3, 0x1.7dda1ap-2 },
    { ATAN2, 0x1.a41ba96d0d2ecp-2, 0x1.fad8fefb3a71dp-1 },
    /* a double rounds to the very middle between two floats */
    { LOG, 0x1.827a74p-7, 0 },
    { LOG, 0x1.2f1fd6p3, 0 },
    { LOG, 0x1.bacb4ap25, 0 },
    { LOG, 0x1.b121a6p76, 0 },
    { LOG, 0x1.6351d8p95, 0 },
    /* exactly in the middle */
    { POW, 0x1.001p0, 2 },
    { POW, 0x1.8000004p0, 2 },
    /* at the ends of the range */
    { POW, 0x1.fffffep127, -1 },
    { POW, 0x1.fffffffffffffp1023, -1 },
    { HYPOT, 3, 4 },
    { HYPOT, 0x1.fffffffffffffp1023, 0x1p970 },
    { ATAN2, 1, 1 },
};
// clang-format on

static void test_hard(void)
{
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        int f = hard[i].f, fits_float = (double)(float)hard[i].x == hard[i].x && (double)(float)hard[i].y == hard[i].y;
        double e = error_at(&functions[f], 1, hard[i].x, hard[i].y), x = hard[i].x, y = hard[i].y;
        ok(e <= expected[f].bound, "%s_d(%a, %a): %.4f ULP", functions[f].name, x, y, e);
        if (fits_float)
            ok(is_rounded(functions[f].run[0](x, y), &functions[f], x, y), "%s_f(%a, %a)", functions[f].name, x, y);
    }
}

/* FNV-1a over the bytes of the results, lowest first; every NaN counts as the same. */
static void test_digest(int f, int wide)
{
    source s = { 2, wide ? &format_d : &format_f };
    uint64_t digest = 0xcbf29ce484222325u;
    for (int i = 0; i < PINNED_POINTS; i++) {
        point p = drawings[f](&s, i % KINDS);
        double r = functions[f].run[wide](p.x, p.y);
        uint64_t u = r == r ? bits_d(r) : 0x7ff8000000000000u;
        for (int byte = 0; byte < 8; byte++)
            digest = (digest ^ (u >> 8 * byte & 0xff)) * 0x100000001b3u;
    }
    ok(digest == expected[f].digest[wide], "%s_%c: %d results have the pinned bits, 0x%016" PRIx64, functions[f].name,
       "fd"[wide], PINNED_POINTS, digest);
}

int main(int argc, char **argv)
{
    long factor = argc > 1 ? atol(argv[1]) : 1;
    for (int f = 0; f < FUNCTIONS; f++) {
        test_rounding(f, POINTS * factor);
        test_errors(f, POINTS * factor);
        test_digest(f, 0);
        test_digest(f, 1);
    }
    test_long_pow();
    test_long_atan2();
    test_middles();
    test_plain();
    test_subnormal_angles();
    test_hard();
    return done_testing();
}
