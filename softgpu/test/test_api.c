/* The driver API as a host program sees it: loaded by path, found by name and version. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"
#include <pthread.h>

static const char good_ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .global .align 4 .u32 counter = 5;\n.const .align 4 .f32 "
    "scale = 0f40000000;\n"
    ".visible .entry twice(.param .u64 p, .param .u32 n)\n.maxntid 256, 1, 1\n{ .reg .pred %p1; .reg .b32 %r<6>; .reg "
    ".f32 %f<4>; .reg .b64 %d<4>; .shared .align 4 .b8 s[64];\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; "
    "mad.lo.u32 %r2, %r3, %r4, %r2; setp.ge.u32 %p1, %r2, %r1; @%p1 ret;\n"
    "mul.wide.u32 %d2, %r2, 4; add.u64 %d2, %d1, %d2; ld.global.f32 %f1, [%d2]; ld.const.f32 %f2, [scale]; mul.rn.f32 "
    "%f1, %f1, %f2; st.global.f32 [%d2], %f1; atom.global.add.u32 %r5, [counter], 1; ret; }\n"
    ".visible .entry bad(.param .u64 p)\n{ .reg .b64 %d1; .reg .b32 %r1; mov.u64 %d1, 64; ld.global.u32 %r1, [%d1]; "
    "st.global.u32 [%d1], %r1; ret; }\n"
    ".visible .entry forever()\n{ LOOP: bra LOOP; }\n";

static void test_device(void)
{
    int n = 0, major = 0, minor = 0, version = 0;
    char name[100];
    size_t bytes = 0;
    ok(cuDeviceGetCount(&n) == CUDA_ERROR_NOT_INITIALIZED, "before cuInit everything fails");
    ok(cuInit(1) == CUDA_ERROR_INVALID_VALUE && cuInit(0) == CUDA_SUCCESS, "cuInit takes no flags");
    ok(cuDeviceGetCount(&n) == CUDA_SUCCESS && n == 1, "one device");
    ok(cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= 12000, "a driver version");
    ok(cuDeviceComputeCapability(&major, &minor, 0) == CUDA_SUCCESS && major >= 7, "a compute capability");
    ok(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS && strlen(name) > 3, "a name: %s", name);
    ok(cuDeviceTotalMem_v2(&bytes, 0) == CUDA_SUCCESS && bytes > 1 << 20, "some memory");
    ok(cuDeviceGetAttribute(&n, 10, 0) == CUDA_SUCCESS && n == 32, "warps of 32");
    ok(cuDeviceGet(&n, 1) == CUDA_ERROR_INVALID_DEVICE, "no second device");
}

static void test_errors(void)
{
    const char *text = NULL;
    ok(cuGetErrorName(700, &text) == CUDA_SUCCESS && !strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS"),
       "an error has a name");
    ok(cuGetErrorString(2, &text) == CUDA_SUCCESS && !strcmp(text, "out of memory"), "and a meaning");
    ok(cuGetErrorName(12345, &text) == CUDA_ERROR_INVALID_VALUE && !text, "a number that is none has neither");
}

static void test_contexts(void)
{
    CUcontext a = NULL, b = NULL, c, p;
    CUdeviceptr d;
    unsigned flags;
    int active;
    ok(cuMemAlloc_v2(&d, 4) == CUDA_ERROR_INVALID_CONTEXT, "no context, no memory");
    ok(cuCtxCreate_v4(&a, NULL, 0, 0) == CUDA_SUCCESS && cuCtxCreate_v3(&b, NULL, 0, 0, 0) == CUDA_SUCCESS,
       "contexts of any version");
    ok(cuCtxGetCurrent(&c) == CUDA_SUCCESS && c == b, "the newest is current");
    ok(cuCtxPopCurrent_v2(&c) == CUDA_SUCCESS && c == b && cuCtxGetCurrent(&c) == CUDA_SUCCESS && c == a,
       "popping gives the one before");
    ok(cuCtxSetCurrent(b) == CUDA_SUCCESS && cuCtxDestroy_v2(b) == CUDA_SUCCESS && cuCtxGetCurrent(&c) == CUDA_SUCCESS
           && !c,
       "a destroyed context is not current");
    ok(cuCtxSetCurrent(b) == CUDA_ERROR_INVALID_CONTEXT, "nor can it become so");
    ok(cuDevicePrimaryCtxRetain(&p, 0) == CUDA_SUCCESS && cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS
           && active,
       "the primary context");
    ok(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS && cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS
           && !active,
       "released again");
    cuCtxDestroy_v2(a);
}

static void test_names(void)
{
    void *f = NULL, *g = NULL;
    int status = 9;
    ok(cuGetProcAddress_v2("cuMemAlloc", &f, 12000, 0, &status) == CUDA_SUCCESS && f == (void *)(uintptr_t)cuMemAlloc_v2
           && status == 0,
       "cuMemAlloc is cuMemAlloc_v2");
    cuGetProcAddress_v2("cuCtxCreate", &f, 11000, 0, NULL);
    cuGetProcAddress_v2("cuCtxCreate", &g, 13000, 0, NULL);
    ok(f == (void *)(uintptr_t)cuCtxCreate_v2 && g == (void *)(uintptr_t)cuCtxCreate_v4,
       "cuCtxCreate depends on the version");
    ok(cuGetProcAddress_v2("cuNoSuchThing", &f, 13000, 0, &status) == CUDA_ERROR_NOT_FOUND && !f && status == 1,
       "an unknown name");
}

static void test_refused_modules(void)
{
    CUmodule other;
    ok(cuModuleLoadData(&other, "\x7f"
                                "ELF....")
               == CUDA_ERROR_NO_BINARY_FOR_GPU
           && strstr(softgpuLastMessage(), "PTX instead") && strstr(softgpuLastMessage(), "nvJitLink"),
       "machine code is refused, and the message names the way: %s", softgpuLastMessage());
    ok(cuModuleLoadData(&other, ".version 10.0\n") == CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
       "a version of the future is refused");
    ok(cuModuleLoadData(&other, ".version 8.0\n.target sm_80\n\"newer than 9.x\"\n") == CUDA_ERROR_INVALID_PTX
           && strstr(softgpuLastMessage(), "newer than 9.x"),
       "and a text that merely speaks of one is no good PTX: %s", softgpuLastMessage());
}

/* Braces in texts and comments end no body. */
static void test_unreadable(void)
{
    CUfunction f;
    CUmodule other;
    char log[200] = "";
    int options[] = { JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    ok(!cuModuleLoadDataEx(&other,
                           ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n  .reg .b32 %r<9>;\n"
                           "  { \"}\" // }\n /* } */ add %r1 %r2; }\n}\n.entry good()\n{\n  ret;\n}\n",
                           2, options, values)
           && strstr(log, "kernel k is refused: PTX line 7"),
       "a kernel that cannot be read does not refuse its module: %s", log);
    ok(!cuModuleGetFunction(&f, other, "good"), "the others are there");
    ok(cuModuleGetFunction(&f, other, "k") == CUDA_ERROR_NOT_SUPPORTED
           && strstr(softgpuLastMessage(), "line 7, column"),
       "it is refused too: %s", softgpuLastMessage());
    cuModuleUnload(other);
}

static void test_modules(CUmodule *m)
{
    CUfunction f;
    CUmodule other;
    CUdeviceptr d;
    size_t size;
    u32 value = 0;
    int n;
    char log[200] = "";
    int options[] = { JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    ok(cuModuleLoadDataEx(&other, ".version 8.0\n.target sm_80\n.entry k()\n{ ret; }\n.entry 7()\n{ ret; }\n", 2,
                          options, values)
           == CUDA_ERROR_INVALID_PTX,
       "what is not PTX is refused");
    ok(strstr(log, "line 5") != NULL, "with the line: %s", log);
    ok(!cuModuleLoadData(&other, ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n  .reg .b32 %r<9>;\n  "
                                 "frobnicate.b32 %r1, %r2;\n}\n.entry good()\n{\n  ret;\n}\n"),
       "one kernel that is not modelled does not refuse its module");
    ok(!cuModuleGetFunction(&f, other, "good"), "the others are there");
    ok(cuModuleGetFunction(&f, other, "k") == CUDA_ERROR_NOT_SUPPORTED && !f
           && strstr(softgpuLastMessage(), "line 7, column 3: instruction 'frobnicate.b32' is not modelled"),
       "it is refused when it is asked for: %s", softgpuLastMessage());
    cuModuleUnload(other);
    ok(cuModuleLoadData(m, good_ptx) == CUDA_SUCCESS, "a module loads %s", softgpuLastMessage());
    ok(cuModuleGetFunction(&f, *m, "thrice") == CUDA_ERROR_NOT_FOUND
           && cuModuleGetFunction(&f, *m, "twice") == CUDA_SUCCESS,
       "functions by name");
    ok(cuModuleGetGlobal_v2(&d, &size, *m, "counter") == CUDA_SUCCESS && size == 4
           && cuMemcpyDtoH_v2(&value, d, 4) == CUDA_SUCCESS && value == 5,
       "a variable with its initial value");
    ok(cuFuncGetAttribute(&n, 0, f) == CUDA_SUCCESS && n == 256 && cuFuncGetAttribute(&n, 1, f) == CUDA_SUCCESS
           && n == 64,
       "attributes of the function");
    ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 256, 0) == CUDA_SUCCESS && n > 0, "occupancy: %d", n);
}

static void test_memory(void)
{
    CUdeviceptr a, b;
    size_t left, total, before;
    u32 data[64], back[64];
    void *host;
    for (u32 i = 0; i < 64; i++)
        data[i] = i * i;
    cuMemGetInfo_v2(&before, &total);
    ok(cuMemAlloc_v2(&a, 256) == CUDA_SUCCESS && cuMemAlloc_v2(&b, 256) == CUDA_SUCCESS && a % 256 == 0,
       "aligned allocations");
    ok(cuMemGetInfo_v2(&left, &total) == CUDA_SUCCESS && before - left == 512, "are accounted for");
    ok(!cuMemcpyHtoD_v2(a, data, 256) && !cuMemcpyDtoD_v2(b, a, 256) && !cuMemcpyDtoH_v2(back, b, 256)
           && !memcmp(data, back, 256),
       "copies there, across and back");
    ok(cuMemcpyHtoD_v2(a + 200, data, 100) == CUDA_ERROR_INVALID_VALUE, "a copy beyond the end is refused");
    ok(!cuMemsetD32_v2(a, 0xabcd, 64) && !cuMemcpyDtoH_v2(back, a, 256) && back[63] == 0xabcd, "a fill");
    ok(cuMemAlloc_v2(&b, (size_t)1 << 60) == CUDA_ERROR_OUT_OF_MEMORY, "too much is too much");
    ok(!cuMemHostAlloc(&host, 100, 0) && !cuMemFreeHost(host), "host memory");
    softgpuFlipBit(a, 3);
    cuMemcpyDtoH_v2(back, a, 4);
    ok(back[0] == (0xabcdu ^ 8), "a flipped bit");
    cuMemFree_v2(a);
}

static void test_launch(CUmodule m)
{
    CUfunction f;
    CUdeviceptr d;
    CUstream s = NULL;
    CUevent start = NULL, end = NULL;
    float x[1000], ms = -1.0f;
    u32 n = 1000, bad = 0;
    for (u32 i = 0; i < 1000; i++)
        x[i] = (float)i;
    cuModuleGetFunction(&f, m, "twice");
    cuMemAlloc_v2(&d, sizeof x);
    cuMemcpyHtoD_v2(d, x, sizeof x);
    void *args[] = { &d, &n };
    struct {
        CUdeviceptr p;
        u32 n;
    } packed = { d, n };
    size_t size = sizeof packed;
    void *extra[] = { LAUNCH_PARAM_BUFFER, &packed, LAUNCH_PARAM_SIZE, &size, LAUNCH_PARAM_END };
    ok(!cuStreamCreate(&s, 1) && !cuEventCreate(&start, 0) && !cuEventCreate(&end, 0), "a stream and events");
    cuEventRecord(start, s);
    ok(!cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, s, args, NULL)
           && !cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, s, NULL, extra),
       "two launches, two ways to pass parameters");
    cuEventRecord(end, s);
    ok(!cuStreamSynchronize(s) && !cuEventElapsedTime_v2(&ms, start, end) && ms >= 0.0f, "elapsed time");
    cuMemcpyDtoH_v2(x, d, sizeof x);
    for (u32 i = 0; i < 1000; i++)
        bad += x[i] != (float)i * 4.0f;
    ok(!bad, "the result is right");
    ok(cuLaunchKernel(f, 4, 1, 1, 512, 1, 1, 0, s, args, NULL) == CUDA_ERROR_INVALID_VALUE,
       "more threads than .maxntid");
    ok(cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 60000, s, args, NULL) == CUDA_ERROR_INVALID_VALUE,
       "more shared memory than allowed");
    ok(!cuFuncSetAttribute(f, 8, 60000) && !cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 60000, s, args, NULL),
       "until it is allowed");
    ok(cuLaunchKernel(f, 1, 70000, 1, 32, 1, 1, 0, s, args, NULL) == CUDA_ERROR_INVALID_VALUE,
       "a grid beyond the limits");
    cuStreamDestroy_v2(s);
    cuMemFree_v2(d);
}

static void test_faults(void)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr d = 0;
    void *args[] = { &d };
    cuCtxCreate_v2(&c, 0, 0);
    cuModuleLoadData(&m, good_ptx);
    cuModuleGetFunction(&f, m, "bad");
    ok(!cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL), "a launch that will fail is accepted");
    ok(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS, "and fails at the synchronisation: %s", softgpuLastMessage());
    ok(cuMemAlloc_v2(&d, 4) == CUDA_ERROR_ILLEGAL_ADDRESS && cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS,
       "the error sticks");
    cuCtxDestroy_v2(c);
    cuCtxCreate_v2(&c, 0, 0);
    cuModuleLoadData(&m, good_ptx);
    cuModuleGetFunction(&f, m, "forever");
    softgpuSetBudget(100000);
    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    ok(cuCtxSynchronize() == CUDA_ERROR_LAUNCH_TIMEOUT, "a loop without an end is stopped: %s", softgpuLastMessage());
    softgpuSetBudget(1 << 20);
    cuCtxDestroy_v2(c);
}

static void test_injection(void)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr d;
    u32 n = 0, word = 0;
    cuCtxCreate_v2(&c, 0, 0);
    softgpuFail(SOFTGPU_FAIL_ALLOC, 2);
    ok(!cuMemAlloc_v2(&d, 4) && cuMemAlloc_v2(&d, 4) == CUDA_ERROR_OUT_OF_MEMORY && !cuMemAlloc_v2(&d, 4),
       "the second allocation fails, as asked");
    softgpuFail(SOFTGPU_FAIL_COPY, 1);
    ok(cuMemcpyHtoD_v2(d, &word, 4) != CUDA_SUCCESS && !cuMemcpyHtoD_v2(d, &word, 4), "a copy fails");
    softgpuFail(SOFTGPU_FAIL_LOAD, 1);
    ok(cuModuleLoadData(&m, good_ptx) != CUDA_SUCCESS && !cuModuleLoadData(&m, good_ptx), "a load fails");
    cuModuleGetFunction(&f, m, "twice");
    void *args[] = { &d, &n };
    softgpuFail(SOFTGPU_FAIL_LAUNCH, 1);
    ok(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) == CUDA_ERROR_LAUNCH_FAILED, "a launch fails");
    cuCtxDestroy_v2(c);
}

static CUcontext shared_context;

static void *hammer(void *data)
{
    CUdeviceptr d;
    u32 n = 0, *bad = data;
    cuCtxSetCurrent(shared_context);
    for (int i = 0; i < 300; i++) {
        u32 word = (u32)i, back = 0;
        *bad += cuMemAlloc_v2(&d, 64) || cuMemcpyHtoD_v2(d, &word, 4) || cuMemcpyDtoH_v2(&back, d, 4) || back != word
                || cuMemFree_v2(d);
    }
    (void)n;
    return NULL;
}

static void test_threads(void)
{
    pthread_t t[4];
    u32 bad[4] = { 0 };
    cuCtxCreate_v2(&shared_context, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, hammer, &bad[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    ok(!bad[0] && !bad[1] && !bad[2] && !bad[3], "four threads share a context");
    cuCtxDestroy_v2(shared_context);
}

/* The same numbers for one thread and many. */
static void test_counters(CUmodule m)
{
    softgpuCounters one, many;
    softgpuLine lines[100];
    CUfunction f;
    CUdeviceptr d;
    u32 n = 5000;
    char json[20000];
    cuModuleGetFunction(&f, m, "twice");
    cuMemAlloc_v2(&d, n * 4);
    cuMemsetD32_v2(d, 0, n);
    void *args[] = { &d, &n };
    softgpuSetChecks(SOFTGPU_COUNTERS);
    for (int threads = 1; threads <= 4; threads += 3) {
        softgpuResetCounters();
        softgpuSetThreads(threads);
        cuLaunchKernel(f, 20, 1, 1, 256, 1, 1, 0, NULL, args, NULL);
        softgpuGetCounters(threads == 1 ? &one : &many);
    }
    ok(!memcmp(&one, &many, sizeof one), "counters do not depend on the number of threads");
    ok(one.global_load_requests == 157 && one.global_load_sectors == 625 && one.global_store_sectors == 625
           && one.global_atomics == 157,
       "requests and sectors of a known kernel");
    ok(one.threads == 5120 && one.divergent_branches == 0 && one.warp_instructions == 160 * 8 + 157 * 8,
       "instructions of a known kernel: %llu", (unsigned long long)one.warp_instructions);
    ok(softgpuGetLines("twice", lines, 100) == 2 && softgpuLaunchCount() == 1, "lines and launches");
    ok(softgpuCountersJson(json, sizeof json) == strlen(json) && strstr(json, "\"twice\""), "JSON");
    softgpuSetChecks(0);
    softgpuSetThreads(0);
    cuMemFree_v2(d);
}

int main(void)
{
    CUcontext c;
    CUmodule m;
    plan(NO_PLAN);
    test_device();
    softgpuSetBudget(1 << 20); /* a kernel that hangs fails at once */
    test_errors();
    test_contexts();
    test_names();
    cuCtxCreate_v2(&c, 0, 0);
    test_refused_modules();
    test_unreadable();
    test_modules(&m);
    test_memory();
    test_launch(m);
    test_counters(m);
    cuCtxDestroy_v2(c);
    test_faults();
    test_injection();
    test_threads();
    return done_testing();
}
