/* Memory forms, and how a kernel of one statement after the other is run; the result is worked out by hand. */
#include "test_forms.h"

static CUdeviceptr in, out;

/* Runs a body on one block; in holds i*0x01010101+0x80 words, out comes back. %r0 is the thread, %d0 and %d1 point to
 * in and out, %d2 and %d3 to the thread's own word of 8 bytes. */
bool run_body(const char *body, unsigned threads, u64 *result, size_t words)
{
    char ptx[6000];
    CUmodule m;
    u32 data[1024];
    void *args[] = { &in, &out };
    if (!in)
        cuMemAlloc_v2(&in, 8192);
    if (!out)
        cuMemAlloc_v2(&out, 8192);
    for (u32 i = 0; i < 1024; i++)
        data[i] = i * 0x01010101u + 0x80;
    cuMemcpyHtoD_v2(in, data, sizeof data);
    cuMemsetD8_v2(out, 0, 8192);
    snprintf(ptx, sizeof ptx,
             ".version 8.6\n.target sm_100\n.address_size 64\n.shared .align 16 .b8 sh[8192];\n.const .align 8 .b32 "
             "cst[4] = { 11, 22, 33, 44 };\n"
             ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n.reg .pred %%p<12>; .reg .b16 %%h<12>; .reg .b32 "
             "%%r<40>; .reg .b64 %%d<24>; .local .align 16 .b8 loc[256];\n"
             "ld.param.u64 %%d0, [p0]; ld.param.u64 %%d1, [p1]; mov.u32 %%r0, %%tid.x; mul.wide.u32 %%d3, %%r0, 8; "
             "add.u64 %%d2, %%d0, %%d3; add.u64 %%d3, %%d1, %%d3; shl.b32 %%r1, %%r0, 4; mov.u32 %%r2, sh; add.u32 "
             "%%r1, %%r1, %%r2;\n%s\nret;\n}\n",
             body);
    CUfunction f = build_kernel(ptx, "k", &m);
    if (!f)
        return false;
    bool good = !cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL) && !cuCtxSynchronize();
    if (!good)
        diag("%s", softgpuLastMessage());
    cuMemcpyDtoH_v2(result, out, words * 8);
    cuModuleUnload(m);
    return good;
}

void check_body(const body_case *c)
{
    u64 got[1024];
    char list[800], *save = list;
    int bad = !run_body(c->body, c->threads, got, c->threads);
    for (u32 i = 0; !bad && i < c->threads; i++)
        if (got[i] != c->want(i) && !bad++)
            diag("%s: thread %u got %llx, want %llx", c->name, i, (unsigned long long)got[i],
                 (unsigned long long)c->want(i));
    snprintf(list, sizeof list, "%s", c->forms);
    for (char *op = strtok_r(list, " ", &save); op; op = strtok_r(NULL, " ", &save))
        mark_form(op);
    ok(bad == 0, "%s", c->name);
}

static u32 word(u32 i) { return i * 0x01010101u + 0x80; }
static u64 pair_of(u32 t) { return word(2 * t) | (u64)word(2 * t + 1) << 32; }

/* --- loads and stores of every size, space and vector length --- */
typedef struct size_case {
    const char *type, *reg;
    int bytes;
    bool is_signed;
} size_case;
static const size_case sizes[] = {
    { "u8", "%h1", 1, false },  { "s8", "%r5", 1, true },   { "b16", "%h1", 2, false }, { "s16", "%r5", 2, true },
    { "u32", "%r5", 4, false }, { "s32", "%d5", 4, true },  { "f32", "%r5", 4, false }, { "b64", "%d5", 8, false },
    { "s8", "%d5", 1, true },   { "u16", "%d5", 2, false },
};

static const size_case *current;

static u64 want_load(u32 t)
{
    u64 v = pair_of(t);
    if (current->bytes == 8)
        return v;
    v <<= 64 - 8 * current->bytes;
    s64 s = (s64)v >> (64 - 8 * current->bytes);
    u64 r = current->is_signed ? (u64)s : v >> (64 - 8 * current->bytes);
    return current->reg[1] == 'd' ? r : current->reg[1] == 'r' ? (u32)r : (u16)r;
}

static void test_sizes(void)
{
    static const struct {
        const char *name, *setup, *where;
    } spaces[] = {
        { ".global", "", "%d2" },
        { "", "", "%d2" },
        { ".global.nc", "", "%d2" },
        { ".volatile.global", "", "%d2" },
        { ".relaxed.gpu.global.L1::no_allocate", "", "%d2" },
        { ".shared", "ld.global.b64 %d9, [%d2]; st.shared.b64 [%r1], %d9;", "%r1" },
        { ".local", "ld.global.b64 %d9, [%d2]; mov.u64 %d10, loc; st.local.b64 [%d10+8], %d9;", "%d10+8" },
        { "", "ld.global.b64 %d9, [%d2]; cvt.u64.u32 %d11, %r1; cvta.shared.u64 %d11, %d11; st.b64 [%d11], %d9;",
          "%d11" },
        { "", "ld.global.b64 %d9, [%d2]; mov.u64 %d10, loc; cvta.local.u64 %d10, %d10; st.b64 [%d10], %d9;", "%d10" },
    };
    char body[800], forms[100], name[100];
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            current = &sizes[i];
            const char *reg = current->reg, *size = reg[1] == 'd' ? "64" : reg[1] == 'r' ? "32" : "16";
            snprintf(body, sizeof body, "%s ld%s.%s %s, [%s]; st.global.b%s [%%d3], %s;", spaces[s].setup,
                     spaces[s].name, current->type, reg, spaces[s].where, size, reg);
            snprintf(forms, sizeof forms, "ld%s.%s", spaces[s].name, current->type);
            snprintf(name, sizeof name, "ld%s.%s to %s%s", spaces[s].name, current->type, reg,
                     s > 6 ? " (generic)" : "");
            check_body(&(body_case){ name, forms, body, 64, want_load });
        }
}

static u64 want_store(u32 t)
{
    return pair_of(t) & (current->bytes == 8 ? ~(u64)0 : ((u64)1 << 8 * current->bytes) - 1);
}

static void test_stores(void)
{
    static const char *const types[] = { "u8", "s8", "b16", "s16", "f32", "s32", "u64" };
    static const int bytes[] = { 1, 1, 2, 2, 4, 4, 8 };
    char body[300], forms[40], name[40];
    for (size_t i = 0; i < COUNT(types); i++) {
        size_case c = { types[i], "", bytes[i], false };
        current = &c;
        const char *reg = bytes[i] == 8 ? "%d5" : bytes[i] == 4 ? "%r5" : "%h5";
        snprintf(body, sizeof body, "ld.global.b%d %s, [%%d2]; st.global.wb.%s [%%d3], %s;",
                 bytes[i] == 8   ? 64
                 : bytes[i] == 4 ? 32
                                 : 16,
                 reg, types[i], reg);
        snprintf(forms, sizeof forms, "st.global.%s", types[i]);
        snprintf(name, sizeof name, "st.global.wb.%s", types[i]);
        check_body(&(body_case){ name, forms, body, 64, want_store });
        snprintf(forms, sizeof forms, "ldu.global.%s", types[i]);
        snprintf(body, sizeof body, "ldu.global.%s %s, [%%d2]; st.global.%s [%%d3], %s;", types[i], reg, types[i], reg);
        check_body(&(body_case){ forms, forms, body, 64, want_store });
    }
}

static u64 want_const(u32 t) { return 33 + 11 * (t & 1); }
static u64 want_v4(u32 t) { return (u64)word(4 * (t & 63)) + word(4 * (t & 63) + 3); }
static u64 want_reversed(u32 t) { return 63 - t + 5; }
static u64 want_generic(u32 t)
{
    (void)t;
    return 0x1d;
}
static u64 want_pack(u32 t)
{
    return (pair_of(t) >> 48) | (pair_of(t) & 0xffff) << 48 | (pair_of(t) >> 16 & 0xffffffff) << 16;
}
static u64 want_param(u32 t) { return t * 3 + 7; }

static const body_case memory_bodies[] = {
    { "ld.const", "ld.const.u32",
      "and.b32 %r4, %r0, 1; mul.wide.u32 %d4, %r4, 4; mov.u64 %d5, cst; add.u64 %d5, %d5, %d4; ld.const.u32 "
      "%r5, [%d5+8]; st.global.u32 [%d3], %r5;",
      64, want_const },
    { "an address of 32 bits that wraps", "",
      "add.u32 %r4, %r0, 5; st.shared.u32 [%r1], %r4; bar.sync 0; shl.b32 %r5, %r0, 4; neg.s32 %r5, %r5; ld.shared.u32 "
      "%r6, "
      "[%r5+1008]; st.global.u32 [%d3], %r6;",
      64, want_reversed },
    { "vectors of four", "",
      "and.b32 %r4, %r0, 63; mul.wide.u32 %d4, %r4, 16; add.u64 %d4, %d0, %d4; ld.global.v4.u32 "
      "{%r5,_,_,%r8}, [%d4]; st.shared.v2.u32 [%r1], {%r5,%r8}; ld.shared.v2.u32 {%r6,%r7}, [%r1]; "
      "cvt.u64.u32 %d5, %r6; cvt.u64.u32 %d6, %r7; add.u64 %d5, %d5, %d6; st.global.u64 [%d3], %d5;",
      64, want_v4 },
    { "vectors of eight", "",
      "and.b32 %r4, %r0, 31; mul.wide.u32 %d4, %r4, 32; add.u64 %d4, %d0, %d4; ld.global.v8.b32 "
      "{%r5,%r6,%r7,%r8,%r9,%r10,%r11,%r12}, [%d4]; cvt.u64.u32 %d5, %r5; cvt.u64.u32 %d6, %r8; add.u64 %d5, "
      "%d5, %d6; st.global.u64 [%d3], %d5;",
      1, want_v4 },
    { "spaces of addresses",
      "cvta.shared.u64 cvta.to.shared.u64 cvta.local.u64 cvta.to.local.u64 cvta.param.u64 cvta.to.param.u64 "
      "cvta.global.u64 cvta.to.global.u64 isspacep.shared isspacep.local isspacep.param isspacep.global",
      "mov.u64 %d4, sh; cvta.shared.u64 %d5, %d4; mov.u64 %d6, loc; cvta.local.u64 %d7, %d6; mov.u64 %d8, p0; "
      "cvta.param.u64 %d9, %d8; cvta.global.u64 %d10, %d0; cvta.to.global.u64 %d10, %d10; cvta.to.shared.u64 "
      "%d11, %d5; cvta.to.local.u64 %d12, %d7; cvta.to.param.u64 %d13, %d9;"
      "isspacep.shared %p0, %d5; isspacep.local %p1, %d7; isspacep.param %p2, %d9; isspacep.global %p3, %d0; "
      "isspacep.shared %p4, %d0; ld.u64 %d14, [%d9]; setp.eq.and.u64 %p5, %d14, %d0, %p3; setp.eq.and.u64 "
      "%p5, %d10, %d0, %p5; setp.eq.and.u64 %p5, %d11, %d4, %p5; setp.eq.and.u64 %p5, %d12, %d6, %p5; "
      "setp.eq.and.u64 %p5, %d13, %d8, %p5;"
      "selp.u32 %r5, 1, 0, %p0; selp.u32 %r6, 4, 0, %p1; selp.u32 %r7, 8, 0, %p2; selp.u32 %r8, 16, 0, %p5; "
      "selp.u32 %r9, 2, 0, %p4; or.b32 %r5, %r5, %r6; or.b32 %r5, %r5, %r7; or.b32 %r5, %r5, %r8; or.b32 %r5, "
      "%r5, %r9; st.global.u32 [%d3], %r5;",
      40, want_generic },
    { "unpack and pack", "",
      "ld.global.u64 %d4, [%d2]; mov.b64 {%h1,%h2,%h3,%h4}, %d4; mov.b64 %d5, {%h4,%h2,%h3,%h1}; "
      "st.global.u64 [%d3], %d5;",
      64, want_pack },
    { "guards on any instruction", "",
      "setp.lt.u32 %p1, %r0, 1000; mov.u32 %r5, 0; @!%p1 mov.u32 %r5, 99; @%p1 mad.lo.u32 %r5, %r0, 3, 7; "
      "@!%p1 st.global.u32 [%d3], 5; @%p1 st.global.u32 [%d3], %r5;",
      70, want_param },
};

void test_memory_forms(void)
{
    test_sizes();
    test_stores();
    for (size_t i = 0; i < COUNT(memory_bodies); i++)
        check_body(&memory_bodies[i]);
}

/* --- atomics: 64 threads on one word --- */
typedef struct atom_case {
    const char *op, *reg, *size, *start, *value;
    u64 final;
} atom_case;
static const atom_case atoms[] = {
    { "add.u32", "%r5", "32", "5", "%r0", 5 + 2016 },
    { "add.s32", "%r5", "32", "-5", "%r0", 2011 },
    { "add.u64", "%d5", "64", "5", "%d6", 2021 },
    { "add.s64", "%d5", "64", "5", "%d6", 2021 },
    { "min.u32", "%r5", "32", "30", "%r0", 0 },
    { "min.s32", "%r5", "32", "-3", "%r0", 0xfffffffd },
    { "min.u64", "%d5", "64", "30", "%d6", 0 },
    { "min.s64", "%d5", "64", "-3", "%d6", 0xfffffffffffffffd },
    { "max.u32", "%r5", "32", "-3", "%r0", 0xfffffffd },
    { "max.s32", "%r5", "32", "-3", "%r0", 63 },
    { "max.u64", "%d5", "64", "-3", "%d6", 0xfffffffffffffffd },
    { "max.s64", "%d5", "64", "-3", "%d6", 63 },
    { "and.b32", "%r5", "32", "255", "%r0", 0 },
    { "or.b32", "%r5", "32", "64", "%r0", 127 },
    { "xor.b32", "%r5", "32", "5", "%r0", 5 },
    { "and.b64", "%d5", "64", "255", "%d6", 0 },
    { "or.b64", "%d5", "64", "64", "%d6", 127 },
    { "xor.b64", "%d5", "64", "5", "%d6", 5 },
    { "inc.u32", "%r5", "32", "0", "20", 64 % 21 },
    { "dec.u32", "%r5", "32", "0", "20", 20 },
    { "exch.b32", "%r5", "32", "0", "%r0", 63 },
    { "exch.b64", "%d5", "64", "0", "%d6", 63 },
    { "add.f32", "%r5", "32", "0f3F800000", "%r7", 0x44fc2000 },
    { "add.f64", "%d5", "64", "0d3FF0000000000000", "%d7", 0x409f840000000000 },
    { "add.noftz.f16", "%h5", "16", "0", "%h6", 0x67e0 },
    { "add.noftz.bf16", "%h5", "16", "0", "%h7", 0 },
    { "add.noftz.f16x2", "%r5", "32", "0", "%r8", 0x67e067e0 },
    { "add.noftz.bf16x2", "%r5", "32", "0", "%r9", 0 },
    { "cas.b32", "%r5", "32", "0", "%r0, 77", 77 },
    { "cas.b64", "%d5", "64", "0", "%d6, 77", 77 },
    { "cas.b16", "%h5", "16", "0", "%h1, %h2", 77 },
};

static u64 bf16_sum(void)
{
    u64 sum = 0;
    for (int i = 0; i < 64; i++)
        sum = bits_of('g', (long double)value_of('g', sum) + (long double)i, 0);
    return sum;
}

void test_atomic_forms(void)
{
    static const char *const spaces[] = { ".global", ".shared", "" };
    for (size_t i = 0; i < COUNT(atoms); i++)
        for (int s = 0; s < 6; s++) {
            const atom_case *a = &atoms[i];
            bool red = s > 2;
            char body[1600], name[60];
            const char *where = s % 3 == 1 ? "%r2" : "%d1";
            u64 got[1], want = a->final, mask = a->size[0] == '6' ? ~(u64)0 : a->size[0] == '3' ? 0xffffffff : 0xffff;
            if (red && (strstr(a->op, "exch") || strstr(a->op, "cas")))
                continue;
            if (!strcmp(a->op, "add.noftz.bf16"))
                want = bf16_sum();
            if (!strcmp(a->op, "add.noftz.bf16x2"))
                want = bf16_sum() * 0x10001;
            snprintf(name, sizeof name, "%s%s.%s", red ? "red" : "atom", spaces[s % 3], a->op);
            char result[8] = "";
            if (!red)
                snprintf(result, sizeof result, "%s,", a->reg);
            snprintf(body, sizeof body,
                     "cvt.u64.u32 %%d6, %%r0; cvt.rn.f32.u32 %%r7, %%r0; cvt.rn.f64.u32 %%d7, %%r0; cvt.rn.f16.u32 "
                     "%%h6, %%r0; cvt.rn.bf16.u32 %%h7, %%r0; mov.b32 %%r8, {%%h6,%%h6}; mov.b32 %%r9, {%%h7,%%h7}; "
                     "cvt.u16.u32 %%h1, %%r0; mov.u16 %%h2, 77;"
                     "mov.b%s %s, %s; setp.ne.u32 %%p1, %%r0, 0; @%%p1 bra GO; st%s.b%s [%s], %s; GO: bar.sync 0; %s "
                     "%s [%s], %s; bar.sync 0; @%%p1 ret; ld%s.b%s %s, [%s]; %s st.global.b%s [%%d1], %s;",
                     a->size, a->reg, a->start, spaces[s % 3], a->size, where, a->reg, name, result, where, a->value,
                     spaces[s % 3], a->size, a->reg, where, s % 3 == 1 ? "st.global.u64 [%d1], 0;" : "", a->size,
                     a->reg);
            bool good = run_body(body, 64, got, 1);
            if ((got[0] & mask) != want)
                diag("%s: got %llx, want %llx", name, (unsigned long long)(got[0] & mask), (unsigned long long)want);
            mark_form(name);
            ok(good && (got[0] & mask) == want, "%s", name);
        }
}
