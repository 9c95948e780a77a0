/* Pairs of f32, mixed types, small floats, packing and tests against independently computed values. */
#include "test_forms.h"

typedef struct more_case {
    const char *opcode, *sig;
    reference *ref;
    const void *data;
} more_case;

static u64 f32_sum(u64 a, u64 b)
{
    return bits_of('f', (long double)value_of('f', a) + (long double)value_of('f', b), 0);
}
static u64 f32_product(u64 a, u64 b)
{
    return bits_of('f', (long double)value_of('f', a) * (long double)value_of('f', b), 0);
}
static u64 f32_fused(u64 a, u64 b, u64 c)
{
    float r = fmaf((float)value_of('f', a), (float)value_of('f', b), (float)value_of('f', c));
    return r != r ? nan_of('f') : f32_bits(r);
}
#define LO(v) ((v)&0xffffffffu)
#define HI(v) ((v) >> 32)
#define SIGN 0x80000000u
static u64 add2(operands o, const void *d)
{
    return (void)d, f32_sum(LO(o.a), LO(o.b)) | f32_sum(HI(o.a), HI(o.b)) << 32;
}
static u64 sub2(operands o, const void *d)
{
    return (void)d, f32_sum(LO(o.a), LO(o.b) ^ SIGN) | f32_sum(HI(o.a), HI(o.b) ^ SIGN) << 32;
}
static u64 mul2(operands o, const void *d)
{
    return (void)d, f32_product(LO(o.a), LO(o.b)) | f32_product(HI(o.a), HI(o.b)) << 32;
}
static u64 fma2(operands o, const void *d)
{
    return (void)d, f32_fused(LO(o.a), LO(o.b), LO(o.c)) | f32_fused(HI(o.a), HI(o.b), HI(o.c)) << 32;
}

/* The other type of a mixed sum, given as a letter, as f32. */
static u64 widened(u64 bits, const void *letter)
{
    return bits_of('f', (long double)value_of(*(const char *)letter, bits & 0xffff), 0);
}
static u64 mixed_add(operands o, const void *t) { return f32_sum(widened(o.a, t), o.b); }
static u64 mixed_sub(operands o, const void *t) { return f32_sum(widened(o.a, t), o.b ^ SIGN); }
static u64 mixed_fma(operands o, const void *t) { return f32_fused(widened(o.a, t), widened(o.b, t), o.c); }

static u64 extreme3(operands o, const void *is_max)
{
    u64 v[3] = { o.a, o.b, o.c }, best = nan_of('f');
    for (int i = 0; i < 3; i++) {
        double x = value_of('f', v[i]), y = value_of('f', best);
        bool less = x < y || (x == y && signbit(x) && !signbit(y));
        bool more = x > y || (x == y && !signbit(x) && signbit(y));
        if (x == x && (y != y || (is_max ? more : less)))
            best = v[i];
    }
    return best;
}

/* A small format by its definition: mantissa bits, bias, largest code, whether it has a NaN, bits of a code. */
typedef struct small {
    int mant, bias, largest, width;
    bool has_nan, relu;
} small;
static double small_value(const small *f, int code) /* without the sign */
{
    int e = code >> f->mant, m = code & ((1 << f->mant) - 1);
    return e ? ldexp(1.0 + ldexp(m, -f->mant), e - f->bias) : ldexp(m, 1 - f->bias - f->mant);
}
/* The nearest code; of two, the even one. */
static u64 nearest(const small *f, double x)
{
    int sign_at = f->width == 8 ? (f->largest > 0x3f ? 7 : 5) : 3;
    if (x != x)
        return f->has_nan ? 0x7f : (u64)f->largest;
    if (f->relu && signbit(x))
        return 0;
    int best = 0;
    for (int code = 1; code <= f->largest; code++) {
        double was = fabs(small_value(f, best) - fabs(x)), is = fabs(small_value(f, code) - fabs(x));
        if (is < was || (is == was && code % 2 == 0))
            best = code;
    }
    if (fabs(x) >= small_value(f, f->largest))
        best = f->largest;
    return (u64)best | (u64)(signbit(x) != 0) << sign_at;
}
static u64 to_small(operands o, const void *d)
{
    const small *f = d;
    return nearest(f, value_of('f', o.a)) << f->width | nearest(f, value_of('f', o.b));
}
static u64 halves_to_small(operands o, const void *d)
{
    const small *f = d;
    return nearest(f, value_of('e', o.a >> 16)) << f->width | nearest(f, value_of('e', o.a & 0xffff));
}
static u64 one_half(const small *f, u64 code)
{
    int sign_at = f->width == 8 ? (f->largest > 0x3f ? 7 : 5) : 3, mag = (int)code & ((1 << sign_at) - 1);
    bool negative = code >> sign_at & 1;
    if (f->has_nan && mag > f->largest && (f->mant == 3 || mag > f->largest + 1))
        return 0x7fff;
    double v = mag > f->largest ? (double)INFINITY : small_value(f, mag);
    return f->relu && negative ? 0 : bits_of('e', (long double)(negative ? -v : v), 0);
}
static u64 from_small(operands o, const void *d)
{
    const small *f = d;
    u64 mask = f->width == 8 ? 255 : 15;
    return one_half(f, o.a >> f->width & mask) << 16 | one_half(f, o.a & mask);
}
static const small e4m3 = { 3, 7, 0x7e, 8, true, false }, e5m2 = { 2, 15, 0x7b, 8, true, false };
static const small e2m3 = { 3, 1, 0x1f, 8, false, false }, e3m2 = { 2, 3, 0x1f, 8, false, false };
static const small e2m1 = { 1, 1, 0x07, 4, false, false }, e4m3_relu = { 3, 7, 0x7e, 8, true, true };

/* cvt.pack: bits of a part, negative for signed ones. */
static u64 clamped(u64 v, int bits)
{
    s64 low = bits < 0 ? -((s64)1 << (-bits - 1)) : 0,
        high = bits < 0 ? ((s64)1 << (-bits - 1)) - 1 : ((s64)1 << bits) - 1, x = (s32)v;
    return (u64)(x < low ? low : x > high ? high : x) & (((u64)1 << abs(bits)) - 1);
}
static u64 packed(operands o, const void *d)
{
    int bits = *(const int *)d, n = abs(bits);
    return clamped(o.a, bits) << n | clamped(o.b, bits) | (n < 16 ? o.c << 2 * n : 0);
}
static const int u16_ = 16, s16_ = -16, u8_ = 8, s8_ = -8, u4_ = 4, s4_ = -4, u2_ = 2, s2_ = -2;

static u64 class_is(double v, const char *what)
{
    int c = fpclassify(v);
    switch (what[0]) {
    case 'f': return c != FP_NAN && c != FP_INFINITE;
    case 'i': return c == FP_INFINITE;
    case 's': return c == FP_SUBNORMAL;
    default: return !strcmp(what, "number") ? c != FP_NAN : !strcmp(what, "notanumber") ? c == FP_NAN : c == FP_NORMAL;
    }
}
static u64 test32(operands o, const void *what)
{
    double v = value_of('f', o.a);
    bool is_small = v != 0.0 && fabs(v) < 0x1p-126;
    return !strcmp(what, "subnormal") ? is_small
           : !strcmp(what, "normal")  ? class_is(v, what) && !is_small
                                      : class_is(v, what);
}
static u64 test64(operands o, const void *what) { return class_is(value_of('d', o.a), what); }

static u64 nth(operands o, const void *d)
{
    int base = (int)(o.b & 31), step = (s32)o.c < 0 ? -1 : 1;
    s64 left = (s32)o.c < 0 ? -(s64)(s32)o.c : (s32)o.c;
    (void)d;
    if (!left)
        return o.a >> base & 1 ? (u64)base : 0xffffffff;
    for (int i = base; i >= 0 && i < 32; i += step)
        if (o.a >> i & 1 && --left == 0)
            return (u64)i;
    return 0xffffffff;
}
static u64 mad24(operands o, const void *d)
{
    s64 a = (s64)(o.a << 40) >> 40, b = (s64)(o.b << 40) >> 40, r = (a * b >> 16) + (s32)o.c;
    (void)d;
    return (u64)(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
}
/* data: "hus" is the upper bytes, a unsigned, b signed */
static u64 dot2(operands o, const void *d)
{
    const char *how = d;
    s64 sum = (s32)o.c;
    for (int i = 0; i < 2; i++) {
        u64 half = o.a >> 16 * i & 0xffff, byte = o.b >> (8 * i + (how[0] == 'h' ? 16 : 0)) & 255;
        sum += (how[1] == 's' ? (s64)(s16)half : (s64)half) * (how[2] == 's' ? (s64)(s8)byte : (s64)byte);
    }
    return (u64)sum;
}

static u64 same(operands o, const void *d) { return (void)d, o.a; }
static u64 nothing(operands o, const void *d) { return (void)o, (void)d, 0; }
static u64 in_shared(operands o, const void *d) { return (void)d, o.a - 0x7e0000000000u < 0x1000000000u; }

// clang-format off
static const more_case cases[] = {
    { "add.rn.f32x2", "l=ll", add2, NULL }, { "sub.f32x2", "l=ll", sub2, NULL }, { "mul.f32x2", "l=ll", mul2, NULL },
    { "fma.rn.f32x2", "l=lll", fma2, NULL },
    { "add.f32.f16", "f=ef", mixed_add, "e" }, { "sub.rn.f32.f16", "f=ef", mixed_sub, "e" },
    { "fma.rn.f32.f16", "f=eef", mixed_fma, "e" },
    { "add.f32.bf16", "f=gf", mixed_add, "g" }, { "sub.f32.bf16", "f=gf", mixed_sub, "g" },
    { "fma.rn.f32.bf16", "f=ggf", mixed_fma, "g" },
    { "min.f32", "f=fff", extreme3, NULL }, { "max.f32", "f=fff", extreme3, "max" },
    { "cvt.rn.satfinite.e4m3x2.f32", "h=ff", to_small, &e4m3 },
    { "cvt.rn.satfinite.e5m2x2.f32", "h=ff", to_small, &e5m2 },
    { "cvt.rn.satfinite.e2m3x2.f32", "h=ff", to_small, &e2m3 },
    { "cvt.rn.satfinite.e3m2x2.f32", "h=ff", to_small, &e3m2 },
    { "cvt.rn.satfinite.e2m1x2.f32", "b=ff", to_small, &e2m1 },
    { "cvt.rn.satfinite.relu.e4m3x2.f32", "h=ff", to_small, &e4m3_relu },
    { "cvt.rn.satfinite.e4m3x2.f16x2", "h=x", halves_to_small, &e4m3 },
    { "cvt.rn.satfinite.e5m2x2.f16x2", "h=x", halves_to_small, &e5m2 },
    { "cvt.rn.satfinite.e2m3x2.f16x2", "h=x", halves_to_small, &e2m3 },
    { "cvt.rn.satfinite.e3m2x2.f16x2", "h=x", halves_to_small, &e3m2 },
    { "cvt.rn.satfinite.e2m1x2.f16x2", "b=x", halves_to_small, &e2m1 },
    { "cvt.rn.f16x2.e4m3x2", "w=h", from_small, &e4m3 }, { "cvt.rn.f16x2.e5m2x2", "w=h", from_small, &e5m2 },
    { "cvt.rn.relu.f16x2.e4m3x2", "w=h", from_small, &e4m3_relu }, { "cvt.rn.f16x2.e2m1x2", "w=b", from_small, &e2m1 },
    { "cvt.rn.f16x2.e2m3x2", "w=h", from_small, &e2m3 }, { "cvt.rn.f16x2.e3m2x2", "w=h", from_small, &e3m2 },
    { "cvt.pack.sat.u16.s32", "w=ww", packed, &u16_ }, { "cvt.pack.sat.s16.s32", "w=ww", packed, &s16_ },
    { "cvt.pack.sat.u8.s32.b32", "w=www", packed, &u8_ }, { "cvt.pack.sat.s8.s32.b32", "w=www", packed, &s8_ },
    { "cvt.pack.sat.u4.s32.b32", "w=www", packed, &u4_ }, { "cvt.pack.sat.s4.s32.b32", "w=www", packed, &s4_ },
    { "cvt.pack.sat.u2.s32.b32", "w=www", packed, &u2_ }, { "cvt.pack.sat.s2.s32.b32", "w=www", packed, &s2_ },
    { "testp.finite.f32", "p=f", test32, "finite" }, { "testp.infinite.f32", "p=f", test32, "infinite" },
    { "testp.number.f32", "p=f", test32, "number" }, { "testp.notanumber.f32", "p=f", test32, "notanumber" },
    { "testp.normal.f32", "p=f", test32, "normal" }, { "testp.subnormal.f32", "p=f", test32, "subnormal" },
    { "testp.finite.f64", "p=d", test64, "finite" }, { "testp.infinite.f64", "p=d", test64, "infinite" },
    { "testp.number.f64", "p=d", test64, "number" }, { "testp.notanumber.f64", "p=d", test64, "notanumber" },
    { "testp.normal.f64", "p=d", test64, "normal" }, { "testp.subnormal.f64", "p=d", test64, "subnormal" },
    { "fns.b32", "w=www", nth, NULL }, { "mad24.hi.sat.s32", "w=www", mad24, NULL },
    { "dp2a.lo.u32.u32", "w=www", dot2, "luu" }, { "dp2a.lo.u32.s32", "w=www", dot2, "lus" },
    { "dp2a.lo.s32.u32", "w=www", dot2, "lsu" }, { "dp2a.lo.s32.s32", "w=www", dot2, "lss" },
    { "dp2a.hi.u32.u32", "w=www", dot2, "huu" }, { "dp2a.hi.u32.s32", "w=www", dot2, "hus" },
    { "dp2a.hi.s32.u32", "w=www", dot2, "hsu" }, { "dp2a.hi.s32.s32", "w=www", dot2, "hss" },
    { "mapa.shared::cluster.u32", "w=ww", same, NULL }, { "mapa.u64", "l=lw", same, NULL },
    { "getctarank.shared::cluster.u32", "w=w", nothing, NULL }, { "getctarank.u64", "w=l", nothing, NULL },
    { "isspacep.shared::cluster", "p=l", in_shared, NULL },
    { "createpolicy.fractional.L2::evict_last.b64", "l=f", nothing, NULL },
    { "createpolicy.cvt.L2.b64", "l=l", nothing, NULL },
};
// clang-format on

void test_more_forms(void)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        check_form(cases[i].opcode, cases[i].sig, cases[i].ref, cases[i].data);
}
