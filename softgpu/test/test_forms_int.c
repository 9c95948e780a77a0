/* Integer forms, and carry chains and lop3, which need operands of their own. */
#include "test_forms.h"

#define SX(v, bits) ((s64)((u64)(v) << (64 - (bits))) >> (64 - (bits)))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static u64 clamp32(long double v)
{
    return (u64)(s64)(v > 2147483647.0L ? 2147483647.0L : v < -2147483648.0L ? -2147483648.0L : v);
}
static s64 top(u64 v)
{
    s64 n = -1;
    while (v) {
        v >>= 1;
        n++;
    }
    return n;
}
static u64 count_bits(u64 v)
{
    u64 n = 0;
    for (; v; v >>= 1)
        n += v & 1;
    return n;
}
static u64 reverse(u64 v, int bits)
{
    u64 r = 0;
    for (int i = 0; i < bits; i++)
        r |= (v >> i & 1) << (bits - 1 - i);
    return r;
}

/* By schoolbook multiplication of 32-bit halves. */
static u64 high_product(u64 a, u64 b)
{
    u64 al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32, mid = ah * bl + (al * bl >> 32), low = (u32)mid + al * bh;
    return ah * bh + (mid >> 32) + (low >> 32);
}

static u64 dot4(u64 a, u64 b, bool sa, bool sb)
{
    s64 sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (sa ? SX(a >> 8 * i, 8) : (s64)(a >> 8 * i & 255)) * (sb ? SX(b >> 8 * i, 8) : (s64)(b >> 8 * i & 255));
    return (u64)sum;
}

/* Bit by bit, as the ISA describes it. */
static u64 extract(u64 a, u64 pos, u64 len, u64 width, bool is_signed)
{
    u64 r = 0, last = MIN(pos + len - 1, width - 1), sign = is_signed && len ? a >> last & 1 : 0;
    for (u64 i = 0; i < width; i++)
        r |= (i < len && pos + i < width ? a >> (pos + i) & 1 : sign) << i;
    return r;
}

static u64 insert(u64 a, u64 b, u64 pos, u64 len, u64 width)
{
    for (u64 i = 0; i < len && pos + i < width; i++)
        b = (b & ~((u64)1 << (pos + i))) | (a >> i & 1) << (pos + i);
    return b;
}

static u64 permute(u64 bytes, u64 selector)
{
    u64 r = 0;
    for (int i = 0; i < 4; i++) {
        u64 s = selector >> 4 * i & 15, v = bytes >> 8 * (s & 7) & 255;
        r |= (s & 8 ? (v & 128 ? 255u : 0u) : v) << 8 * i;
    }
    return r;
}

static u64 edge(u64 a, u64 c, bool left)
{
    u64 r = 0;
    for (u64 i = 0; i < 4; i++)
        r |= (a >> 8 * (left ? MAX(i, c) : MIN(i, c)) & 255) << 8 * i;
    return r;
}

// clang-format off
#define CASE(id, op, sig, expr) static u64 ref_##id(operands o, const void *data) \
    { u64 a = o.a, b = o.b, c = o.c, e = o.e; (void)b; (void)c; (void)e; (void)data; return (u64)(expr); }
// clang-format on
#include "test_forms_int.def"
#undef CASE

#define CASE(id, op, sig, expr) { op, sig, ref_##id },
static const struct {
    const char *opcode, *sig;
    reference *ref;
} cases[] = {
#include "test_forms_int.def"
};
#undef CASE

/* lop3 takes its table as a literal. */
static void test_lop3(void)
{
    static const u32 tables[] = { 0x00, 0x01, 0x80, 0x96, 0xe8, 0xca, 0xfe, 0xff, 0x3c };
    int bad = 0;
    for (size_t t = 0; t < COUNT(tables); t++) {
        char ptx[800];
        u32 in[3] = { 0xf0f0aa55u, 0xcc33f00fu, 0x12345678u }, out = 0, want = 0;
        CUdeviceptr d;
        CUmodule m;
        void *args[] = { &d, &in[0], &in[1], &in[2] };
        snprintf(ptx, sizeof ptx,
                 ".version 8.5\n.target sm_90\n.address_size 64\n.entry k(.param .u64 o, .param .u32 a, .param .u32 b, "
                 ".param .u32 c)\n{ .reg .b32 %%r<4>; .reg .b64 %%d; ld.param.u64 %%d, [o]; "
                 "ld.param.u32 %%r0, [a]; ld.param.u32 %%r1, [b]; ld.param.u32 %%r2, [c]; lop3.b32 %%r3, %%r0, %%r1, "
                 "%%r2, 0x%x; st.global.u32 [%%d], %%r3; ret; }",
                 tables[t]);
        CUfunction f = build_kernel(ptx, "k", &m);
        cuMemAlloc_v2(&d, 4);
        if (f)
            cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
        cuMemcpyDtoH_v2(&out, d, 4);
        cuMemFree_v2(d);
        for (int i = 0; i < 32; i++)
            want |= (tables[t] >> ((in[0] >> i & 1) * 4 + (in[1] >> i & 1) * 2 + (in[2] >> i & 1)) & 1) << i;
        bad += out != want;
        cuModuleUnload(m);
    }
    mark_form("lop3.b32");
    ok(bad == 0, "lop3.b32 with every kind of table");
}

/* 128-bit sums, differences and products by chains, in 32-bit and 64-bit pieces. */
typedef struct chain {
    const char *name, *body, *forms;
    u128 (*ref)(u128 a, u128 b, u128 c);
} chain;
static u128 ref_add(u128 a, u128 b, u128 c)
{
    (void)c;
    return a + b;
}
static u128 ref_sub(u128 a, u128 b, u128 c)
{
    (void)c;
    return a - b;
}
static u128 ref_mad(u128 a, u128 b, u128 c) { return (u128)(u64)a * (u64)b + c; }
static u128 ref_smad(u128 a, u128 b, u128 c) { return (u128)((s128)(s64)a * (s64)b) + c; }

static u128 ref_difference_flag(u128 a, u128 b, u128 c)
{
    (void)c;
    return (u128)((u32)a - (u32)b) | (u128)((u32)a >= (u32)b) << 32
           | (u128)(u32)((u32)(a >> 64) - (u32)(b >> 64)) << 64;
}
static u128 ref_wide_flag(u128 a, u128 b, u128 c)
{
    (void)c;
    return ((a - b) & (~(u128)0 << 64)) | (u128)(a >= b);
}

static const chain chains[] = {
    { "sub.cc.u32 addc.u32: the flag is set where nothing is borrowed",
      "sub.cc.u32 %r8,%r0,%r4; addc.u32 %r9,0,0; sub.u32 %r10,%r2,%r6; mov.u32 %r11, 0;", "sub.cc.u32",
      ref_difference_flag },
    { "subc.cc.u64 addc.u64",
      "sub.cc.u64 %d8,%d0,%d2; subc.cc.u64 %d9,%d1,%d3; addc.u64 %d8,0,0; mov.b64 {%r8,%r9},%d8; "
      "mov.b64 {%r10,%r11},%d9;",
      "subc.cc.u64", ref_wide_flag },
    { "add.cc.u32 addc.cc.u32 addc.u32",
      "add.cc.u32 %r8,%r0,%r4; addc.cc.u32 %r9,%r1,%r5; addc.cc.u32 %r10,%r2,%r6; addc.u32 %r11,%r3,%r7;",
      "add.cc.u32 addc.u32", ref_add },
    { "sub.cc.s32 subc.cc.s32 subc.s32",
      "sub.cc.s32 %r8,%r0,%r4; subc.cc.s32 %r9,%r1,%r5; subc.cc.s32 %r10,%r2,%r6; subc.s32 %r11,%r3,%r7;",
      "sub.cc.s32 subc.s32", ref_sub },
    { "add.cc.u64 addc.u64",
      "add.cc.u64 %d8,%d0,%d2; addc.u64 %d9,%d1,%d3; mov.b64 {%r8,%r9},%d8; mov.b64 {%r10,%r11},%d9;",
      "add.cc.u64 addc.u64", ref_add },
    { "sub.cc.u64 subc.u64",
      "sub.cc.u64 %d8,%d0,%d2; subc.u64 %d9,%d1,%d3; mov.b64 {%r8,%r9},%d8; mov.b64 {%r10,%r11},%d9;",
      "sub.cc.u64 subc.u64", ref_sub },
    { "mad.lo.cc.u64 madc.hi.u64",
      "mad.lo.cc.u64 %d8,%d0,%d2,%d4; madc.hi.u64 %d9,%d0,%d2,%d5; mov.b64 {%r8,%r9},%d8; mov.b64 {%r10,%r11},%d9;",
      "mad.lo.cc.u64 madc.hi.u64", ref_mad },
    { "mad.lo.cc.s64 madc.hi.s64",
      "mad.lo.cc.s64 %d8,%d0,%d2,%d4; madc.hi.s64 %d9,%d0,%d2,%d5; mov.b64 {%r8,%r9},%d8; mov.b64 {%r10,%r11},%d9;",
      "madc.hi.s64", ref_smad },
};

static void put_words(char **p, const char *name, int first)
{
    for (int i = 0; i < 4; i++)
        *p += sprintf(*p, "ld.param.u32 %%r%d, [%s+%d]; ", first + i, name, 4 * i);
}

static u128 run_chain(const chain *c, u128 in[3], bool *loaded)
{
    char ptx[3000], *p = ptx;
    u128 out = 0;
    CUdeviceptr d;
    CUmodule m;
    void *args[] = { &d, &in[0], &in[1], &in[2] };
    p += sprintf(
        p,
        ".version 8.5\n.target sm_90\n.address_size 64\n.entry k(.param .u64 o, .param .align 16 .b8 a[16], .param "
        ".align 16 .b8 b[16], .param .align 16 .b8 c[16])\n{ .reg .pred %%p0; .reg .b32 %%r<16>; .reg .b64 %%d<12>; ");
    put_words(&p, "a", 0);
    put_words(&p, "b", 4);
    put_words(&p, "c", 12);
    for (int i = 0; i < 6; i++)
        p += sprintf(p, "ld.param.u64 %%d%d, [%c+%d]; ", i, "abc"[i / 2], 8 * (i % 2));
    p += sprintf(p, "%s ld.param.u64 %%d11, [o]; st.global.v4.u32 [%%d11], {%%r8,%%r9,%%r10,%%r11}; ret; }", c->body);
    CUfunction f = build_kernel(ptx, "k", &m);
    *loaded = f != NULL;
    cuMemAlloc_v2(&d, 16);
    if (f)
        cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
    cuMemcpyDtoH_v2(&out, d, 16);
    cuMemFree_v2(d);
    if (f)
        cuModuleUnload(m);
    return out;
}

static void test_chain(const chain *c)
{
    int bad = 0;
    for (int n = 0; n < 64; n++) {
        u128 in[3];
        bool loaded;
        for (int i = 0; i < 3; i++)
            in[i] = (u128)random_value('l') << 64 | random_value('l');
        bad += run_chain(c, in, &loaded) != c->ref(in[0], in[1], in[2]) || !loaded;
    }
    char forms[100], *save = forms;
    snprintf(forms, sizeof forms, "%s", c->forms);
    for (char *op = strtok_r(forms, " ", &save); op; op = strtok_r(NULL, " ", &save))
        mark_form(op);
    ok(bad == 0, "chain %s", c->name);
}

/* One link at a time: carry in from an add that overflows or not, carry out seen by addc. */
static void test_link(const char *opcode, char t, u64 (*wide_high)(u64 a, u64 b), bool takes_carry)
{
    const char *w = t == 'l' ? "64" : "32", *r = t == 'l' ? "d" : "r";
    int bad = 0;
    for (int n = 0; n < 64; n++) {
        u64 mask = t == 'l' ? ~(u64)0 : 0xffffffffu,
            in[4] = { random_value(t), random_value(t), random_value(t), random_bits() >> 9 & 1 }, out[2] = { 0 };
        char ptx[1500];
        CUdeviceptr d;
        CUmodule m;
        void *args[] = { &d, &in[0], &in[1], &in[2], &in[3] };
        snprintf(ptx, sizeof ptx,
                 ".version 8.5\n.target sm_90\n.address_size 64\n.entry k(.param .u64 o, .param .u64 a, .param .u64 b, "
                 ".param .u64 c, .param .u64 f)\n{ .reg .b32 %%r<8>; .reg .b64 %%d<8>; ld.param.u64 %%d7, [o]; "
                 "ld.param.u%s %%%s0, [a]; ld.param.u%s %%%s1, [b]; ld.param.u%s %%%s2, [c]; ld.param.u32 %%r6, [f]; "
                 "add.cc.u32 %%r6, %%r6, -1; %s %%%s3, %%%s0, %%%s1, %%%s2; addc.u32 %%r7, 0, 0; "
                 "st.global.b%s [%%d7], %%%s3; st.global.u32 [%%d7+8], %%r7; ret; }",
                 w, r, w, r, w, r, opcode, r, r, r, r, w, r);
        CUfunction f = build_kernel(ptx, "k", &m);
        cuMemAlloc_v2(&d, 16);
        cuMemsetD8_v2(d, 0, 16);
        if (f)
            cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
        cuMemcpyDtoH_v2(out, d, 16);
        cuMemFree_v2(d);
        u64 product = wide_high ? wide_high(in[0], in[1]) & mask : (in[0] * in[1]) & mask;
        u128 sum = (u128)product + in[2] + (takes_carry ? in[3] : 0);
        bad += !f || (out[0] & mask) != ((u64)sum & mask) || out[1] != (u64)(sum >> (t == 'l' ? 64 : 32));
        if (f)
            cuModuleUnload(m);
    }
    mark_form(opcode);
    ok(bad == 0, "%s", opcode);
}

static u64 high32(u64 a, u64 b) { return a * b >> 32; }
static u64 high_s32(u64 a, u64 b) { return (u64)(SX(a, 32) * SX(b, 32)) >> 32; }
static u64 high_s64(u64 a, u64 b) { return high_product(a, b) - ((s64)a < 0 ? b : 0) - ((s64)b < 0 ? a : 0); }

void test_integer_forms(void)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        check_form(cases[i].opcode, cases[i].sig, cases[i].ref, NULL);
    test_lop3();
    for (size_t i = 0; i < COUNT(chains); i++)
        test_chain(&chains[i]);
    test_link("mad.lo.cc.u32", 'w', NULL, false);
    test_link("mad.lo.cc.u64", 'l', NULL, false);
    test_link("mad.hi.cc.u32", 'w', high32, false);
    test_link("mad.hi.cc.s32", 'w', high_s32, false);
    test_link("mad.hi.cc.u64", 'l', high_product, false);
    test_link("mad.hi.cc.s64", 'l', high_s64, false);
    test_link("madc.lo.cc.s32", 'w', NULL, true);
    test_link("madc.lo.cc.u64", 'l', NULL, true);
    test_link("madc.hi.cc.u32", 'w', high32, true);
    test_link("madc.hi.cc.s32", 'w', high_s32, true);
    test_link("madc.hi.cc.u64", 'l', high_product, true);
    test_link("madc.hi.cc.s64", 'l', high_s64, true);
}
