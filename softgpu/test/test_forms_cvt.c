/* Comparisons and conversions: every pair of types, every comparison, every rounding. */
#include "test_forms.h"

typedef struct kind {
    const char *name;
    char c;
    int bits;
    bool is_signed, is_float;
} kind;
static const kind kinds[] = {
    { "u8", 'b', 8, false, false },   { "s8", 'b', 8, true, false },    { "u16", 'h', 16, false, false },
    { "s16", 'h', 16, true, false },  { "u32", 'w', 32, false, false }, { "s32", 'w', 32, true, false },
    { "u64", 'l', 64, false, false }, { "s64", 'l', 64, true, false },  { "f16", 'e', 16, true, true },
    { "bf16", 'g', 16, true, true },  { "f32", 'f', 32, true, true },   { "f64", 'd', 64, true, true },
};
enum { INTS = 8 };

static long double number(const kind *k, u64 v)
{
    if (k->is_float)
        return (long double)value_of(k->c, v);
    v <<= 64 - k->bits;
    return k->is_signed ? (long double)((s64)v >> (64 - k->bits)) : (long double)(v >> (64 - k->bits));
}

/* --- setp and set --- */
static const char *const compares[] = { "eq",  "ne",  "lt",  "le",  "gt",  "ge", "equ", "neu", "ltu",
                                        "leu", "gtu", "geu", "num", "nan", "lo", "ls",  "hi",  "hs" };

typedef struct comparison {
    const kind *k;
    int op;
    bool ftz;
    int combine;
    int result;
    bool high;
} comparison;

static bool holds(int op, long double a, long double b)
{
    bool nan = a != a || b != b;
    switch (op) {
    case 0: return !nan && a == b;
    case 1: return !nan && a != b;
    case 2:
    case 14: return a < b;
    case 3:
    case 15: return a <= b;
    case 4:
    case 16: return a > b;
    case 5:
    case 17: return a >= b;
    case 6: return nan || a == b;
    case 7: return nan || a != b;
    case 8: return nan || a < b;
    case 9: return nan || a <= b;
    case 10: return nan || a > b;
    case 11: return nan || a >= b;
    case 12: return !nan;
    default: return nan;
    }
}

static long double operand_value(const comparison *c, u64 v)
{
    if (c->ftz && (v & 0x7f800000) == 0)
        v &= 0x80000000;
    return number(c->k, v);
}

static bool compared(operands o, const comparison *c)
{
    bool p = holds(c->op, operand_value(c, o.a), operand_value(c, o.b)), q = o.c & 1;
    return c->combine == 1 ? p && q : c->combine == 2 ? p || q : c->combine == 3 ? p != q : p;
}

static u64 ref_setp(operands o, const void *data) { return compared(o, data); }

static u64 ref_set(operands o, const void *data)
{
    static const u64 yes[] = { 0xffffffff, 0x3f800000, 0x3c00, 0x3f80 };
    const comparison *c = data;
    return compared(o, c) ? yes[c->result] : 0;
}

static u64 ref_pair(operands o, const void *data)
{
    comparison c = *(const comparison *)data;
    u64 one = c.k->c == 'e' ? 0x3c00 : 0x3f80;
    operands lo = { o.a & 0xffff, o.b & 0xffff, 0, 0 }, hi = { o.a >> 16, o.b >> 16, 0, 0 };
    return (compared(lo, &c) ? one : 0) | (compared(hi, &c) ? one << 16 : 0);
}

static u64 ref_low(operands o, const void *data)
{
    operands lo = { o.a & 0xffff, o.b & 0xffff, o.c, 0 };
    return compared(lo, data);
}

static void test_pairs(int op, const kind *k)
{
    char opcode[48], x = k->c == 'e' ? 'x' : 'y', sig[8] = { 'x', '=', x, x, 0 };
    comparison c = { k, op, false, 0, 0, false };
    snprintf(opcode, sizeof opcode, "set.%s.%sx2.%sx2", compares[op], k->name, k->name);
    check_form(opcode, sig, ref_pair, &c);
    sig[0] = 'p';
    snprintf(opcode, sizeof opcode, "setp.%s.%sx2", compares[op], k->name);
    check_form(opcode, sig, ref_low, &c);
}

static void test_comparison(int op, const kind *k, const char *name)
{
    static const char *const combines[] = { "", ".and", ".or", ".xor" }, *const results[] = { "u32", "f32", "f16",
                                                                                              "bf16" };
    char opcode[48], sig[8];
    for (int combine = 0; combine < 4; combine++) {
        comparison c = { k, op, false, combine, combine, false };
        snprintf(sig, sizeof sig, "p=%c%c%s", k->c, k->c, combine ? "p" : "");
        snprintf(opcode, sizeof opcode, "setp.%s%s.%s", compares[op], combines[combine], name);
        check_form(opcode, sig, ref_setp, &c);
        c.combine = 0;
        snprintf(sig, sizeof sig, "%c=%c%c", combine > 1 ? 'h' : 'w', k->c, k->c);
        snprintf(opcode, sizeof opcode, "set.%s.%s.%s", compares[op], results[combine], name);
        check_form(opcode, sig, ref_set, &c);
    }
    if (k->c != 'f')
        return;
    comparison z = { k, op, true, 0, 0, false };
    snprintf(opcode, sizeof opcode, "setp.%s.ftz.f32", compares[op]);
    check_form(opcode, "p=ff", ref_setp, &z);
}

void test_compare_forms(void)
{
    static const kind bits[] = { { "b16", 'h', 16, false, false },
                                 { "b32", 'w', 32, false, false },
                                 { "b64", 'l', 64, false, false } };
    for (int op = 0; op < 18; op++)
        for (size_t i = 2; i < COUNT(kinds); i++) {
            const kind *k = &kinds[i];
            if (k->is_float ? op > 13 : (op > 5 && op < 14) || (op > 13 && k->is_signed))
                continue;
            test_comparison(op, k, k->name);
            if (k->c == 'e' || k->c == 'g')
                test_pairs(op, k);
        }
    for (int op = 0; op < 2; op++)
        for (size_t i = 0; i < COUNT(bits); i++)
            test_comparison(op, &bits[i], bits[i].name);
}

/* --- cvt --- */
typedef struct conversion {
    const kind *to, *from;
    int rounding;
    bool integral, sat, ftz, relu, finite;
} conversion;

static long double round_value(long double v, int rounding)
{
    long double down = floorl(v), up = ceill(v);
    switch (rounding) {
    case 0: return rintl(v);
    case 1: return truncl(v);
    case 2: return down;
    default: return up;
    }
}

static u64 to_integer(const conversion *c, long double v)
{
    int bits = c->to->bits;
    long double low = c->to->is_signed ? -ldexpl(1.0L, bits - 1) : 0.0L,
                high = ldexpl(1.0L, c->to->is_signed ? bits - 1 : bits) - 1.0L;
    if (v != v)
        return c->from->bits == 64 || bits == 64 ? (u64)1 << (bits - 1) : 0;
    v = round_value(v, c->rounding);
    v = v < low ? low : v > high ? high : v;
    return v < 0.0L ? (u64)(s64)v : (u64)v;
}

static u64 sign_extended(const kind *k, u64 v)
{
    return k->bits < 16 && k->is_signed ? (u64)((s64)(v << (64 - k->bits)) >> (64 - k->bits))
           : k->bits < 16               ? v & 0xff
                                        : v;
}

static u64 ref_cvt(operands o, const void *data)
{
    const conversion *c = data;
    u64 in = o.a;
    if (c->ftz && c->from->c == 'f' && !(in & 0x7f800000))
        in &= 0x80000000;
    long double v = number(c->from, in);
    if (!c->to->is_float) {
        if (c->from->is_float)
            return sign_extended(c->to, to_integer(c, v));
        if (c->sat)
            return sign_extended(c->to, to_integer(c, v));
        return sign_extended(c->to, (u64)(c->from->is_signed ? (u64)(s64)v : (u64)v));
    }
    if (c->integral && v == v)
        v = copysignl(round_value(v, c->rounding), v);
    u64 r = bits_of(c->to->c, v, c->integral ? 0 : c->rounding);
    if (c->ftz && c->to->c == 'f' && !(r & 0x7f800000))
        r &= 0x80000000;
    long double got = (long double)value_of(c->to->c, r);
    if (c->sat)
        r = got > 0.0L ? bits_of(c->to->c, got < 1.0L ? got : 1.0L, 0) : 0;
    if (c->finite && isinf(got))
        r = (c->to->c == 'e' ? 0x7bff : 0x7f7f) | (signbit(got) ? 0x8000 : 0);
    if (c->relu && got == got && signbit(got))
        r = 0;
    return r;
}

static void one_cvt(const conversion *c, const char *mods)
{
    char opcode[48], sig[4] = { c->to->c, '=', c->from->c, 0 };
    snprintf(opcode, sizeof opcode, "cvt%s.%s.%s", mods, c->to->name, c->from->name);
    check_form(opcode, sig, ref_cvt, c);
}

static void test_float_cvt(const kind *to, const kind *from)
{
    static const char *const rnd[] = { ".rn", ".rz", ".rm", ".rp" }, *const irnd[] = { ".rni", ".rzi", ".rmi", ".rpi" };
    char mods[32];
    bool same = to == from, f32 = to->c == 'f' || from->c == 'f';
    bool halves = from->is_float && to->bits == from->bits && !same;
    bool narrows = !from->is_float || to->bits < from->bits || halves;
    for (int r = 0; r < 4; r++) {
        conversion c = { .to = to, .from = from, .rounding = narrows || same ? r : 0, .integral = same };
        if (!narrows && !same && r)
            continue;
        one_cvt(&c, same ? irnd[r] : narrows ? rnd[r] : "");
        if (to->c != 'g' && !halves) {
            c.sat = true;
            snprintf(mods, sizeof mods, "%s.sat", same ? irnd[r] : narrows ? rnd[r] : "");
            one_cvt(&c, mods);
            c.sat = false;
        }
        if (!f32 || (to->c == 'g' && narrows) || (from->c != 'f' && !from->is_float))
            continue;
        c.ftz = true;
        snprintf(mods, sizeof mods, "%s.ftz", same ? irnd[r] : narrows ? rnd[r] : "");
        one_cvt(&c, mods);
    }
}

static void test_integer_cvt(const kind *to, const kind *from)
{
    static const char *const irnd[] = { ".rni", ".rzi", ".rmi", ".rpi" };
    conversion c = { .to = to, .from = from };
    if (!from->is_float) {
        one_cvt(&c, "");
        c.sat = true;
        one_cvt(&c, ".sat");
        return;
    }
    for (c.rounding = 0; c.rounding < 4; c.rounding++)
        one_cvt(&c, irnd[c.rounding]);
    if (from->c != 'f')
        return;
    c = (conversion){ .to = to, .from = from, .rounding = 3, .ftz = true };
    one_cvt(&c, ".rpi.ftz");
}

static u64 ref_pack(operands o, const void *data)
{
    operands lo = { o.b, 0, 0, 0 };
    return (ref_cvt(lo, data) & 0xffff) | (ref_cvt(o, data) & 0xffff) << 16;
}

static u64 ref_tf32(operands o, const void *data)
{
    float v = bits_f32((u32)o.a);
    u32 b = f32_bits(v), add = *(const int *)data ? 0x1000 : 0x0fff + (b >> 13 & 1);
    return v != v ? 0x7fffffff : isinf(v) ? b : (b + add) & 0xffffe000u;
}

static u64 ref_finite_tf32(operands o, const void *data)
{
    u64 r = ref_tf32(o, data);
    return (r & 0x7fffffff) == 0x7f800000 ? r - 0x2000 : r;
}

static void test_finite(const kind *to, const kind *from, bool relu)
{
    conversion c = { .to = to, .from = from, .relu = relu, .finite = true };
    char mods[32], opcode[48];
    snprintf(mods, sizeof mods, ".rn%s.satfinite", relu ? ".relu" : "");
    one_cvt(&c, mods);
    if (from->bits == 16)
        return;
    snprintf(opcode, sizeof opcode, "cvt%s.%sx2.f32", mods, to->name);
    check_form(opcode, "x=ff", ref_pack, &c);
}

/* kinds 8 to 10 are f16, bf16 and f32. */
static void test_finite_forms(void)
{
    int away = 1, even = 0;
    for (int to = 8; to < 10; to++)
        for (int from = 8; from <= 10; from++)
            for (int relu = 0; relu < 2 && to != from; relu++)
                test_finite(&kinds[to], &kinds[from], relu);
    check_form("cvt.rna.satfinite.tf32.f32", "w=f", ref_finite_tf32, &away);
    check_form("cvt.rn.satfinite.tf32.f32", "w=f", ref_finite_tf32, &even);
}

void test_convert_forms(void)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (size_t j = 0; j < COUNT(kinds); j++) {
            if (kinds[i].is_float)
                test_float_cvt(&kinds[i], &kinds[j]);
            else
                test_integer_cvt(&kinds[i], &kinds[j]);
        }
    for (int v = 0; v < 8; v++) {
        const kind *to = &kinds[v & 1 ? 9 : 8];
        conversion c = { .to = to, .from = &kinds[10], .rounding = v & 2 ? 1 : 0, .relu = v & 4 };
        char opcode[48];
        snprintf(opcode, sizeof opcode, "cvt%s%s.%sx2.f32", v & 2 ? ".rz" : ".rn", v & 4 ? ".relu" : "", to->name);
        check_form(opcode, "x=ff", ref_pack, &c);
        snprintf(opcode, sizeof opcode, "cvt%s%s.%s.f32", v & 2 ? ".rz" : ".rn", v & 4 ? ".relu" : "", to->name);
        check_form(opcode, v & 1 ? "g=f" : "e=f", ref_cvt, &c);
    }
    int away = 1, even = 0;
    check_form("cvt.rna.tf32.f32", "w=f", ref_tf32, &away);
    check_form("cvt.rn.tf32.f32", "w=f", ref_tf32, &even);
    test_finite_forms();
}
