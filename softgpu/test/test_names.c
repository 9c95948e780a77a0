/* The driver's functions by name and CUDA version: which form a version gets, and what is refused by name. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"

typedef void (*function)(void);

static function named(const char *name, int version)
{
    function f = NULL;
    return cuGetProcAddress_v2(name, (void **)&f, version, 0, NULL) ? NULL : f;
}

/* As CUDA's own header maps a name at a version. */
#define FORM(base, version, symbol) \
    { \
#base, version, #symbol, (function)symbol \
    }
static const struct {
    const char *base;
    int version;
    const char *symbol;
    function f;
} forms[] = {
    FORM(cuGraphAddKernelNode, 11080, cuGraphAddKernelNode),
    FORM(cuGraphAddKernelNode, 12000, cuGraphAddKernelNode_v2),
    FORM(cuGraphExecKernelNodeSetParams, 10010, cuGraphExecKernelNodeSetParams),
    FORM(cuGraphExecUpdate, 11000, cuGraphExecUpdate),
    FORM(cuGraphInstantiate, 11000, cuGraphInstantiate_v2),
    FORM(cuGraphInstantiate, 11040, cuGraphInstantiateWithFlags),
    FORM(cuGraphInstantiate, 13000, cuGraphInstantiateWithFlags),
    FORM(cuGraphGetEdges, 12020, cuGraphGetEdges),
    FORM(cuGraphGetEdges, 12030, cuGraphGetEdges_v2),
    FORM(cuGraphGetEdges, 13000, cuGraphGetEdges_v2),
    FORM(cuGraphNodeGetDependencies, 13000, cuGraphNodeGetDependencies_v2),
    FORM(cuGraphAddDependencies, 13000, cuGraphAddDependencies_v2),
    FORM(cuStreamBeginCapture, 10000, cuStreamBeginCapture),
    FORM(cuStreamGetCaptureInfo, 10010, cuStreamGetCaptureInfo),
    FORM(cuStreamGetCaptureInfo, 12020, cuStreamGetCaptureInfo_v2),
    FORM(cuStreamGetCaptureInfo, 12030, cuStreamGetCaptureInfo_v3),
    FORM(cuMemAdvise, 12010, cuMemAdvise),
    FORM(cuMemAdvise, 12020, cuMemAdvise_v2),
    FORM(cuCtxSynchronize, 12080, cuCtxSynchronize),
    FORM(cuCtxSynchronize, 13000, cuCtxSynchronize_v2),
    FORM(cuStreamGetCtx, 12050, cuStreamGetCtx_v2),
};

static void test_forms(void)
{
    for (size_t i = 0; i < COUNT(forms); i++) {
        ok(named(forms[i].base, forms[i].version) == forms[i].f, "%s of CUDA %d is %s", forms[i].base, forms[i].version,
           forms[i].symbol);
        ok(named(forms[i].symbol, 13000) == forms[i].f || !strcmp(forms[i].symbol, forms[i].base), "%s by its own name",
           forms[i].symbol);
    }
    ok(!named("cuGraphGetEdges", 1000) && !named("cuNothing", 13000), "no form is older than the first");
}

static void test_refused(void)
{
    static const char *const names[] = { "cuIpcOpenMemHandle", "cuMulticastCreate", "cuMemAddressReserve",
                                         "cuMemMap",           "cuTexObjectCreate", "cuArrayCreate",
                                         "cuLinkAddFile",      "cuGraphAddNode",    "cuModuleGetTexRef" };
    for (size_t i = 0; i < COUNT(names); i++) {
        function f = named(names[i], 13000);
        ok(f && ((CUresult(*)(void))f)() == CUDA_ERROR_NOT_SUPPORTED && strstr(softgpuLastMessage(), names[i])
               && strstr(softgpuLastMessage(), "not modelled"),
           "%s is refused by name", names[i]);
    }
}

static void test_edges(void)
{
    CUgraph g;
    CUgraphNode a, b, c, from[2], to[2];
    CUgraphEdgeData data[3], program = { .type = 1 };
    size_t n = 77;
    cuGraphCreate(&g, 0);
    cuGraphAddEmptyNode(&a, g, NULL, 0);
    cuGraphAddEmptyNode(&b, g, &a, 1);
    cuGraphAddEmptyNode(&c, g, &b, 1);
    ok(!cuGraphGetEdges_v2(g, NULL, NULL, NULL, &n) && n == 2, "two edges are counted");
    memset(data, 0xff, sizeof data);
    ok(!cuGraphGetEdges_v2(g, from, to, data, &n) && n == 2 && from[1] == b && to[1] == c, "and given");
    ok(!data[0].type && !data[1].reserved[4] && data[2].type == 0xff,
       "with data that is zero, for no more than they are");
    n = 1;
    to[1] = NULL;
    ok(!cuGraphGetEdges(g, from, to, &n) && n == 1 && !to[1], "as many as there is room for");
    n = 2;
    memset(data, 0xff, sizeof data);
    ok(!cuGraphNodeGetDependencies_v2(c, from, data, &n) && n == 1 && from[0] == b && !data[0].type
           && data[1].type == 0xff,
       "a node's dependencies");
    memset(data, 0, sizeof data);
    ok(!cuGraphAddDependencies_v2(g, &a, &c, data, 1) && !cuGraphGetEdges(g, NULL, NULL, &n) && n == 3, "one more");
    ok(cuGraphAddDependencies_v2(g, &a, &c, &program, 1) == CUDA_ERROR_NOT_SUPPORTED, "but no programmatic one");
    cuGraphDestroy(g);
}

static void test_capture(void)
{
    CUstream s;
    CUgraph g = NULL;
    CUgraphNode a;
    const CUgraphNode *deps = NULL;
    const CUgraphEdgeData *data = NULL;
    CUdeviceptr p;
    uint64_t id = 0, again = 0;
    size_t n = 0;
    int status = 7;
    cuMemAlloc_v2(&p, 4);
    cuStreamCreate(&s, 1);
    ok(!cuStreamBeginCapture(s) && !cuMemsetD32Async(p, 1, 1, s), "a stream that captures");
    ok(!cuStreamGetCaptureInfo_v3(s, &status, &id, &g, &deps, &data, &n) && status == 1 && n == 1 && deps,
       "what it depends on");
    n = 1;
    ok(!cuGraphGetNodes(g, &a, &n) && deps[0] == a && data && !data[0].type, "is its node, and the edge has no data");
    ok(cuStreamGetCaptureInfo_v3(s, &status, NULL, NULL, NULL, &data, NULL) == CUDA_ERROR_INVALID_VALUE,
       "there is no data without nodes");
    ok(!cuStreamGetCaptureInfo(s, &status, &again) && status == 1 && again == id, "the first form gives the same id");
    ok(cuGraphDestroy(g) == CUDA_ERROR_ILLEGAL_STATE, "nobody destroys it while it is captured");
    ok(!cuStreamEndCapture(s, &g) && !cuGraphDestroy(g) && cuGraphDestroy(g), "but once behind that");
    cuStreamDestroy_v2(s);
    cuMemFree_v2(p);
}

static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry put(.param .u64 p, .param .u16 h, .param .u32 v)\n"
                           "{ .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p]; ld.param.u32 %r, [v];\n"
                           "st.global.u32 [%d], %r; ret; }\n";

/* The parameters as CUDA 11 had them: nothing behind extra may be looked at. */
typedef struct old_params {
    CUfunction func;
    unsigned sizes[7];
    void **kernelParams, **extra;
} old_params;

static void test_old_nodes(CUfunction f)
{
    CUdeviceptr p;
    u32 v = 5, out = 0;
    u16 h = 0;
    void *params[] = { &p, &h, &v };
    old_params *old = malloc(sizeof *old), back;
    CUgraph g;
    CUgraphNode node;
    CUgraphExec e = NULL;
    cuMemAlloc_v2(&p, 4);
    *old = (old_params){ .func = f, .sizes = { 1, 1, 1, 1, 1, 1, 0 }, .kernelParams = params };
    cuGraphCreate(&g, 0);
    ok(!cuGraphAddKernelNode(&node, g, NULL, 0, old) && !cuGraphInstantiate(&e, g, NULL, NULL, 0), "a node of CUDA 11");
    ok(!cuGraphLaunch(e, NULL) && !cuMemcpyDtoH_v2(&out, p, 4) && out == 5, "runs");
    v = 6;
    ok(!cuGraphExecKernelNodeSetParams(e, node, old) && !cuGraphLaunch(e, NULL) && !cuMemcpyDtoH_v2(&out, p, 4)
           && out == 6,
       "with others");
    ok(!cuGraphKernelNodeGetParams(node, &back) && back.func == f && back.sizes[3] == 1, "its shape is given back");
    ok(cuGraphAddKernelNode(&node, g, NULL, 0, NULL) == CUDA_ERROR_INVALID_VALUE, "no node without parameters");
    cuGraphExecDestroy(e);
    cuGraphDestroy(g);
    cuMemFree_v2(p);
    free(old);
}

static void test_params(CUfunction f)
{
    size_t offset = 0, size = 0;
    ok(!cuFuncGetParamInfo(f, 1, &offset, &size) && offset == 8 && size == 2, "a parameter's place");
    ok(!cuKernelGetParamInfo(f, 2, &offset, &size) && offset == 12 && size == 4, "behind a gap");
    ok(cuFuncGetParamInfo(f, 3, &offset, &size) == CUDA_ERROR_INVALID_VALUE, "and no fourth");
}

static void test_peers(CUcontext c)
{
    CUcontext other, current = NULL;
    CUdevice d = 7;
    int can = 0;
    ok(cuCtxEnablePeerAccess(c, 0) == CUDA_ERROR_INVALID_CONTEXT, "a context is no peer of itself");
    cuCtxCreate_v2(&other, 0, 0);
    ok(cuCtxEnablePeerAccess(c, 0) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "one device has no peer");
    ok(cuCtxDisablePeerAccess(c) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "nor had it one");
    ok(cuDeviceGetP2PAttribute(&can, 2, 0, 0) == CUDA_ERROR_INVALID_DEVICE, "and nothing to ask about it");
    ok(!cuCtxSynchronize_v2(c) && !cuCtxGetCurrent(&current) && current == other, "another context is waited for");
    ok(!cuCtxGetDevice_v2(&d, c) && d == 0, "its device");
    cuCtxDestroy_v2(other);
    ok(cuCtxSynchronize_v2(other) == CUDA_ERROR_INVALID_CONTEXT && cuCtxGetDevice_v2(&d, other),
       "not one that is gone");
}

/* The graph goes with the context whose stream captures it; another stream that joined is released. */
static void test_abandoned(void)
{
    CUcontext c;
    CUstream s, t;
    CUevent e;
    CUgraph g = NULL;
    int status;
    cuCtxCreate_v2(&c, 0, 0);
    cuStreamCreate(&s, 1);
    cuStreamCreate(&t, 1);
    cuEventCreate(&e, 2);
    ok(!cuStreamBeginCapture_v2(s, 0) && !cuEventRecord(e, s) && !cuStreamWaitEvent(t, e, 0)
           && !cuStreamGetCaptureInfo_v2(t, &status, NULL, &g, NULL, NULL) && status == 1,
       "two streams capture");
    ok(!cuCtxDestroy_v2(c) && cuGraphDestroy(g) == CUDA_ERROR_INVALID_VALUE, "and their context ends");
}

int main(void)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    plan(NO_PLAN);
    cuInit(0);
    cuCtxCreate_v2(&c, 0, 0);
    if (cuModuleLoadData(&m, text) || cuModuleGetFunction(&f, m, "put"))
        BAIL_OUT("%s", softgpuLastMessage());
    test_forms();
    test_refused();
    test_edges();
    test_capture();
    test_old_nodes(f);
    test_params(f);
    test_peers(c);
    test_abandoned();
    cuCtxDestroy_v2(c);
    return done_testing();
}
