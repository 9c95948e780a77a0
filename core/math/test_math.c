/* exp, log, pow, hypot and atan2 against MPFR, and their bits against a pinned digest.
 *
 *     test_math [N]    N times as many points (to search for the worst error) */
#include <inttypes.h>
#include <stdlib.h>

#include "measure.h"
#include "conformance/tap/tap.h"

enum { POINTS = 200000, PINNED_POINTS = 20000 };

typedef struct {
    double x, y;
} point;
typedef struct {
    uint64_t state;
    const format *f;
} source; /* of numbers that the format can hold */

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t random_bits(source *s)
{
    uint64_t v = s->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

static int is_float(const source *s) { return s->f == &format_f; }

static double held(const source *s, double v) { return is_float(s) ? (double)(float)v : v; }

/* Any pattern: every binade, subnormals, infinities, NaN. */
static double any(source *s)
{
    uint64_t u = random_bits(s);
    return is_float(s) ? (double)real_f((uint32_t)u) : real_d(u);
}

static double between(source *s, double low, double high)
{
    return held(s, low + (high - low) * ((double)(random_bits(s) >> 11) * 0x1p-53));
}

/* v, moved by up to 2^k of its ULP, k uniform. */
static double near(source *s, double v)
{
    uint64_t reach = (uint64_t)1 << random_bits(s) % (is_float(s) ? 24 : 52),
             move = random_bits(s) % (2 * reach) - reach;
    return is_float(s) ? (double)real_f(bits_f((float)v) + (uint32_t)move) : real_d(bits_d(v) + move);
}

static double subnormal(source *s)
{
    uint64_t shift = random_bits(s) % 52, u = random_bits(s) >> shift;
    return is_float(s) ? (double)real_f((uint32_t)u & 0x807fffffu) : real_d(u & 0x800fffffffffffffu);
}

/* The arguments of exp at which results overflow, become subnormal, and vanish. */
static double edge_of_exp(const source *s, int which)
{
    static const double edges[2][3] = { { 88.72283905206835, -87.33654475055310, -103.97207708399179 },
                                        { 709.782712893384, -708.3964185322641, -745.1332191019411 } };
    return edges[!is_float(s)][which];
}

/* ---- points per function, by kind ------------------------------------------------------------ */

static point draw_exp(source *s, int kind)
{
    point p = { 0, 0 };
    switch (kind) {
    case 0: p.x = any(s); break;
    case 1: p.x = near(s, held(s, edge_of_exp(s, (int)(random_bits(s) % 3)))); break;
    case 2: p.x = between(s, edge_of_exp(s, 2), edge_of_exp(s, 1)); break;
    case 3: p.x = between(s, -1, 1); break;
    default: p.x = between(s, edge_of_exp(s, 1), edge_of_exp(s, 0)); break;
    }
    return p;
}

static point draw_log(source *s, int kind)
{
    point p = { 0, 0 };
    switch (kind) {
    case 0: p.x = any(s); break;
    case 1: p.x = subnormal(s); break;
    case 2: p.x = near(s, 1); break;
    default: p.x = between(s, 0.5, kind == 3 ? 2 : 10); break;
    }
    return p;
}

/* y such that x^y spans the whole range of results. Roughly log(x), from the exponent and the mantissa. */
static double exponent_for(source *s, double x)
{
    double log_x = ((double)(bits_d(x) & 0x7fffffffffffffffu) * 0x1p-52 - 1023) * 0.6931;
    return held(s, between(s, edge_of_exp(s, 2) * 1.01, edge_of_exp(s, 0) * 1.01) / log_x);
}

static point draw_pow(source *s, int kind)
{
    point p = { any(s), 0 };
    switch (kind) {
    case 0: p.y = any(s); break;
    case 1: p.y = (double)(random_bits(s) % 41) / 2 - 10; break;
    case 2:
        p.x = near(s, 1);
        p.y = exponent_for(s, p.x);
        break;
    case 3:
        p.x = between(s, 0.5, 2);
        p.y = exponent_for(s, p.x);
        break;
    case 4:
        p.x = between(s, -100, 100);
        p.y = between(s, -10, 10);
        break;
    case 5:
        p.x = subnormal(s);
        p.y = exponent_for(s, p.x);
        break;
    default:
        p.x = held(s, real_d(bits_d(p.x) & 0x7fffffffffffffffu));
        p.y = exponent_for(s, p.x);
        break;
    }
    return p;
}

static point draw_pair(source *s, int kind)
{
    point p = { any(s), 0 };
    switch (kind) {
    case 0: p.y = any(s); break;
    case 1:
        p.x = subnormal(s);
        p.y = subnormal(s);
        break;
    case 2: p.y = subnormal(s); break;
    case 3:
        p.x = near(s, 1);
        p.y = near(s, 1);
        break;
    case 4: p.y = held(s, p.x * between(s, -2, 2)); break;
    case 5: p.y = held(s, p.x * between(s, -0x1p-20, 0x1p-20)); break;
    default:
        p.x = between(s, -1, 1);
        p.y = between(s, -1, 1);
        break;
    }
    if (random_bits(s) & 1) {
        point turned = { p.y, p.x };
        p = turned;
    }
    return p;
}

enum { KINDS = 8 };

typedef struct {
    point (*draw)(source *s, int kind);
    double bound[2]; /* in ULP, in float and in double: the worst that is stated above the function, and little more */
    uint64_t digest[2];
} expectation;

static const expectation expected[FUNCTIONS] = {
    [EXP] = { draw_exp, { 0.79, 0.79 }, { 0xb7af98a7441641bc, 0x177908e8284a805e } },
    [LOG] = { draw_log, { 0.67, 0.67 }, { 0xad22565ce7a0d27f, 0xc51ac9102773bd39 } },
    [POW] = { draw_pow, { 0.82, 0.85 }, { 0x92ea39ca000eda9a, 0x0503d707b35e35bc } },
    [HYPOT] = { draw_pair, { 1.23, 1.23 }, { 0xe6c137c95a0c5b41, 0x8679e056e2c717be } },
    [ATAN2] = { draw_pair, { 0.66, 0.66 }, { 0x034d4267aa069abe, 0x6465f3231854ccff } },
};

/* ---- errors, and the bits themselves --------------------------------------------------------- */

static void test_errors(int f, int wide, long points)
{
    source s = { 1, wide ? &format_d : &format_f };
    const char *name = functions[f].name;
    double bound = expected[f].bound[wide], worst = -1;
    point where = { 0, 0 };
    for (long i = 0; i < points; i++) {
        point p = expected[f].draw(&s, (int)(i % KINDS));
        double e = error_at(&functions[f], wide, p.x, p.y);
        where = e > worst ? p : where;
        worst = e > worst ? e : worst;
    }
    note("%s_%c: %.4f ULP at %a, %a", name, "fd"[wide], worst, where.x, where.y);
    ok(worst <= bound, "%s_%c: %ld points within %g ULP", name, "fd"[wide], points, bound);
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
    { EXP, -0x1.625f8bf3a1e92p9, 0 },
    { LOG, 0x1.67dd3ep0, 0 },
    { LOG, 0x1.66187aec44133p0, 0 },
    { POW, 0x1.000002p0, -0x1.5ea526p29 },
    { POW, 0x1.6930dd0bf4d23p0, -0x1.c61e629953dc3p10 },
    { HYPOT, 0x1.07155ep0, 0x1.079cc8p0 },
    { HYPOT, 0x1.011319ac23e82p0, 0x1.000010af7cf94p0 },
    { ATAN2, -0x1.3bbc1cp-3, 0x1.7dda1ap-2 },
    { ATAN2, -0x1.765127923e238p-3, 0x1.b08070f60fd5p-2 },
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
        for (int wide = !fits_float; wide < 2; wide++) {
            double e = error_at(&functions[f], wide, hard[i].x, hard[i].y);
            ok(e <= expected[f].bound[wide], "%s_%c(%a, %a): %.4f ULP", functions[f].name, "fd"[wide], hard[i].x,
               hard[i].y, e);
        }
    }
}

/* FNV-1a over the bytes of the results, lowest first; every NaN counts as the same. */
static void test_digest(int f, int wide)
{
    source s = { 2, wide ? &format_d : &format_f };
    uint64_t digest = 0xcbf29ce484222325u;
    for (int i = 0; i < PINNED_POINTS; i++) {
        point p = expected[f].draw(&s, i % KINDS);
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
    for (int f = 0; f < FUNCTIONS; f++)
        for (int wide = 0; wide < 2; wide++) {
            test_errors(f, wide, POINTS * factor);
            test_digest(f, wide);
        }
    test_hard();
    return done_testing();
}
