/* The driver beyond modules and launches: fat binaries, libraries, shared memory, boxes, pools, graphs and capture. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 both = 7;\n"
    ".visible .entry inc(.param .u64 p, .param .u32 by)\n{ .reg .b64 %d<2>; .reg .b32 %r<4>;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [by]; ld.global.u32 %r2, [%d1]; add.u32 %r3, %r2, %r1;\n"
    "st.global.u32 [%d1], %r3; ret; }\n";

static CUmodule module;
static CUfunction inc;

static CUresult launch_inc(CUdeviceptr p, u32 by, CUstream s)
{
    void *params[] = { &p, &by };
    return cuLaunchKernel(inc, 1, 1, 1, 1, 1, 1, 0, s, params, NULL);
}

static u32 at(CUdeviceptr p)
{
    u32 v = 0xdead;
    return cuMemcpyDtoH_v2(&v, p, 4) ? 0xbad : v;
}

static CUdeviceptr word(u32 value)
{
    CUdeviceptr p = 0;
    cuMemAlloc_v2(&p, 4);
    cuMemsetD32_v2(p, value, 1);
    return p;
}

static void test_fatbin(void)
{
    static u8 bytes[1 << 17];
    char path[4096];
    const char *srcdir = getenv("srcdir");
    CUmodule m = NULL;
    CUfunction f = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/softgpu/image/fixture_zstd.fatbin", srcdir ? srcdir : ".");
    FILE *file = fopen(path, "rb");
    if (!file || !fread(bytes, 1, sizeof bytes, file))
        BAIL_OUT("cannot read %s", path);
    fclose(file);
    ok(!cuModuleLoadData(&m, bytes) && !cuModuleGetFunction(&f, m, "_Z9block_sumPKfPfi"), "PTX out of a fat binary");
    ok(!cuModuleGetGlobal_v2(NULL, &size, m, "weights") && size == 32, "and its variables");
    cuModuleUnload(m);
    bytes[16] = 2; /* the entry's kind: machine code */
    ok(cuModuleLoadFatBinary(&m, bytes) == CUDA_ERROR_NO_BINARY_FOR_GPU
           && strstr(softgpuLastMessage(), "-gencode arch=compute_80,code=compute_80"),
       "machine code is refused with the flag to compile with");
}

static void test_libraries(void)
{
    CUlibrary l = NULL;
    CUkernel k = NULL;
    CUfunction f = NULL;
    CUmodule m = NULL;
    unsigned n = 0;
    const char *name = "";
    ok(!cuLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0) && !cuLibraryGetKernel(&k, l, "inc"), "a library");
    ok(!cuLibraryGetKernelCount(&n, l) && n == 1 && !cuKernelGetName(&name, k) && !strcmp(name, "inc"), "its kernel");
    ok(!cuKernelGetFunction(&f, k) && !cuLibraryGetModule(&m, l) && f && m, "as function and module");
    ok(cuLibraryGetKernel(&k, l, "none") == CUDA_ERROR_NOT_FOUND && !cuLibraryUnload(l), "and its end");
}

static void test_linking(void)
{
    CUlinkState s = NULL;
    CUmodule m = NULL;
    void *image = NULL;
    size_t size;
    char ptx[sizeof text];
    memcpy(ptx, text, sizeof text);
    ok(!cuLinkCreate_v2(0, NULL, NULL, &s) && !cuLinkAddData_v2(s, 1, ptx, sizeof ptx, "a", 0, NULL, NULL), "PTX in");
    ok(cuLinkAddData_v2(s, 1, ptx, sizeof ptx, "b", 0, NULL, NULL) == CUDA_ERROR_NOT_SUPPORTED, "but one");
    ok(!cuLinkComplete(s, &image, &size) && !cuModuleLoadData(&m, image), "a module out");
    cuModuleUnload(m);
    cuLinkDestroy(s);
}

static void test_shared(void)
{
    CUdeviceptr p = 0, d = 0;
    size_t size = 0;
    u32 *host, own[4] = { 1, 2, 3, 4 };
    void *h = NULL;
    int kind = 0;
    ok(!cuModuleGetGlobal_v2(&p, &size, module, "both") && *(u32 *)(uintptr_t)p == 7, "a managed variable");
    ok(!launch_inc(p, 5, NULL) && *(u32 *)(uintptr_t)p == 12, "that a kernel writes and the host reads");
    ok(cuMemFree_v2(p) == CUDA_ERROR_INVALID_VALUE, "and nobody frees");
    ok(!cuMemAllocManaged(&p, 64, 1), "managed memory");
    host = (u32 *)(uintptr_t)p;
    *host = 40;
    ok(!launch_inc(p, 2, NULL) && *host == 42, "has one address on both sides");
    ok(!cuPointerGetAttribute(&kind, 2, p) && kind == MEMTYPE_DEVICE && !cuMemFree_v2(p), "and counts as the device's");
    ok(!cuMemHostAlloc(&h, 4, 2) && !cuMemHostGetDevicePointer_v2(&d, h, 0) && !cuMemsetD32_v2(d, 9, 1)
           && !launch_inc(d, 1, NULL) && *(u32 *)h == 10,
       "mapped host memory");
    ok(!cuPointerGetAttribute(&kind, 2, d) && kind == MEMTYPE_HOST && !cuMemFreeHost(h), "counts as the host's");
    ok(!cuMemHostRegister_v2(own, 8, 0) && !launch_inc((CUdeviceptr)(uintptr_t)&own[1], 1, NULL) && own[1] == 3,
       "registered memory");
    ok(cuMemHostRegister_v2(own, 8, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED && !cuMemHostUnregister(own)
           && cuMemHostUnregister(own) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
       "once");
}

static void test_boxes(void)
{
    u8 host[6][8] = { { 0 } }, back[4] = { 0 };
    CUdeviceptr p;
    size_t pitch;
    ok(!cuMemAllocPitch_v2(&p, &pitch, 5, 3, 4) && pitch >= 5, "rows with a pitch");
    for (u8 y = 0; y < 6; y++)
        memset(host[y], 10 + y, 8);
    CUDA_MEMCPY2D in = { .srcMemoryType = MEMTYPE_HOST,
                         .srcHost = host,
                         .srcPitch = 8,
                         .srcY = 2,
                         .dstMemoryType = MEMTYPE_DEVICE,
                         .dstDevice = p,
                         .dstPitch = pitch,
                         .WidthInBytes = 5,
                         .Height = 3 };
    ok(!cuMemcpy2D_v2(&in) && !cuMemcpyDtoH_v2(back, p + pitch + 1, 4) && back[0] == 13 && back[3] == 13, "a box");
    ok(!cuMemsetD2D8_v2(p, pitch, 1, 2, 3) && !cuMemcpyDtoH_v2(back, p + 2 * pitch, 4) && back[1] == 1 && back[2] == 14,
       "a box is filled");
    in.Height = 4;
    ok(cuMemcpy2D_v2(&in) == CUDA_ERROR_INVALID_VALUE, "not beyond its allocation");
    cuMemFree_v2(p);
}

static void test_pools(void)
{
    CUmemoryPool pool;
    CUdeviceptr p;
    u64 keep = 4096, back = 0;
    ok(!cuDeviceGetDefaultMemPool(&pool, 0) && !cuMemPoolSetAttribute(pool, 4, &keep)
           && !cuMemPoolGetAttribute(pool, 4, &back) && back == 4096,
       "the default pool");
    ok(!cuMemAllocFromPoolAsync(&p, 4, pool, NULL) && !cuMemsetD32_v2(p, 1, 1) && !launch_inc(p, 1, NULL) && at(p) == 2
           && !cuMemFreeAsync(p, NULL),
       "memory in a stream's order");
    ok(cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_VALUE, "which nobody destroys");
}

static CUDA_KERNEL_NODE_PARAMS inc_node(void **params)
{
    return (CUDA_KERNEL_NODE_PARAMS){ .func = inc,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = params };
}

static void test_graphs(void)
{
    CUdeviceptr p = word(0);
    u32 by = 3;
    void *params[] = { &p, &by };
    CUDA_KERNEL_NODE_PARAMS k = inc_node(params);
    CUDA_MEMSET_NODE_PARAMS fill = { .dst = p, .value = 100, .elementSize = 4, .width = 1, .height = 1 };
    CUgraph g;
    CUgraphExec e = NULL;
    CUgraphNode first = NULL, second = NULL;
    size_t n = 0;
    cuGraphCreate(&g, 0);
    ok(!cuGraphAddKernelNode_v2(&second, g, NULL, 0, &k) && !cuGraphAddMemsetNode(&first, g, NULL, 0, &fill, NULL)
           && !cuGraphAddDependencies(g, &first, &second, 1),
       "a graph");
    ok(!cuGraphGetNodes(g, NULL, &n) && n == 2 && !cuGraphInstantiateWithFlags(&e, g, 0), "instantiated");
    by = 50; /* parameters were copied when the node was made */
    ok(at(p) == 0 && !cuGraphLaunch(e, NULL) && at(p) == 103, "runs in the order of its edges, when it is launched");
    ok(!cuGraphExecKernelNodeSetParams_v2(e, second, &k) && !cuGraphLaunch(e, NULL) && at(p) == 150, "with others");
    ok(!cuGraphAddDependencies(g, &second, &first, 1) && cuGraphInstantiateWithFlags(&e, g, 0), "no cycle");
    cuGraphExecDestroy(e);
    cuGraphDestroy(g);
    cuMemFree_v2(p);
}

static void test_capture(void)
{
    CUstream s, t;
    CUevent fork, join;
    CUgraph g = NULL;
    CUgraphExec e = NULL;
    CUdeviceptr p = word(1), q = word(10);
    cuStreamCreate(&s, 1);
    cuStreamCreate(&t, 1);
    cuEventCreate(&fork, 2);
    cuEventCreate(&join, 2);
    ok(!cuStreamBeginCapture_v2(s, 0) && !launch_inc(p, 1, s) && !cuEventRecord(fork, s)
           && !cuStreamWaitEvent(t, fork, 0) && !launch_inc(q, 5, t) && !cuEventRecord(join, t)
           && !cuStreamWaitEvent(s, join, 0) && !cuMemcpyDtoDAsync_v2(p, q, 4, s),
       "two streams are captured");
    ok(cuStreamSynchronize(s) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "which cannot be waited for");
    ok(at(p) == 1 && at(q) == 10, "nothing has run");
    ok(!cuStreamEndCapture(s, &g) && !cuGraphInstantiateWithFlags(&e, g, 0) && !cuGraphLaunch(e, s), "a graph of them");
    ok(at(p) == 15 && at(q) == 15, "runs");
    ok(!cuStreamBeginCapture_v2(s, 0) && !cuEventRecord(fork, s) && !cuStreamWaitEvent(t, fork, 0)
           && !launch_inc(q, 5, t) && cuStreamEndCapture(s, &g) == CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
       "work that nobody waits for is an error");
    ok(!launch_inc(q, 5, t) && at(q) == 20, "after which the streams run again");
    cuGraphExecDestroy(e);
    cuStreamDestroy_v2(s);
    cuStreamDestroy_v2(t);
}

static void test_attributes(void)
{
    CUlaunchAttribute cluster = { .id = LAUNCH_CLUSTER, .value = { 2, 1, 1 } };
    CUlaunchConfig c = { 1, 1, 1, 1, 1, 1, 0, NULL, &cluster, 1 };
    CUdeviceptr p = word(1);
    u32 by = 1;
    void *params[] = { &p, &by };
    ok(cuLaunchKernelEx(&c, inc, params, NULL) == CUDA_ERROR_NOT_SUPPORTED, "a cluster of two is refused");
    cluster.value[0] = 1;
    ok(!cuLaunchKernelEx(&c, inc, params, NULL) && at(p) == 2, "of one is what there is");
    cuMemFree_v2(p);
}

/* Of the host's memory a kernel reaches what was shared, and not a byte beside it; the context is spoilt then. */
static void test_confined(void)
{
    u32 own[4] = { 1, 2, 3, 4 };
    cuMemHostRegister_v2(own, 8, 0);
    launch_inc((CUdeviceptr)(uintptr_t)&own[2], 1, NULL);
    ok(own[2] == 3 && cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS, "memory behind it is out of reach");
}

int main(void)
{
    CUcontext c;
    plan(NO_PLAN);
    cuInit(0);
    cuCtxCreate_v2(&c, 0, 0);
    if (cuModuleLoadData(&module, text) || cuModuleGetFunction(&inc, module, "inc"))
        BAIL_OUT("%s", softgpuLastMessage());
    test_fatbin();
    test_libraries();
    test_linking();
    test_shared();
    test_boxes();
    test_pools();
    test_graphs();
    test_capture();
    test_attributes();
    test_confined();
    cuCtxDestroy_v2(c);
    return done_testing();
}
