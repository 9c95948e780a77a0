/* Calls of every kind: recursion, through registers and tables, functions of the device itself, memory of the stack,
 * branches by index. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"
#include <unistd.h>

#define HEAD ".version 8.5\n.target sm_90\n.address_size 64\n"
/* A kernel k of a thread a word: the body leaves its result in %r1. */
#define ENTRY(body) \
    ".visible .entry k(.param .u64 o) { .reg .b64 %d<12>; .reg .b32 %r<12>; .reg .pred %p<4>; .param .b32 a; .param " \
    ".b32 s; " \
    "ld.param.u64 %d0, [o]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1; " body \
    " st.global.u32 [%d1], %r1; ret; }\n"

typedef u32 expected(u32 thread);
typedef struct call_case {
    const char *name, *ptx;
    expected *want;
} call_case;

static CUresult run(const char *ptx, u32 out[64])
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr d;
    void *args[] = { &d };
    cuCtxCreate_v2(&c, 0, 0);
    CUresult r = cuModuleLoadData(&m, ptx);
    if (!r)
        r = cuModuleGetFunction(&f, m, "k");
    if (r) {
        diag("%s", softgpuLastMessage());
    } else {
        cuMemAlloc_v2(&d, 256);
        cuMemsetD8_v2(d, 0, 256);
        cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, args, NULL);
        r = cuCtxSynchronize();
        if (!r)
            cuMemcpyDtoH_v2(out, d, 256);
        cuMemFree_v2(d);
    }
    cuCtxDestroy_v2(c);
    return r;
}

static u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static u32 fib_of(u32 t) { return fibonacci(t % 12); }
static u32 deep(u32 t) { return t * (t + 1) / 2 + 1000; }
static u32 even_odd(u32 t) { return t % 2 ? 7 : 3; }
static u32 tabled(u32 t) { return t % 3 == 0 ? t + 1 : t % 3 == 1 ? t * 2 : t * t; }
static u32 switched(u32 t) { return (t % 5 < 3 ? 10 * (t % 5) + 5 : 99) + (t >= 60 ? 1000 : 0); }
static u32 on_stack(u32 t) { return t * 3 + 5; }
static u32 heaped(u32 t) { return t + 77; }
static u32 fixed_words(u32 t) { return 32 + 1 + t; }

#define UNARY(name, body) \
    ".func (.param .b32 r) " name "(.param .b32 q) { .reg .b32 %r<6>; ld.param.u32 %r0, [q]; " body \
    " st.param.b32 [r], %r1; ret; }\n"

static const call_case cases[] = {
    { "recursion: fibonacci, to a depth of its own in each lane",
      HEAD ".func (.param .b32 r) fib(.param .b32 q);\n"
           ".func (.param .b32 r) fib(.param .b32 q) { .reg .b32 %r<6>; .reg .pred %p; .param .b32 a; .param .b32 s; "
           "ld.param.u32 %r0, [q]; mov.u32 %r1, %r0; setp.lt.u32 %p, %r0, 2; @%p bra OUT; sub.u32 %r2, %r0, 1; "
           "st.param.b32 [a], %r2; call (s), fib, (a); ld.param.b32 %r3, [s]; sub.u32 %r2, %r0, 2; st.param.b32 [a], "
           "%r2; call (s), fib, (a); ld.param.b32 %r4, [s]; add.u32 %r1, %r3, %r4; OUT: st.param.b32 [r], %r1; ret; "
           "}\n" ENTRY("rem.u32 %r2, %r0, 12; st.param.b32 [a], %r2; call (s), fib, (a); ld.param.b32 %r1, [s];"),
      fib_of },
    { "recursion: each level has local memory of its own, and sees its caller's through a pointer",
      HEAD
      ".func sum(.param .b32 n, .param .b64 into);\n"
      ".func sum(.param .b32 n, .param .b64 into) { .reg .b32 %r<6>; .reg .b64 %d<6>; .reg .pred %p; .local .align 8 "
      ".b8 mine[8]; .param .b32 a; .param .b64 b; ld.param.u32 %r0, [n]; ld.param.u64 %d0, [into]; mov.u64 %d1, mine; "
      "cvta.local.u64 %d1, %d1; mov.u32 %r1, 1000; st.u32 [%d1], %r1; setp.eq.u32 %p, %r0, 0; @%p bra OUT; sub.u32 "
      "%r2, %r0, 1; st.param.b32 [a], %r2; st.param.b64 [b], %d1; call sum, (a, b); OUT: ld.local.u32 %r3, [mine]; "
      "add.u32 %r3, %r3, %r0; st.u32 [%d0], %r3; ret; }\n" ENTRY(
          ".local .b32 top; .param .b64 b; mov.u64 %d2, top; cvta.local.u64 %d2, %d2; st.param.b32 [a], %r0; "
          "st.param.b64 "
          "[b], %d2; call sum, (a, b); ld.local.u32 %r1, [top];"),
      deep },
    { "two functions that call each other",
      HEAD
      ".func (.param .b32 r) odd(.param .b32 q);\n"
      ".func (.param .b32 r) even(.param .b32 q) { .reg .b32 %r<4>; .reg .pred %p; .param .b32 a; .param .b32 s; "
      "ld.param.u32 %r0, [q]; mov.u32 %r1, 3; setp.eq.u32 %p, %r0, 0; @%p bra OUT; sub.u32 %r0, %r0, 1; st.param.b32 "
      "[a], %r0; call (s), odd, (a); ld.param.b32 %r1, [s]; OUT: st.param.b32 [r], %r1; ret; }\n"
      ".func (.param .b32 r) odd(.param .b32 q) { .reg .b32 %r<4>; .reg .pred %p; .param .b32 a; .param .b32 s; "
      "ld.param.u32 %r0, [q]; mov.u32 %r1, 7; setp.eq.u32 %p, %r0, 0; @%p bra OUT; sub.u32 %r0, %r0, 1; st.param.b32 "
      "[a], %r0; call (s), even, (a); ld.param.b32 %r1, [s]; OUT: st.param.b32 [r], %r1; ret; }\n" ENTRY(
          "st.param.b32 [a], %r0; call (s), even, (a); ld.param.b32 %r1, [s];"),
      even_odd },
    { "calls through a table of functions, three of them in a warp",
      HEAD UNARY("f0", "add.u32 %r1, %r0, 1;") UNARY("f1", "shl.b32 %r1, %r0, 1;")
          UNARY("f2", "mul.lo.u32 %r1, %r0, %r0;") ".global .align 8 .u64 table[3] = { f0, f1, f2 };\n" ENTRY(
              "rem.u32 %r2, %r0, 3; mul.wide.u32 %d2, %r2, 8; mov.u64 %d3, table; add.u64 %d3, %d3, %d2; ld.global.u64 "
              "%d4, "
              "[%d3]; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; proto : .callprototype (.param .b32 _) _ "
              "(.param "
              ".b32 _); call (y), %d4, (x), proto; ld.param.b32 %r1, [y]; }"),
      tabled },
    { "functions by the bytes of their addresses, and by mov",
      HEAD UNARY("f0", "add.u32 %r1, %r0, 1;") UNARY("f1", "shl.b32 %r1, %r0, 1;") UNARY(
          "f2",
          "mul.lo.u32 %r1, %r0, %r0;") ".global .align 8 .b8 bytes[8] = { 0xFF(f1), 0xFF00(f1), 0xFF0000(f1), "
                                       "0xFF000000(f1), 0xFF00000000(f1), "
                                       "0xFF0000000000(f1), 0xFF000000000000(f1), 0xFF00000000000000(f1) };\n" ENTRY(
                                           "rem.u32 %r2, %r0, 3; setp.eq.u32 %p0, %r2, 0; setp.eq.u32 %p1, %r2, 1; "
                                           "mov.u64 %d4, f2; mov.u64 %d5, f0; "
                                           "ld.global.u64 %d6, [bytes]; selp.b64 %d4, %d5, %d4, %p0; selp.b64 %d4, "
                                           "%d6, %d4, %p1; proto : .callprototype "
                                           "(.param .b32 _) _ (.param .b32 _); st.param.b32 [a], %r0; call (s), %d4, "
                                           "(a), proto; ld.param.b32 %r1, [s];"),
      tabled },
    { "brx.idx, with and without a guard",
      HEAD ENTRY(
          "rem.u32 %r2, %r0, 5; setp.ge.u32 %p0, %r0, 60; mov.u32 %r3, 0; targets: .branchtargets A, B, C, D; "
          "brx.idx %r2, targets; A: mov.u32 %r1, 5; bra J; B: mov.u32 %r1, 15; bra J; C: mov.u32 %r1, 25; bra J; D: "
          "mov.u32 %r1, 99; J: mov.u32 %r4, 0; list: .branchtargets ADD; @%p0 brx.idx %r4, list; bra.uni E; ADD: "
          "add.u32 %r1, %r1, 1000; E:"),
      switched },
    { "alloca, stacksave and stackrestore",
      HEAD ENTRY(
          "stacksave.u64 %d5; mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, 4; alloca.u64 %d3, %d2; alloca.u64 %d4, "
          "16, 32; mul.lo.u32 %r2, %r0, 3; add.u64 %d6, %d3, %d2; st.local.u32 [%d6-4], %r2; st.local.u32 [%d4], 5; "
          "and.b64 %d7, %d4, 31; cvt.u32.u64 %r5, %d7; ld.local.u32 %r3, [%d6-4]; ld.local.u32 %r4, [%d4]; add.u32 "
          "%r1, %r3, %r4; add.u32 %r1, %r1, %r5; stackrestore.u64 %d5; alloca.u64 %d8, 8; setp.eq.u64 %p0, %d8, %d3; "
          "selp.u32 %r1, %r1, 0, %p0;"),
      on_stack },
    { "malloc and free",
      HEAD ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n" ENTRY(
          ".param .b64 n; .param .b64 p; mov.u64 %d2, 400; st.param.b64 [n], %d2; call.uni (p), malloc, (n); "
          "ld.param.b64 "
          "%d3, [p]; add.u32 %r2, %r0, 77; st.u32 [%d3+396], %r2; ld.u32 %r1, [%d3+396]; st.param.b64 [n], %d3; "
          "call.uni "
          "free, (n);"),
      heaped },
    { "WARP_SZ, registers of clusters and of the environment, one-element vectors, subscripts, labels of blocks",
      HEAD ".global .b32 words[4] = { 9, 8, 7, 6 };\n" ENTRY(
          "mov.u32 %r2, WARP_SZ; mov.u32 %r3, %cluster_nctarank; mov.u32 %r4, %envreg2; add.u32 %r2, %r2, %r3; add.u32 "
          "%r2, %r2, %r4; { setp.eq.u32 %p0, %r0, 5; @%p0 bra SAME; add.u32 %r2, %r2, 0; SAME: } { setp.eq.u32 %p0, "
          "%r0, 6; "
          "@%p0 bra SAME; add.u32 %r2, %r2, 0; SAME: } mov.u64 %d2, words[2]; ld.global.u32 {%r5}, [%d2]; sub.u32 %r5, "
          "%r5, 7; "
          "add.u32 %r1, %r2, %r5; add.u32 %r1, %r1, %tid.x; mov.u32 %r6, %clusterid.x; add.u32 %r1, %r1, %r6;"),
      fixed_words },
};

static void test_cases(unsigned checks, const char *how)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        u32 out[64] = { 0 }, bad = 0;
        softgpuSetChecks(checks);
        softgpuClearReports();
        CUresult r = run(cases[i].ptx, out);
        for (u32 t = 0; !r && t < 64; t++)
            if (out[t] != cases[i].want(t) && !bad++)
                diag("thread %u: got %u, want %u", t, out[t], cases[i].want(t));
        softgpuReport report;
        if (!softgpuGetReport(0, &report))
            diag("%s", report.text);
        ok(!r && !bad && !softgpuReportCount(), "%s%s", cases[i].name, how);
    }
    softgpuSetChecks(0);
}

static void test_errors(void)
{
    u32 out[64];
    ok(run(HEAD
           ".func f(.param .b32 q);\n.func f(.param .b32 q) { .param .b32 a; .reg .b32 %r; ld.param.b32 %r, [q]; "
           "st.param.b32 [a], %r; call f, (a); ret; }\n" ENTRY("st.param.b32 [a], %r0; call f, (a); mov.u32 %r1, 0;"),
           out)
           == CUDA_ERROR_HARDWARE_STACK_ERROR,
       "recursion without an end fills the stack: %s", softgpuLastMessage());
    ok(run(HEAD ENTRY("mov.u64 %d2, 12345; call %d2; mov.u32 %r1, 0;"), out) == CUDA_ERROR_LAUNCH_FAILED
           && strstr(softgpuLastMessage(), "0x3039"),
       "a call of what is no function: %s", softgpuLastMessage());
    ok(run(HEAD ENTRY("mov.u64 %d2, 100000; alloca.u64 %d3, %d2; mov.u32 %r1, 0;"), out)
           == CUDA_ERROR_HARDWARE_STACK_ERROR,
       "alloca of more than there is");
}

/* Standard output of a launch, through a pipe. */
static CUresult capture(int fd, const char *ptx, char *text, size_t size)
{
    int ends[2], old = dup(fd);
    u32 out[64];
    fflush(stdout);
    if (old < 0 || pipe(ends) || dup2(ends[1], fd) < 0)
        return CUDA_ERROR_UNKNOWN;
    CUresult r = run(ptx, out);
    fflush(stdout);
    dup2(old, fd);
    close(old);
    close(ends[1]);
    ssize_t n = read(ends[0], text, size - 1);
    text[n > 0 ? n : 0] = 0;
    close(ends[0]);
    return r;
}

static void test_printf(void)
{
    char text[8000];
    CUresult r = capture(
        1,
        HEAD
        ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
        ".global .align 1 .b8 format[30] = { 37, 100, 124, 37, 54, 46, 50, 102, 124, 37, 115, 124, 37, 108, 108, 120, "
        "124, "
        "37, 99, 124, 37, 37, 124, 37, 42, 117, 10 };\n.global .align 1 .b8 word[4] = { 97, 98, 99 };\n" ENTRY(
            "mov.u32 %r1, 0; setp.ne.u32 %p0, %r0, 33; @%p0 bra SKIP; .local .align 8 .b8 buf[48]; .param .b64 f; "
            ".param .b64 "
            "v; mov.u64 %d2, buf; neg.s32 %r2, %r0; st.local.u32 [%d2], %r2; st.local.f64 [%d2+8], 0d400921FB54442D18; "
            "mov.u64 "
            "%d3, word; st.local.u64 [%d2+16], %d3; st.local.u64 [%d2+24], 0xabcdef0123; st.local.u32 [%d2+32], 90; "
            "st.local.u32 [%d2+36], 5; st.local.u32 [%d2+40], 42; mov.u64 %d4, format; st.param.b64 [f], %d4; "
            "cvta.local.u64 "
            "%d2, %d2; st.param.b64 [v], %d2; call (s), vprintf, (f, v); ld.param.b32 %r1, [s]; SKIP:"),
        text, sizeof text);
    ok(!r && !strcmp(text, "-33|  3.14|abc|abcdef0123|Z|%|   42\n"), "printf: %s", text);
    r = capture(
        2,
        HEAD
        ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 u, .param .b64 c);\n"
        ".global .align 1 .b8 what[4] = { 97, 60, 98 };\n" ENTRY(
            "mov.u32 %r1, 0; setp.ne.u32 %p0, %r0, 33; @%p0 bra SKIP; .param .b64 m; .param .b32 l; .param .b64 c; "
            "mov.u64 %d4, what; st.param.b64 [m], %d4; mov.u32 %r2, 17; st.param.b32 [l], %r2; mov.u64 %d5, 1; "
            "st.param.b64 [c], %d5; call __assertfail, (m, m, l, m, c); SKIP:"),
        text, sizeof text);
    ok(r == CUDA_ERROR_ASSERT
           && !strcmp(text, "a<b:17: a<b: block: [0,0,0], thread: [33,0,0] Assertion `a<b` failed.\n"),
       "assert: %s", text);
}

int main(void)
{
    plan(NO_PLAN);
    cuInit(0);
    softgpuSetBudget(1 << 22);
    test_cases(0, "");
    test_cases(SOFTGPU_ALL_CHECKS & ~SOFTGPU_LEAKCHECK & ~SOFTGPU_LINT, ", with checks");
    test_errors();
    test_printf();
    return done_testing();
}
