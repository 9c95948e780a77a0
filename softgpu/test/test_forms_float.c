/* Floating-point forms, in every rounding and with every flag, against the host's own arithmetic. */
#include "test_forms.h"
#include <fenv.h>

typedef struct spec {
    char op, type;
    int rounding;
    bool ftz, sat, nan, xorsign, relu;
} spec;

static const int modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
static const char *const names[] = { ".rn", ".rz", ".rm", ".rp" };

static u64 sign_bit(char t) { return t == 'f' ? 0x80000000u : t == 'd' ? (u64)1 << 63 : 0x8000; }
static bool is_subnormal(char t, u64 b)
{
    double v = value_of(t, b);
    return v != 0.0 && fabs(v) < (t == 'f' || t == 'g' ? 0x1p-126 : t == 'e' ? 0x1p-14 : 0x1p-1022);
}
static u64 flush(const spec *s, u64 b) { return s->ftz && is_subnormal(s->type, b) ? b & sign_bit(s->type) : b; }

static u64 finish(const spec *s, u64 b)
{
    double v = value_of(s->type, b = flush(s, b));
    if (s->sat)
        return v > 0.0 ? bits_of(s->type, v < 1.0 ? (long double)v : 1.0L, 0) : 0;
    if (s->relu && v == v)
        return v > 0.0 ? b : 0;
    return b;
}

static float compute_f(char op, volatile float a, volatile float b, volatile float c)
{
    volatile float r;
    switch (op) {
    case '+': r = a + b; break;
    case '-': r = a - b; break;
    case '*': r = a * b; break;
    case '/': r = a / b; break;
    case 'q': r = sqrtf(a); break;
    case 'r': r = 1.0f / a; break;
    default: r = fmaf(a, b, c);
    }
    return r;
}

static double compute_d(char op, volatile double a, volatile double b, volatile double c)
{
    volatile double r;
    switch (op) {
    case '+': r = a + b; break;
    case '-': r = a - b; break;
    case '*': r = a * b; break;
    case '/': r = a / b; break;
    case 'q': r = sqrt(a); break;
    case 'r': r = 1.0 / a; break;
    default: r = fma(a, b, c);
    }
    return r;
}

static u64 arithmetic(operands o, const void *data)
{
    const spec *s = data;
    u64 a = flush(s, o.a), b = flush(s, o.b), c = flush(s, o.c), bits;
    fesetround(modes[s->rounding]);
    if (s->type == 'f') {
        float r = compute_f(s->op, bits_f32((u32)a), bits_f32((u32)b), bits_f32((u32)c));
        bits = r != r ? nan_of('f') : f32_bits(r);
    } else {
        double r = compute_d(s->op, bits_f64(a), bits_f64(b), bits_f64(c));
        bits = r != r ? nan_of('d') : f64_bits(r);
    }
    fesetround(FE_TONEAREST);
    return finish(s, bits);
}

static const struct {
    const char *name;
    char op;
    int sources;
    bool optional, saturates;
} table[] = {
    { "add", '+', 2, true, true },    { "sub", '-', 2, true, true },   { "mul", '*', 2, true, true },
    { "fma", 'm', 3, false, true },   { "mad", 'm', 3, false, true },  { "div", '/', 2, false, false },
    { "sqrt", 'q', 1, false, false }, { "rcp", 'r', 1, false, false },
};

static void test_arithmetic(char t)
{
    char opcode[40], sig[8];
    for (size_t i = 0; i < COUNT(table); i++)
        for (int v = 0; v < 16; v++) {
            spec s = { .op = table[i].op, .type = t, .rounding = v & 3, .ftz = v & 4, .sat = v & 8 };
            if ((t == 'd' && v > 3) || (s.sat && !table[i].saturates))
                continue;
            snprintf(opcode, sizeof opcode, "%s%s%s%s.f%s", table[i].name, names[s.rounding], s.ftz ? ".ftz" : "",
                     s.sat ? ".sat" : "", t == 'd' ? "64" : "32");
            snprintf(sig, sizeof sig, "%c=%.*s", t, table[i].sources, t == 'd' ? "ddd" : "fff");
            check_form(opcode, sig, arithmetic, &s);
            if (v || !table[i].optional)
                continue;
            snprintf(opcode, sizeof opcode, "%s.f%s", table[i].name, t == 'd' ? "64" : "32");
            check_form(opcode, sig, arithmetic, &s);
        }
}

/* min and max: the operand that is a number wins, -0 < +0. */
static u64 extreme(operands o, const void *data)
{
    const spec *s = data;
    u64 sign = (o.a ^ o.b) & sign_bit(s->type), a = flush(s, o.a), b = flush(s, o.b);
    if (s->xorsign)
        a &= sign_bit(s->type) - 1, b &= sign_bit(s->type) - 1;
    double x = value_of(s->type, a), y = value_of(s->type, b);
    if (s->nan && (x != x || y != y))
        return nan_of(s->type);
    if (x != x && y != y)
        return nan_of(s->type);
    bool first = x != x   ? false
                 : y != y ? true
                 : x == y ? signbit(x) == (s->op == '<') || signbit(x) == signbit(y)
                          : (x < y) == (s->op == '<');
    if (x == y && signbit(x) != signbit(y))
        first = (signbit(x) != 0) == (s->op == '<');
    return (first ? a : b) | (s->xorsign ? sign : 0);
}

static u64 halves(operands o, const void *data, reference *one)
{
    operands lo = { o.a & 0xffff, o.b & 0xffff, o.c & 0xffff, 0 }, hi = { o.a >> 16, o.b >> 16, o.c >> 16, 0 };
    return (one(lo, data) & 0xffff) | (one(hi, data) & 0xffff) << 16;
}

static u64 extreme_x2(operands o, const void *data) { return halves(o, data, extreme); }

static void test_extreme(char t, const char *suffix, bool flags, bool pair)
{
    char opcode[48], sig[8] = { pair ? (t == 'e' ? 'x' : 'y') : t, '=', pair ? (t == 'e' ? 'x' : 'y') : t,
                                pair ? (t == 'e' ? 'x' : 'y') : t, 0 };
    for (int v = 0; v < (flags ? 16 : 2); v++) {
        spec s = { .op = v & 1 ? '<' : '>', .type = t, .ftz = v & 2, .nan = v & 4, .xorsign = v & 8 };
        snprintf(opcode, sizeof opcode, "%s%s%s%s.%s", v & 1 ? "min" : "max", s.ftz ? ".ftz" : "", s.nan ? ".NaN" : "",
                 s.xorsign ? ".xorsign.abs" : "", suffix);
        check_form(opcode, sig, pair ? extreme_x2 : extreme, &s);
    }
}

static u64 negated(operands o, const void *data) { return flush(data, o.a) ^ 0x80000000u; }
static u64 absolute(operands o, const void *data) { return flush(data, o.a) & 0x7fffffffu; }

void test_float_forms(void)
{
    test_arithmetic('f');
    test_arithmetic('d');
    test_extreme('f', "f32", true, false);
    test_extreme('d', "f64", false, false);
    spec z = { .type = 'f', .ftz = true };
    check_form("neg.ftz.f32", "f=f", negated, &z);
    check_form("abs.ftz.f32", "f=f", absolute, &z);
}

/* --- halves: long double holds sums and products of them exactly; for fma the sum in 113 bits has its error added as
 * an odd bit, so that the rounding that follows is right --- */
__extension__ typedef __float128 wide;

static long double fused(long double x, long double y, long double z)
{
    wide p = (wide)x * (wide)y, s = p + (wide)z, t = s - p, lost = (p - (s - t)) + ((wide)z - t);
    long double r = (long double)s;
    int e;
    wide rest = (s - (wide)r) + lost;
    if (!isfinite(r) || rest == 0)
        return r;
    frexpl(r, &e);
    long double ulp = ldexpl(1.0L, e - 64);
    return fmodl(r, 2.0L * ulp) == 0.0L ? r + (rest > 0 ? ulp : -ulp) : r;
}

static u64 half_arithmetic(operands o, const void *data)
{
    const spec *s = data;
    u64 a = flush(s, o.a & 0xffff), b = flush(s, o.b & 0xffff), c = flush(s, o.c & 0xffff);
    long double x = (long double)value_of(s->type, a), y = (long double)value_of(s->type, b),
                z = (long double)value_of(s->type, c), r;
    switch (s->op) {
    case '+': r = x + y; break;
    case '-': r = x - y; break;
    case '*': r = x * y; break;
    case 'n': return flush(s, o.a & 0xffff) ^ 0x8000;
    case 'a': return flush(s, o.a & 0xffff) & 0x7fff;
    default: r = fused(x, y, z);
    }
    return finish(s, bits_of(s->type, r, 0));
}

static u64 half_arithmetic_x2(operands o, const void *data) { return halves(o, data, half_arithmetic); }

static void test_half(char t, const char *suffix, bool pair)
{
    static const struct {
        const char *name;
        char op;
        int sources;
    } ops[] = {
        { "add", '+', 2 },    { "sub", '-', 2 }, { "mul", '*', 2 },
        { "fma.rn", 'm', 3 }, { "neg", 'n', 1 }, { "abs", 'a', 1 },
    };
    char c = pair ? (t == 'e' ? 'x' : 'y') : t, opcode[48], sig[8];
    for (size_t i = 0; i < COUNT(ops); i++)
        for (int v = 0; v < 8; v++) {
            spec s = { .op = ops[i].op, .type = t, .ftz = v & 1, .sat = v & 2, .relu = v & 4 };
            if ((s.relu && (s.op != 'm' || s.sat)) || (s.sat && (s.op == 'n' || s.op == 'a')))
                continue;
            snprintf(opcode, sizeof opcode, "%s%s%s%s.%s", ops[i].name, s.ftz ? ".ftz" : "", s.sat ? ".sat" : "",
                     s.relu ? ".relu" : "", suffix);
            snprintf(sig, sizeof sig, "%c=%.*s", c, ops[i].sources, (char[4]){ c, c, c, 0 });
            check_form(opcode, sig, pair ? half_arithmetic_x2 : half_arithmetic, &s);
        }
}

void test_half_forms(void)
{
    test_half('e', "f16", false);
    test_half('g', "bf16", false);
    test_half('e', "f16x2", true);
    test_half('g', "bf16x2", true);
    test_extreme('e', "f16", true, false);
    test_extreme('g', "bf16", true, false);
    test_extreme('e', "f16x2", true, true);
    test_extreme('g', "bf16x2", true, true);
}

/* --- approximations, within the ISA's bounds --- */
static double ref_ex2(double x) { return exp2(x); }
static double ref_rcp(double x) { return 1.0 / x; }
static double ref_rsqrt(double x) { return 1.0 / sqrt(x); }

static u64 div_ref(operands o, const void *data)
{
    float a = bits_f32((u32)o.a), b = bits_f32((u32)o.b), r = a / b;
    (void)data;
    if (fabsf(b) > 0x1p126f && !isinf(b) && b == b)
        r = a - a == 0.0f ? copysignf(0.0f, a) * copysignf(1.0f, b) : (float)NAN;
    return r != r ? nan_of('f') : f32_bits(r);
}

static u64 upper_rcp(operands o, const void *data)
{
    double x = bits_f64(o.a & 0xffffffff00000000u);
    (void)data;
    if (fabs(x) < 0x1p-1022)
        x = copysign(0.0, x);
    double r = 1.0 / x;
    if (fabs(r) < 0x1p-1022)
        r = copysign(0.0, r);
    return r != r ? nan_of('d') : f64_bits(r) & 0xffffffff00000000u;
}

void test_approximate_forms(void)
{
    static const char *const ftz[] = { "", ".ftz" };
    char op[40];
    for (int i = 0; i < 2; i++) {
        snprintf(op, sizeof op, "ex2.approx%s.f32", ftz[i]);
        check_near(op, "f=f", ref_ex2, 2.0, 0.0, -100.0, 100.0);
        snprintf(op, sizeof op, "lg2.approx%s.f32", ftz[i]);
        check_near(op, "f=f", log2, 2.0, 0x1p-22, 0.01, 4.0);
        snprintf(op, sizeof op, "sin.approx%s.f32", ftz[i]);
        check_near(op, "f=f", sin, 1.0, 0x1p-20, -3.14, 3.14);
        snprintf(op, sizeof op, "cos.approx%s.f32", ftz[i]);
        check_near(op, "f=f", cos, 1.0, 0x1p-20, -3.14, 3.14);
        snprintf(op, sizeof op, "rcp.approx%s.f32", ftz[i]);
        check_near(op, "f=f", ref_rcp, 1.0, 0.0, 0.001, 1000.0);
        snprintf(op, sizeof op, "rsqrt.approx%s.f32", ftz[i]);
        check_near(op, "f=f", ref_rsqrt, 2.0, 0.0, 0.001, 1000.0);
        snprintf(op, sizeof op, "sqrt.approx%s.f32", ftz[i]);
        check_near(op, "f=f", sqrt, 2.0, 0.0, 0.001, 1000.0);
    }
    check_near("tanh.approx.f32", "f=f", tanh, 2.0, 0x1p-11, -9.0, 9.0);
    check_near("ex2.approx.f16", "e=e", ref_ex2, 1.0, 0x1p-9, -10.0, 10.0);
    check_near("ex2.approx.f16x2", "x=x", ref_ex2, 1.0, 0x1p-9, -10.0, 10.0);
    check_near("tanh.approx.f16", "e=e", tanh, 1.0, 0x1p-10, -9.0, 9.0);
    check_near("tanh.approx.f16x2", "x=x", tanh, 1.0, 0x1p-10, -9.0, 9.0);
    check_near("ex2.approx.ftz.bf16", "g=g", ref_ex2, 1.0, 0x1p-7, -100.0, 100.0);
    check_near("ex2.approx.ftz.bf16x2", "y=y", ref_ex2, 1.0, 0x1p-7, -100.0, 100.0);
    check_near("tanh.approx.bf16", "g=g", tanh, 1.0, 0x1p-8, -9.0, 9.0);
    check_near("tanh.approx.bf16x2", "y=y", tanh, 1.0, 0x1p-8, -9.0, 9.0);
    check_near("rsqrt.approx.f64", "d=d", ref_rsqrt, 0x1p33, 0.0, 0.001, 1000.0);
    check_form("div.approx.f32", "f=ff", div_ref, NULL);
    check_form("rcp.approx.ftz.f64", "d=d", upper_rcp, NULL);
    spec s = { .op = '/', .type = 'f' };
    check_form("div.full.f32", "f=ff", arithmetic, &s);
    spec z = { .op = '/', .type = 'f', .ftz = true };
    check_form("div.full.ftz.f32", "f=ff", arithmetic, &z);
}
