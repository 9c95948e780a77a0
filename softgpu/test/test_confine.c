/* What bad or unusual PTX must not do: reach the host's memory, end the host, or be refused without a reason. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"

#define HEAD ".version 8.5\n.target sm_90\n.address_size 64\n"

static CUcontext ctx;

static CUfunction load(const char *ptx, CUmodule *m)
{
    CUfunction f = NULL;
    if (!ctx)
        cuCtxCreate_v2(&ctx, 0, 0);
    if (cuModuleLoadData(m, ptx) || cuModuleGetFunction(&f, *m, "k"))
        return NULL;
    return f;
}

/* Runs a kernel of one parameter, a pointer to `words` words that come back. A fault spoils the context: a new one. */
static CUresult run(const char *ptx, u32 *out, size_t words, unsigned threads)
{
    CUmodule m;
    CUdeviceptr d;
    CUfunction f = load(ptx, &m);
    void *args[] = { &d };
    if (!f) {
        diag("%s", softgpuLastMessage());
        return CUDA_ERROR_NOT_FOUND;
    }
    cuMemAlloc_v2(&d, words * 4);
    cuMemcpyHtoD_v2(d, out, words * 4);
    cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL);
    CUresult r = cuCtxSynchronize();
    if (!r)
        cuMemcpyDtoH_v2(out, d, words * 4);
    cuCtxDestroy_v2(ctx);
    ctx = NULL;
    return r;
}

static bool refused(const char *ptx, const char *why)
{
    CUmodule m;
    bool good = !load(ptx, &m) && strstr(softgpuLastMessage(), why);
    if (!good)
        diag("%s", softgpuLastMessage());
    return good;
}

static void test_offsets(void)
{
    u32 out[4] = { 0 };
    ok(refused(HEAD
               ".func (.param .b64 r) f(.param .b64 q) { .reg .b64 %d; ld.param.u64 %d, [q]; st.param.u64 [r], %d; "
               "ret; }\n.entry k(.param .u64 o) { .param .b64 s; .param .b64 q; call (s-8), f, (q); ret; }\n",
               "out of bounds"),
       "a call's result below its variable is refused");
    ok(refused(HEAD
               ".func f(.param .b64 q) { ret; }\n.entry k(.param .u64 o) { .param .b64 q; call f, (q-65536); ret; }\n",
               "out of bounds"),
       "a call's argument below its variable is refused");
    ok(run(HEAD ".entry k(.param .u64 o) { .reg .b64 %d<3>; ld.param.u64 %d1, [o]; ld.param.u64 %d2, [o-8]; "
                "st.global.u64 [%d1], %d2; ret; }\n",
           out, 4, 1)
           == CUDA_ERROR_ILLEGAL_ADDRESS,
       "a parameter below the first is an illegal address");
    ok(run(HEAD ".entry k(.param .u64 o) { .reg .b64 %d<3>; ld.param.u64 %d1, [o]; ld.param.u64 %d2, [o+8]; "
                "st.global.u64 [%d1], %d2; ret; }\n",
           out, 4, 1)
           == CUDA_ERROR_ILLEGAL_ADDRESS,
       "so is one behind the last");
    ok(run(HEAD ".const .b32 c[32];\n.entry k(.param .u64 o) { .reg .b64 %d<4>; .reg .b32 %r<3>; .reg .pred %p; "
                "ld.param.u64 %d1, [o]; mov.u64 %d2, c; mov.u32 %r0, %tid.x; setp.eq.u32 %p, %r0, 0; "
                "selp.b64 %d3, %d1, %d2, %p; st.u32 [%d3], %r0; ret; }\n",
           out, 4, 32)
           == CUDA_ERROR_ILLEGAL_ADDRESS,
       "a generic store may not write constants in any lane");
}

/* Functions f0 to fn that call one another, with a branch around each call that half of the lanes take. */
static char *nested(int n)
{
    char *text = malloc(400 * (size_t)(n + 2)), *p = text + sprintf(text, HEAD);
    p += sprintf(p, ".func (.param .b32 r) f0(.param .b32 q) { .reg .b32 %%r; ld.param.u32 %%r, [q]; st.param.b32 [r], "
                    "%%r; ret; }\n");
    for (int i = 1; i <= n; i++)
        p += sprintf(
            p,
            ".func (.param .b32 r) f%d(.param .b32 q) { .reg .b32 %%r<4>; .reg .pred %%p; .param .b32 a; .param "
            ".b32 s; ld.param.u32 %%r0, [q]; mov.u32 %%r1, %%laneid; setp.gt.u32 %%p, %%r1, %d; @%%p bra OUT; "
            "st.param.b32 [a], %%r0; call (s), f%d, (a); ld.param.b32 %%r0, [s]; OUT: add.u32 %%r0, %%r0, 1; "
            "st.param.b32 [r], %%r0; ret; }\n",
            i, i % 30, i - 1);
    sprintf(p,
            ".entry k(.param .u64 o) { .reg .b64 %%d<3>; .reg .b32 %%r<3>; .param .b32 a; .param .b32 s; ld.param.u64 "
            "%%d0, [o]; mov.u32 %%r0, %%tid.x; mul.wide.u32 %%d1, %%r0, 4; add.u64 %%d1, %%d0, %%d1; st.param.b32 [a], "
            "%%r0; call (s), f%d, (a); ld.param.b32 %%r1, [s]; st.global.u32 [%%d1], %%r1; ret; }\n",
            n);
    return text;
}

static u32 nested_value(int n, u32 lane)
{
    u32 value = lane;
    for (int i = n; i >= 1; i--) {
        value++;
        if (lane > (u32)(i % 30))
            break;
    }
    return value;
}

static void test_nesting(void)
{
    static const int depths[] = { 5, 130, 250 };
    for (size_t i = 0; i < COUNT(depths); i++) {
        u32 out[32] = { 0 }, bad = 0;
        char *ptx = nested(depths[i]);
        CUresult r = run(ptx, out, 32, 32);
        for (u32 lane = 0; lane < 32; lane++)
            bad += out[lane] != nested_value(depths[i], lane);
        ok(!r && !bad, "%d nested calls that diverge", depths[i]);
        free(ptx);
    }
}

/* Loads that a compiler widened: the bytes that are not used may lie outside. */
static void test_used_bytes(void)
{
    static const char body[] =
        HEAD ".entry k(.param .u64 o) { .reg .b64 %%d<6>; .reg .b32 %%r<8>; ld.param.u64 %%d0, [o];\n"
             "%s ld.global.v4.u32 {%%r0,%%r1,%%r2,%%r3}, [%%d0+32];\n%s ld.global.v2.u64 {%%d1,%%d2}, [%%d0+32];\n"
             "cvt.u32.u64 %%r4, %%d2; add.u32 %%r0, %%r0, %%r1; add.u32 %%r0, %%r0, %%r2; add.u32 %%r0, %%r0, %%r4; "
             "st.global.u32 [%%d0], %%r0; ret; }\n";
    static const char pragma[] = ".pragma \"used_bytes_mask 0xfff\";";
    static const unsigned checks[] = { 0, SOFTGPU_ALL_CHECKS & ~SOFTGPU_LEAKCHECK };
    char ptx[1000];
    for (size_t i = 0; i < COUNT(checks); i++) {
        u32 out[11] = { 0, 1, 2, 3, 4, 5, 6, 7, 80, 90, 100 };
        softgpuSetChecks(checks[i]);
        softgpuClearReports();
        snprintf(ptx, sizeof ptx, body, pragma, pragma);
        ok(!run(ptx, out, 11, 1) && out[0] == 80 + 90 + 100 + 100 && !softgpuReportCount(),
           "a load reaches as far as its used bytes do, %s checks", checks[i] ? "with" : "without");
        snprintf(ptx, sizeof ptx, body, pragma, "");
        ok(run(ptx, out, 11, 1) == CUDA_ERROR_ILLEGAL_ADDRESS, "and the pragma is about one load");
    }
    softgpuSetChecks(0);
    softgpuClearReports();
}

int main(void)
{
    plan(NO_PLAN);
    cuInit(0);
    softgpuSetBudget(1 << 20);
    test_offsets();
    test_nesting();
    test_used_bytes();
    return done_testing();
}
