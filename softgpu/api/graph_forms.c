/* The graph calls in the forms of other CUDA versions: parameters without a context, edges with data of their own. */
#include "work.h"

/* The first form of a kernel node's parameters ends where the kernel of a library and the context begin. */
enum { OLD_PARAMS = offsetof(CUDA_KERNEL_NODE_PARAMS, kern) };

static const CUDA_KERNEL_NODE_PARAMS *widened(const void *old, CUDA_KERNEL_NODE_PARAMS *p)
{
    *p = (CUDA_KERNEL_NODE_PARAMS){ 0 };
    if (!old)
        return NULL;
    memcpy(p, old, OLD_PARAMS);
    return p;
}

CUDAAPI CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, const void *old)
{
    CUDA_KERNEL_NODE_PARAMS p;
    return cuGraphAddKernelNode_v2(out, g, deps, n, widened(old, &p));
}

CUDAAPI CUresult cuGraphKernelNodeSetParams(CUgraphNode at, const void *old)
{
    CUDA_KERNEL_NODE_PARAMS p;
    return cuGraphKernelNodeSetParams_v2(at, widened(old, &p));
}

CUDAAPI CUresult cuGraphKernelNodeGetParams(CUgraphNode at, void *old)
{
    CUDA_KERNEL_NODE_PARAMS p;
    CUresult r = cuGraphKernelNodeGetParams_v2(at, old ? &p : NULL);
    if (!r)
        memcpy(old, &p, OLD_PARAMS);
    return r;
}

CUDAAPI CUresult cuGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode source, const void *old)
{
    CUDA_KERNEL_NODE_PARAMS p;
    return cuGraphExecKernelNodeSetParams_v2(e, source, widened(old, &p));
}

CUDAAPI CUresult cuGraphInstantiate(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log, size_t size)
{
    return cuGraphInstantiate_v2(out, g, bad, log, size);
}

CUDAAPI CUresult cuGraphExecUpdate(CUgraphExec e, CUgraph g, CUgraphNode *bad, int *result)
{
    CUgraphExecUpdateResultInfo info = { 0 };
    CUresult r = cuGraphExecUpdate_v2(e, g, &info);
    if (bad)
        *bad = info.errorNode;
    if (result)
        *result = info.result;
    return r;
}

/* --- edges with data: here every edge waits for the whole of a node, whose data is zero --- */
static void clear_data(CUgraphEdgeData *data, bool wanted, size_t n)
{
    if (data && wanted && n)
        memset(data, 0, n * sizeof *data);
}

static bool is_plain(const CUgraphEdgeData *data, size_t n)
{
    static const CUgraphEdgeData zero;
    for (size_t i = 0; data && i < n; i++)
        if (memcmp(&data[i], &zero, sizeof zero))
            return false;
    return true;
}

CUDAAPI CUresult cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                           const CUgraphEdgeData *data, size_t n)
{
    return is_plain(data, n) ? cuGraphAddDependencies(g, from, to, n) : CUDA_ERROR_NOT_SUPPORTED;
}

CUDAAPI CUresult cuGraphGetEdges_v2(CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *n)
{
    CUresult r = cuGraphGetEdges(g, from, to, n);
    if (!r)
        clear_data(data, from && to, *n);
    return r;
}

CUDAAPI CUresult cuGraphNodeGetDependencies_v2(CUgraphNode at, CUgraphNode *deps, CUgraphEdgeData *data, size_t *n)
{
    CUresult r = cuGraphNodeGetDependencies(at, deps, n);
    if (!r)
        clear_data(data, deps, *n);
    return r;
}

/* --- capture --- */
CUDAAPI CUresult cuStreamBeginCapture(CUstream s) { return cuStreamBeginCapture_v2(s, 0); }

CUDAAPI CUresult cuStreamGetCaptureInfo(CUstream s, int *status, uint64_t *id)
{
    return cuStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL);
}

CUDAAPI CUresult cuStreamGetCaptureInfo_v3(CUstream s, int *status, uint64_t *id, CUgraph *graph,
                                           const CUgraphNode **deps, const CUgraphEdgeData **data, size_t *n)
{
    size_t count = 0;
    const CUgraphNode *nodes = NULL;
    if (data && !deps)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = cuStreamGetCaptureInfo_v2(s, status, id, graph, &nodes, &count);
    if (r || !*status)
        return r;
    if (deps)
        *deps = nodes;
    if (data)
        *data = (const CUgraphEdgeData *)(nodes + count); /* as set_tail lays them out */
    if (n)
        *n = count;
    return r;
}
