/* Special values as C99 Annex F has them, and every f16 and bf16 argument of exp and log. */
#include <stdlib.h>

#include "measure.h"
#include "conformance/tap/tap.h"

#define INF __builtin_inf()
#define NONE __builtin_nan("")
#define PI 3.14159265358979323846
#define MIN 0x1p-149

static const struct {
    int f;
    double x, y, want;
} annex_f[] = {
    { EXP, 0.0, 0, 1 },
    { EXP, -0.0, 0, 1 },
    { EXP, -INF, 0, 0.0 },
    { EXP, INF, 0, INF },
    { EXP, NONE, 0, NONE },
    { EXP, 1e30, 0, INF },
    { EXP, -1e30, 0, 0.0 },

    { LOG, 0.0, 0, -INF },
    { LOG, -0.0, 0, -INF },
    { LOG, 1, 0, 0.0 },
    { LOG, -1, 0, NONE },
    { LOG, -MIN, 0, NONE },
    { LOG, -INF, 0, NONE },
    { LOG, INF, 0, INF },
    { LOG, NONE, 0, NONE },

    { POW, 0.0, -3, INF },
    { POW, -0.0, -3, -INF },
    { POW, 0.0, -2, INF },
    { POW, -0.0, -2, INF },
    { POW, -0.0, -2.5, INF },
    { POW, 0.0, -INF, INF },
    { POW, -0.0, -INF, INF },
    { POW, 0.0, 3, 0.0 },
    { POW, -0.0, 3, -0.0 },
    { POW, 0.0, 2, 0.0 },
    { POW, -0.0, 2, 0.0 },
    { POW, -0.0, 2.5, 0.0 },
    { POW, -0.0, INF, 0.0 },
    { POW, -1, INF, 1 },
    { POW, -1, -INF, 1 },
    { POW, 1, NONE, 1 },
    { POW, 1, INF, 1 },
    { POW, 1, -INF, 1 },
    { POW, 1, 3.5, 1 },
    { POW, NONE, 0.0, 1 },
    { POW, NONE, -0.0, 1 },
    { POW, INF, 0.0, 1 },
    { POW, -INF, -0.0, 1 },
    { POW, 0.0, 0.0, 1 },
    { POW, -0.0, -0.0, 1 },
    { POW, -2, 0.5, NONE },
    { POW, -2, MIN, NONE },
    { POW, -2, -1.5, NONE },
    { POW, 0.5, -INF, INF },
    { POW, -0.5, -INF, INF },
    { POW, 2, -INF, 0.0 },
    { POW, -2, -INF, 0.0 },
    { POW, 0.5, INF, 0.0 },
    { POW, -0.5, INF, 0.0 },
    { POW, 2, INF, INF },
    { POW, -2, INF, INF },
    { POW, -INF, -3, -0.0 },
    { POW, -INF, -2, 0.0 },
    { POW, -INF, -2.5, 0.0 },
    { POW, -INF, 3, -INF },
    { POW, -INF, 2, INF },
    { POW, -INF, 2.5, INF },
    { POW, INF, -MIN, 0.0 },
    { POW, INF, MIN, INF },
    { POW, 0.0, MIN, 0.0 },
    { POW, INF, INF, INF },
    { POW, INF, -INF, 0.0 },
    { POW, -INF, INF, INF },
    { POW, NONE, 1, NONE },
    { POW, 2, NONE, NONE },
    { POW, NONE, NONE, NONE },
    { POW, -0.0, NONE, NONE },
    { POW, NONE, INF, NONE },
    { POW, -2, 3, -8 },
    { POW, -2, 2, 4 },
    { POW, -2, -3, -0.125 },
    { POW, -1, 0x1.fffffep23, -1 },
    { POW, -1, 0x1p24, 1 },
    { POW, -2, 1e30, INF },

    { HYPOT, INF, NONE, INF },
    { HYPOT, NONE, -INF, INF },
    { HYPOT, -INF, 1, INF },
    { HYPOT, INF, -INF, INF },
    { HYPOT, NONE, 1, NONE },
    { HYPOT, 0.0, NONE, NONE },
    { HYPOT, -3, 0.0, 3 },
    { HYPOT, -0.0, 3, 3 },
    { HYPOT, -0.0, -0.0, 0.0 },
    { HYPOT, MIN, 0.0, MIN },
    { HYPOT, -MIN, -0.0, MIN },
    { HYPOT, 0x1.fffffep127, 0, 0x1.fffffep127 },

    { ATAN2, 0.0, -0.0, PI },
    { ATAN2, -0.0, -0.0, -PI },
    { ATAN2, 0.0, 0.0, 0.0 },
    { ATAN2, -0.0, 0.0, -0.0 },
    { ATAN2, 0.0, -1, PI },
    { ATAN2, -0.0, -1, -PI },
    { ATAN2, 0.0, 1, 0.0 },
    { ATAN2, -0.0, 1, -0.0 },
    { ATAN2, -1, 0.0, -PI / 2 },
    { ATAN2, -1, -0.0, -PI / 2 },
    { ATAN2, 1, 0.0, PI / 2 },
    { ATAN2, 1, -0.0, PI / 2 },
    { ATAN2, 1, -INF, PI },
    { ATAN2, -1, -INF, -PI },
    { ATAN2, 1, INF, 0.0 },
    { ATAN2, -1, INF, -0.0 },
    { ATAN2, INF, 1, PI / 2 },
    { ATAN2, -INF, -1, -PI / 2 },
    { ATAN2, INF, -INF, 3 * PI / 4 },
    { ATAN2, -INF, -INF, -3 * PI / 4 },
    { ATAN2, INF, INF, PI / 4 },
    { ATAN2, -INF, INF, -PI / 4 },
    { ATAN2, NONE, 1, NONE },
    { ATAN2, 1, NONE, NONE },
    { ATAN2, NONE, INF, NONE },
    { ATAN2, 0.0, NONE, NONE },
};

static int same(double a, double b) { return a == a ? bits_d(a) == bits_d(b) : b != b; }

static void test_annex_f(void)
{
    for (size_t i = 0; i < sizeof annex_f / sizeof *annex_f; i++) {
        const function *fn = &functions[annex_f[i].f];
        double x = annex_f[i].x, y = annex_f[i].y, want = annex_f[i].want;
        double narrow = fn->run[0](x, y), wide = fn->run[1](x, y);
        ok(same(narrow, (double)(float)want) && same(wide, want), "%s(%g, %g) = %g, in float %g", fn->name, x, y, wide,
           narrow);
    }
}

// clang-format off
static const double wide_only[] = {
    0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp-1, 0x1.0000000000001p0, 709.5, 1023, 1074, 0x1.fffffffffffffp52, 0x1p52,
    0x1p53, 0x1p500, 0x1p1000, 0x1.fffffffffffffp1023,
};
// clang-format on

/* Every pair from a list of awkward numbers; MPFR follows Annex F too. */
static void test_pairs(int f, int wide, double bound)
{
    // clang-format off
    double list[64] = {
        0, MIN, 0x1p-126, 0x1.fffffcp-127, 0x1p-24, 0.5, 0x1.fffffep-1, 1, 0x1.000002p0, 1.5, 2, 3, 4.5, 88.5, 127,
        128, 149, 0x1.fffffep22, 0x1p23, 0x1.000002p23, 0x1p24, 0x1p60, 0x1p100, 0x1.fffffep127, INF, NONE,
    };
    // clang-format on
    int n = 26, bad = 0;
    if (wide)
        for (size_t i = 0; i < sizeof wide_only / sizeof *wide_only; i++)
            list[n++] = wide_only[i];

    for (int i = 0; i < 4 * n * n; i++) {
        double x = list[i / 4 % n] * (i & 1 ? -1 : 1), y = list[i / 4 / n] * (i & 2 ? -1 : 1);
        double e = error_at(&functions[f], wide, x, y);
        bad += !(e <= bound);
        if (!(e <= bound))
            diag("%s_%c(%a, %a) = %a: %g ULP", functions[f].name, "fd"[wide], x, y, functions[f].run[wide](x, y), e);
    }
    ok(bad == 0, "%s_%c: %d pairs of awkward numbers", functions[f].name, "fd"[wide], 4 * n * n);
}

/* ---- f16 and bf16 ---------------------------------------------------------------------------- */

static const format format_f16 = { 11, -24, 16 };
static const format format_bf16 = { 8, -133, 128 };

static double value_of_bf16(unsigned u) { return (double)real_f((uint32_t)u << 16); }

static double value_of_f16(unsigned u)
{
    unsigned exponent = u >> 10 & 31, fraction = u & 0x3ff;
    double sign = u & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return fraction ? NONE : sign * INF;
    return exponent ? sign * (1024 + fraction) * real_d((uint64_t)(exponent - 25 + 1023) << 52)
                    : sign * fraction * 0x1p-24;
}

/* Arguments at which rounding the float's result is not rounding the true value. There are no others. */
// clang-format off
static const struct { int f, brain; unsigned argument; } exceptions[] = {
    { EXP, 0, 0x1f79 },
    { EXP, 0, 0x25cf },
    { LOG, 0, 0x1d78 },
};
// clang-format on

static int is_exception(int f, int brain, unsigned u)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (exceptions[i].f == f && exceptions[i].brain == brain && exceptions[i].argument == u)
            return 1;
    return 0;
}

static void test_halves(int f, int brain)
{
    const format *form = brain ? &format_bf16 : &format_f16;
    int surprises = 0, expected = 0;
    mpfr_t truth, result;
    mpfr_inits2(120, truth, result, (mpfr_ptr)0);
    for (unsigned u = 0; u < 65536; u++) {
        double x = brain ? value_of_bf16(u) : value_of_f16(u);
        truth_at(truth, &functions[f], x, 0);
        mpfr_set_d(result, functions[f].run[0](x, 0), MPFR_RNDN);
        int right = same(nearest(result, form), nearest(truth, form));
        expected += !right && is_exception(f, brain, u);
        if (right == is_exception(f, brain, u)) {
            surprises++;
            diag("%s of %s 0x%04x, %a: %s", functions[f].name, brain ? "bf16" : "f16", u, x, right ? "right" : "wrong");
        }
    }
    mpfr_clears(truth, result, (mpfr_ptr)0);
    ok(surprises == 0, "%s: correctly rounded for all of %s but %d arguments", functions[f].name,
       brain ? "bf16" : "f16", expected);
}

int main(void)
{
    test_annex_f();
    for (int wide = 0; wide < 2; wide++) {
        test_pairs(EXP, wide, 1);
        test_pairs(LOG, wide, 1);
        test_pairs(POW, wide, 2);
        test_pairs(HYPOT, wide, 2);
        test_pairs(ATAN2, wide, 2);
    }
    for (int f = EXP; f <= LOG; f++)
        for (int brain = 0; brain < 2; brain++)
            test_halves(f, brain);
    return done_testing();
}
