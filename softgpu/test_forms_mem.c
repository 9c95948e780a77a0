/* Memory, warp, barrier and control forms: a kernel each, with the result worked out by hand. */
#include "test_forms.h"

static CUdeviceptr in, out;

/* Runs a body on one block; in holds i*0x01010101+0x80 words, out comes back. %r0 is the thread, %d0 and %d1 point to in and out,
   %d2 and %d3 to the thread's own word of 8 bytes. */
static bool run_body(const char *body, unsigned threads, u64 *result, size_t words)
{
    char ptx[6000];
    CUmodule m;
    u32 data[1024];
    void *args[] = { &in, &out };
    for (u32 i = 0; i < 1024; i++) data[i] = i * 0x01010101u + 0x80;
    cuMemcpyHtoD_v2(in, data, sizeof data);
    cuMemsetD8_v2(out, 0, 8192);
    snprintf(ptx, sizeof ptx, ".version 8.6\n.target sm_100\n.address_size 64\n.shared .align 16 .b8 sh[8192];\n.const .align 8 .b32 cst[4] = { 11, 22, 33, 44 };\n"
        ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n.reg .pred %%p<12>; .reg .b16 %%h<12>; .reg .b32 %%r<40>; .reg .b64 %%d<24>; .local .align 16 .b8 loc[256];\n"
        "ld.param.u64 %%d0, [p0]; ld.param.u64 %%d1, [p1]; mov.u32 %%r0, %%tid.x; mul.wide.u32 %%d3, %%r0, 8; add.u64 %%d2, %%d0, %%d3; add.u64 %%d3, %%d1, %%d3; shl.b32 %%r1, %%r0, 4; mov.u32 %%r2, sh; add.u32 %%r1, %%r1, %%r2;\n%s\nret;\n}\n", body);
    CUfunction f = build_kernel(ptx, "k", &m);
    if (!f) return false;
    bool good = !cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL) && !cuCtxSynchronize();
    if (!good) diag("%s", softgpuLastMessage());
    cuMemcpyDtoH_v2(result, out, words * 8);
    cuModuleUnload(m);
    return good;
}

typedef u64 expected(u32 thread);

static void check_body(const char *name, const char *forms, const char *body, unsigned threads, expected *want)
{
    u64 got[1024];
    char list[400], *save = list;
    int bad = !run_body(body, threads, got, threads);
    for (u32 i = 0; !bad && i < threads; i++)
        if (got[i] != want(i) && !bad++) diag("%s: thread %u got %llx, want %llx", name, i, (unsigned long long)got[i], (unsigned long long)want(i));
    snprintf(list, sizeof list, "%s", forms);
    for (char *op = strtok_r(list, " ", &save); op; op = strtok_r(NULL, " ", &save)) mark_form(op);
    ok(bad == 0, "%s", name);
}

static u32 word(u32 i) { return i * 0x01010101u + 0x80; }
static u64 pair_of(u32 t) { return word(2 * t) | (u64)word(2 * t + 1) << 32; }

/* --- loads and stores of every size, space and vector length --- */
typedef struct size_case { const char *type, *reg; int bytes; bool is_signed; } size_case;
static const size_case sizes[] = {
    { "u8", "%h1", 1, false }, { "s8", "%r5", 1, true }, { "b16", "%h1", 2, false }, { "s16", "%r5", 2, true }, { "u32", "%r5", 4, false },
    { "s32", "%d5", 4, true }, { "f32", "%r5", 4, false }, { "b64", "%d5", 8, false }, { "s8", "%d5", 1, true }, { "u16", "%d5", 2, false },
};

static const size_case *current;

static u64 want_load(u32 t)
{
    u64 v = pair_of(t);
    if (current->bytes == 8) return v;
    v <<= 64 - 8 * current->bytes;
    s64 s = (s64)v >> (64 - 8 * current->bytes);
    u64 r = current->is_signed ? (u64)s : v >> (64 - 8 * current->bytes);
    return current->reg[1] == 'd' ? r : current->reg[1] == 'r' ? (u32)r : (u16)r;
}

static void test_sizes(void)
{
    static const struct { const char *name, *setup, *where; } spaces[] = {
        { ".global", "", "%d2" }, { "", "", "%d2" }, { ".global.nc", "", "%d2" }, { ".volatile.global", "", "%d2" }, { ".relaxed.gpu.global.L1::no_allocate", "", "%d2" },
        { ".shared", "ld.global.b64 %d9, [%d2]; st.shared.b64 [%r1], %d9;", "%r1" }, { ".local", "ld.global.b64 %d9, [%d2]; mov.u64 %d10, loc; st.local.b64 [%d10+8], %d9;", "%d10+8" },
        { "", "ld.global.b64 %d9, [%d2]; cvt.u64.u32 %d11, %r1; cvta.shared.u64 %d11, %d11; st.b64 [%d11], %d9;", "%d11" },
        { "", "ld.global.b64 %d9, [%d2]; mov.u64 %d10, loc; cvta.local.u64 %d10, %d10; st.b64 [%d10], %d9;", "%d10" },
    };
    char body[800], forms[100], name[100];
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            current = &sizes[i];
            const char *reg = current->reg, *size = reg[1] == 'd' ? "64" : reg[1] == 'r' ? "32" : "16";
            snprintf(body, sizeof body, "%s ld%s.%s %s, [%s]; st.global.b%s [%%d3], %s;", spaces[s].setup, spaces[s].name, current->type, reg, spaces[s].where, size, reg);
            snprintf(forms, sizeof forms, "ld%s.%s", spaces[s].name, current->type);
            snprintf(name, sizeof name, "ld%s.%s to %s%s", spaces[s].name, current->type, reg, s > 6 ? " (generic)" : "");
            check_body(name, forms, body, 64, want_load);
        }
}

static u64 want_store(u32 t) { return pair_of(t) & (current->bytes == 8 ? ~(u64)0 : ((u64)1 << 8 * current->bytes) - 1); }

static void test_stores(void)
{
    static const char *const types[] = { "u8", "s8", "b16", "s16", "f32", "s32", "u64" };
    static const int bytes[] = { 1, 1, 2, 2, 4, 4, 8 };
    char body[300], forms[40], name[40];
    for (size_t i = 0; i < COUNT(types); i++) {
        size_case c = { types[i], "", bytes[i], false };
        current = &c;
        const char *reg = bytes[i] == 8 ? "%d5" : bytes[i] == 4 ? "%r5" : "%h5";
        snprintf(body, sizeof body, "ld.global.b%d %s, [%%d2]; st.global.wb.%s [%%d3], %s;", bytes[i] == 8 ? 64 : bytes[i] == 4 ? 32 : 16, reg, types[i], reg);
        snprintf(forms, sizeof forms, "st.global.%s", types[i]);
        snprintf(name, sizeof name, "st.global.wb.%s", types[i]);
        check_body(name, forms, body, 64, want_store);
        snprintf(forms, sizeof forms, "ldu.global.%s", types[i]);
        snprintf(body, sizeof body, "ldu.global.%s %s, [%%d2]; st.global.%s [%%d3], %s;", types[i], reg, types[i], reg);
        check_body(forms, forms, body, 64, want_store);
    }
}

static u64 want_const(u32 t) { return 33 + 11 * (t & 1); }
static u64 want_v4(u32 t) { return (u64)word(4 * (t & 63)) + word(4 * (t & 63) + 3); }
static u64 want_generic(u32 t) { (void)t; return 0x1d; }
static u64 want_pack(u32 t) { return (pair_of(t) >> 48) | (pair_of(t) & 0xffff) << 48 | (pair_of(t) >> 16 & 0xffffffff) << 16; }
static u64 want_param(u32 t) { return t * 3 + 7; }

void test_memory_forms(void)
{
    cuMemAlloc_v2(&in, 8192);
    cuMemAlloc_v2(&out, 8192);
    test_sizes();
    test_stores();
    check_body("ld.const", "ld.const.u32", "and.b32 %r4, %r0, 1; mul.wide.u32 %d4, %r4, 4; mov.u64 %d5, cst; add.u64 %d5, %d5, %d4; ld.const.u32 %r5, [%d5+8]; st.global.u32 [%d3], %r5;", 64, want_const);
    check_body("vectors of four", "", "and.b32 %r4, %r0, 63; mul.wide.u32 %d4, %r4, 16; add.u64 %d4, %d0, %d4; ld.global.v4.u32 {%r5,_,_,%r8}, [%d4]; st.shared.v2.u32 [%r1], {%r5,%r8}; ld.shared.v2.u32 {%r6,%r7}, [%r1]; cvt.u64.u32 %d5, %r6; cvt.u64.u32 %d6, %r7; add.u64 %d5, %d5, %d6; st.global.u64 [%d3], %d5;", 64, want_v4);
    check_body("vectors of eight", "", "and.b32 %r4, %r0, 31; mul.wide.u32 %d4, %r4, 32; add.u64 %d4, %d0, %d4; ld.global.v8.b32 {%r5,%r6,%r7,%r8,%r9,%r10,%r11,%r12}, [%d4]; cvt.u64.u32 %d5, %r5; cvt.u64.u32 %d6, %r8; add.u64 %d5, %d5, %d6; st.global.u64 [%d3], %d5;", 1, want_v4);
    check_body("spaces of addresses", "cvta.shared.u64 cvta.to.shared.u64 cvta.local.u64 cvta.to.local.u64 cvta.param.u64 cvta.to.param.u64 cvta.global.u64 cvta.to.global.u64 isspacep.shared isspacep.local isspacep.param isspacep.global",
        "mov.u64 %d4, sh; cvta.shared.u64 %d5, %d4; mov.u64 %d6, loc; cvta.local.u64 %d7, %d6; mov.u64 %d8, p0; cvta.param.u64 %d9, %d8; cvta.global.u64 %d10, %d0; cvta.to.global.u64 %d10, %d10; cvta.to.shared.u64 %d11, %d5; cvta.to.local.u64 %d12, %d7; cvta.to.param.u64 %d13, %d9;"
        "isspacep.shared %p0, %d5; isspacep.local %p1, %d7; isspacep.param %p2, %d9; isspacep.global %p3, %d0; isspacep.shared %p4, %d0; ld.u64 %d14, [%d9]; setp.eq.and.u64 %p5, %d14, %d0, %p3; setp.eq.and.u64 %p5, %d10, %d0, %p5; setp.eq.and.u64 %p5, %d11, %d4, %p5; setp.eq.and.u64 %p5, %d12, %d6, %p5; setp.eq.and.u64 %p5, %d13, %d8, %p5;"
        "selp.u32 %r5, 1, 0, %p0; selp.u32 %r6, 4, 0, %p1; selp.u32 %r7, 8, 0, %p2; selp.u32 %r8, 16, 0, %p5; selp.u32 %r9, 2, 0, %p4; or.b32 %r5, %r5, %r6; or.b32 %r5, %r5, %r7; or.b32 %r5, %r5, %r8; or.b32 %r5, %r5, %r9; st.global.u32 [%d3], %r5;", 40, want_generic);
    check_body("unpack and pack", "", "ld.global.u64 %d4, [%d2]; mov.b64 {%h1,%h2,%h3,%h4}, %d4; mov.b64 %d5, {%h4,%h2,%h3,%h1}; st.global.u64 [%d3], %d5;", 64, want_pack);
    check_body("guards on any instruction", "", "setp.lt.u32 %p1, %r0, 1000; mov.u32 %r5, 0; @!%p1 mov.u32 %r5, 99; @%p1 mad.lo.u32 %r5, %r0, 3, 7; @!%p1 st.global.u32 [%d3], 5; @%p1 st.global.u32 [%d3], %r5;", 70, want_param);
}

/* --- atomics: 64 threads on one word --- */
typedef struct atom_case { const char *op, *reg, *size, *start, *value; u64 final; } atom_case;
static const atom_case atoms[] = {
    { "add.u32", "%r5", "32", "5", "%r0", 5 + 2016 }, { "add.s32", "%r5", "32", "-5", "%r0", 2011 }, { "add.u64", "%d5", "64", "5", "%d6", 2021 }, { "add.s64", "%d5", "64", "5", "%d6", 2021 },
    { "min.u32", "%r5", "32", "30", "%r0", 0 }, { "min.s32", "%r5", "32", "-3", "%r0", 0xfffffffd }, { "min.u64", "%d5", "64", "30", "%d6", 0 }, { "min.s64", "%d5", "64", "-3", "%d6", 0xfffffffffffffffd },
    { "max.u32", "%r5", "32", "-3", "%r0", 0xfffffffd }, { "max.s32", "%r5", "32", "-3", "%r0", 63 }, { "max.u64", "%d5", "64", "-3", "%d6", 0xfffffffffffffffd }, { "max.s64", "%d5", "64", "-3", "%d6", 63 },
    { "and.b32", "%r5", "32", "255", "%r0", 0 }, { "or.b32", "%r5", "32", "64", "%r0", 127 }, { "xor.b32", "%r5", "32", "5", "%r0", 5 }, { "and.b64", "%d5", "64", "255", "%d6", 0 }, { "or.b64", "%d5", "64", "64", "%d6", 127 }, { "xor.b64", "%d5", "64", "5", "%d6", 5 },
    { "inc.u32", "%r5", "32", "0", "20", 64 % 21 }, { "dec.u32", "%r5", "32", "0", "20", 20 }, { "exch.b32", "%r5", "32", "0", "%r0", 63 }, { "exch.b64", "%d5", "64", "0", "%d6", 63 },
    { "add.f32", "%r5", "32", "0f3F800000", "%r7", 0x44fc2000 }, { "add.f64", "%d5", "64", "0d3FF0000000000000", "%d7", 0x409f840000000000 },
    { "add.noftz.f16", "%h5", "16", "0", "%h6", 0x67e0 }, { "add.noftz.bf16", "%h5", "16", "0", "%h7", 0 }, { "add.noftz.f16x2", "%r5", "32", "0", "%r8", 0x67e067e0 }, { "add.noftz.bf16x2", "%r5", "32", "0", "%r9", 0 },
    { "cas.b32", "%r5", "32", "0", "%r0, 77", 77 }, { "cas.b64", "%d5", "64", "0", "%d6, 77", 77 }, { "cas.b16", "%h5", "16", "0", "%h1, %h2", 77 },
};

static u64 bf16_sum(void)
{
    u64 sum = 0;
    for (int i = 0; i < 64; i++) sum = bits_of('g', (long double)value_of('g', sum) + (long double)i, 0);
    return sum;
}

static void test_atomics(void)
{
    static const char *const spaces[] = { ".global", ".shared", "" };
    for (size_t i = 0; i < COUNT(atoms); i++)
        for (int s = 0; s < 6; s++) {
            const atom_case *a = &atoms[i];
            bool red = s > 2;
            char body[1600], name[60];
            const char *where = s % 3 == 1 ? "%r2" : "%d1";
            u64 got[1], want = a->final, mask = a->size[0] == '6' ? ~(u64)0 : a->size[0] == '3' ? 0xffffffff : 0xffff;
            if (red && (strstr(a->op, "exch") || strstr(a->op, "cas"))) continue;
            if (!strcmp(a->op, "add.noftz.bf16")) want = bf16_sum();
            if (!strcmp(a->op, "add.noftz.bf16x2")) want = bf16_sum() * 0x10001;
            snprintf(name, sizeof name, "%s%s.%s", red ? "red" : "atom", spaces[s % 3], a->op);
            char result[8] = "";
            if (!red) snprintf(result, sizeof result, "%s,", a->reg);
            snprintf(body, sizeof body, "cvt.u64.u32 %%d6, %%r0; cvt.rn.f32.u32 %%r7, %%r0; cvt.rn.f64.u32 %%d7, %%r0; cvt.rn.f16.u32 %%h6, %%r0; cvt.rn.bf16.u32 %%h7, %%r0; mov.b32 %%r8, {%%h6,%%h6}; mov.b32 %%r9, {%%h7,%%h7}; cvt.u16.u32 %%h1, %%r0; mov.u16 %%h2, 77;"
                "mov.b%s %s, %s; setp.ne.u32 %%p1, %%r0, 0; @%%p1 bra GO; st%s.b%s [%s], %s; GO: bar.sync 0; %s %s [%s], %s; bar.sync 0; @%%p1 ret; ld%s.b%s %s, [%s]; %s st.global.b%s [%%d1], %s;",
                a->size, a->reg, a->start, spaces[s % 3], a->size, where, a->reg, name, result, where, a->value, spaces[s % 3], a->size, a->reg, where, s % 3 == 1 ? "st.global.u64 [%d1], 0;" : "", a->size, a->reg);
            bool good = run_body(body, 64, got, 1);
            if ((got[0] & mask) != want) diag("%s: got %llx, want %llx", name, (unsigned long long)(got[0] & mask), (unsigned long long)want);
            mark_form(name);
            ok(good && (got[0] & mask) == want, "%s", name);
        }
}

/* --- warp operations on a block of 40: a full warp and one of eight lanes --- */
static u64 up3(u32 t) { return t % 32 >= 3 ? t - 3 + 1000 : t; }
static u64 down3(u32 t) { u32 l = t % 32; return l + 3 < 32 && (t < 32) ? t + 3 + 1000 : l + 3 < 8 && t >= 32 ? t + 3 + 1000 : t; }
static u64 down_segment(u32 t) { return t % 8 + 3 < 8 ? t + 3 + 1000 : t; }
static u64 bfly5(u32 t) { return (t ^ 5) + 1000; }
static u64 idx2(u32 t) { return (t & ~7u) + 2 + 1000; }
static u64 ballot(u32 t) { return t < 32 ? 0x49249249 : 0x92; }
static u64 votes(u32 t) { return t < 32 ? 2 : 2 + 4 * 0; }
static u64 uniform(u32 t) { (void)t; return 7; }
static u64 match_any(u32 t) { u32 lanes = t < 32 ? 32 : 8, m = 0; for (u32 i = 0; i < lanes; i++) if (i % 4 == t % 4) m |= 1u << i; return m; }
static u64 match_all(u32 t) { return t < 32 ? 0xffffffffu : 0xff; }
static u64 zero(u32 t) { (void)t; return 0; }
static u64 sum_lanes(u32 t) { return t < 32 ? 496 : 32 + 33 + 34 + 35 + 36 + 37 + 38 + 39; }
static u64 min_lanes(u32 t) { return t < 32 ? 0 : 32; }
static u64 max_lanes(u32 t) { return t < 32 ? 31 : 39; }
static u64 or_lanes(u32 t) { return t < 32 ? 31 : 39; }
static u64 and_lanes(u32 t) { return t < 32 ? 0 : 32; }
static u64 xor_lanes(u32 t) { (void)t; return 0; }
static u64 active_odd(u32 t) { u32 lanes = t < 32 ? ~0u : 0xffu; return t % 2 ? lanes & 0xaaaaaaaau : 0; }
static u64 elected(u32 t) { return t % 32 == 0 ? 1 : 0; }
static u64 reversed(u32 t) { return 39 - t; }
static u64 bar_count(u32 t) { (void)t; return 14 + 100; }
static u64 arrival(u32 t) { return t < 32 ? 0 : t - 32 + 5; }
static u64 called(u32 t) { return t % 2 ? (u64)t * t + 1 : 3; }
static u64 fifty(u32 t) { (void)t; return 50; }

#define SHFL(mode, b, c) "add.u32 %r5, %r0, 1000; activemask.b32 %r9; shfl.sync." mode ".b32 %r6|%p1, %r5, " b ", " c ", %r9; selp.u32 %r6, %r6, %r0, %p1; st.global.u32 [%d3], %r6;"
#define WITH_MASK "activemask.b32 %r9; "

void test_warp_forms(void)
{
    test_atomics();
    check_body("shfl.sync.up", "shfl.sync.up.b32 activemask.b32", SHFL("up", "3", "0"), 40, up3);
    check_body("shfl.sync.down", "shfl.sync.down.b32", "setp.ge.u32 %p2, %r0, 32; selp.u32 %r4, 7, 31, %p2; " SHFL("down", "3", "%r4"), 40, down3);
    check_body("shfl.sync.down in segments of eight", "", SHFL("down", "3", "0x181f"), 40, down_segment);
    check_body("shfl.sync.bfly", "shfl.sync.bfly.b32", SHFL("bfly", "5", "0x1f"), 40, bfly5);
    check_body("shfl.sync.idx", "shfl.sync.idx.b32", SHFL("idx", "2", "0x181f"), 40, idx2);
    check_body("vote.sync.ballot", "vote.sync.ballot.b32", WITH_MASK "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; vote.sync.ballot.b32 %r6, %p1, %r9; st.global.u32 [%d3], %r6;", 40, ballot);
    check_body("vote.sync: some", "vote.sync.all.pred vote.sync.any.pred vote.sync.uni.pred", WITH_MASK "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; vote.sync.all.pred %p2, %p1, %r9; vote.sync.any.pred %p3, %p1, %r9; vote.sync.uni.pred %p4, %p1, %r9; selp.u32 %r6, 1, 0, %p2; selp.u32 %r7, 2, 0, %p3; selp.u32 %r8, 4, 0, %p4; or.b32 %r6, %r6, %r7; or.b32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;", 40, votes);
    check_body("vote.sync: all, with a negated predicate", "", WITH_MASK "setp.gt.u32 %p1, %r0, 100; vote.sync.all.pred %p2, !%p1, %r9; vote.sync.any.pred %p3, !%p1, %r9; vote.sync.uni.pred %p4, %p1, %r9; selp.u32 %r6, 1, 0, %p2; selp.u32 %r7, 2, 0, %p3; selp.u32 %r8, 4, 0, %p4; or.b32 %r6, %r6, %r7; or.b32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;", 40, uniform);
    check_body("match.any.sync.b32", "match.any.sync.b32", WITH_MASK "and.b32 %r5, %r0, 3; match.any.sync.b32 %r6, %r5, %r9; st.global.u32 [%d3], %r6;", 40, match_any);
    check_body("match.any.sync.b64", "match.any.sync.b64", WITH_MASK "and.b32 %r5, %r0, 3; mov.b64 %d5, {%r2,%r5}; match.any.sync.b64 %r6, %d5, %r9; st.global.u32 [%d3], %r6;", 40, match_any);
    check_body("match.all.sync.b32", "match.all.sync.b32", WITH_MASK "mov.u32 %r5, 9; match.all.sync.b32 %r6|%p1, %r5, %r9; @%p1 st.global.u32 [%d3], %r6;", 40, match_all);
    check_body("match.all.sync.b64 that differ", "match.all.sync.b64", WITH_MASK "cvt.u64.u32 %d5, %r0; match.all.sync.b64 %r6|%p1, %d5, %r9; @!%p1 st.global.u32 [%d3], %r6;", 40, zero);
    check_body("redux.sync.add", "redux.sync.add.u32", WITH_MASK "redux.sync.add.s32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;", 40, sum_lanes);
    check_body("redux.sync.min", "redux.sync.min.u32 redux.sync.min.s32", WITH_MASK "redux.sync.min.u32 %r6, %r0, %r9; redux.sync.min.s32 %r6, %r6, %r9; st.global.u32 [%d3], %r6;", 40, min_lanes);
    check_body("redux.sync.max", "redux.sync.max.u32 redux.sync.max.s32", WITH_MASK "redux.sync.max.u32 %r6, %r0, %r9; redux.sync.max.s32 %r6, %r6, %r9; st.global.u32 [%d3], %r6;", 40, max_lanes);
    check_body("redux.sync.and", "redux.sync.and.b32", WITH_MASK "redux.sync.and.b32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;", 40, and_lanes);
    check_body("redux.sync.or", "redux.sync.or.b32", WITH_MASK "redux.sync.or.b32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;", 40, or_lanes);
    check_body("redux.sync.xor", "redux.sync.xor.b32", WITH_MASK "redux.sync.xor.b32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;", 40, xor_lanes);
    check_body("activemask in a branch", "", "and.b32 %r5, %r0, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra OUT; activemask.b32 %r6; st.global.u32 [%d3], %r6; OUT:", 40, active_odd);
    check_body("elect.sync", "elect.sync", WITH_MASK "elect.sync %r6|%p1, %r9; selp.u32 %r7, 1, 0, %p1; st.global.u32 [%d3], %r7;", 40, elected);
    check_body("bar.sync and bar.warp.sync", "bar.sync bar.warp.sync barrier.sync", "bar.warp.sync -1; st.shared.u32 [%r1], %r0; bar.sync 0; sub.u32 %r5, 39, %r0; shl.b32 %r5, %r5, 4; add.u32 %r5, %r5, %r2; barrier.sync 1; ld.shared.u32 %r6, [%r5]; st.global.u32 [%d3], %r6;", 40, reversed);
    check_body("bar.red", "bar.red.popc.u32 bar.red.and.pred bar.red.or.pred", "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; bar.red.popc.u32 %r6, 0, %p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, !%p1; selp.u32 %r7, 1000, 0, %p2; selp.u32 %r8, 100, 0, %p3; add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;", 40, bar_count);
    check_body("barrier.red", "barrier.red.popc.u32 barrier.red.and.pred barrier.red.or.pred", "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; barrier.red.popc.u32 %r6, 0, %p1; barrier.red.and.pred %p2, 0, %p1; barrier.red.or.pred %p3, 0, !%p1; selp.u32 %r7, 1000, 0, %p2; selp.u32 %r8, 100, 0, %p3; add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;", 40, bar_count);
    check_body("bar.arrive", "bar.arrive barrier.arrive", "setp.ge.u32 %p1, %r0, 32; @%p1 bra WAIT; add.u32 %r5, %r0, 5; st.shared.u32 [%r1], %r5; bar.arrive 3, 64; ret; WAIT: bar.sync 3, 64; sub.u32 %r5, %r1, 512; ld.shared.u32 %r6, [%r5]; st.global.u32 [%d3], %r6;", 64, arrival);
    check_body("fences and hints", "membar.gl fence.sc.gpu prefetch.global.L1 prefetchu.L1 nanosleep.u32", "membar.gl; fence.sc.gpu; prefetch.global.L1 [%d0]; prefetchu.L1 [%d0]; nanosleep.u32 20; st.global.u32 [%d3], 7;", 40, uniform);
    check_body("branches, loops and exits", "bra ret exit call trap brkpt", "and.b32 %r5, %r0, 1; setp.eq.u32 %p1, %r5, 0; mov.u32 %r6, 1; @%p1 bra EVEN; mov.u32 %r7, 0; LOOP: add.u32 %r6, %r6, %r0; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r0; @%p2 bra LOOP; st.global.u32 [%d3], %r6; exit; EVEN: mov.u32 %r6, 3; bra.uni END; trap; END: st.global.u32 [%d3], %r6;", 40, called);
    check_body("a spin lock within a warp", "", "mov.u32 %r5, 0; st.shared.u32 [sh+8000], 0; st.shared.u32 [sh+8004], 0; bar.sync 0; SPIN: atom.shared.cas.b32 %r6, [sh+8000], %r5, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra SPIN; ld.shared.u32 %r7, [sh+8004]; add.u32 %r7, %r7, 1; st.shared.u32 [sh+8004], %r7; atom.shared.exch.b32 %r6, [sh+8000], 0; bar.sync 0; ld.shared.u32 %r7, [sh+8004]; st.global.u32 [%d3], %r7;", 50, fifty);
    cuMemFree_v2(in);
    cuMemFree_v2(out);
}
