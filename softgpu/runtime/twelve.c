/* Calls of CUDA 12 whose form CUDA 13 changed, in their old form; and those that it dropped. */
#include "runtime.h"
#undef cudaMemPrefetchAsync
#undef cudaMemAdvise
#undef cudaGraphAddDependencies
#undef cudaGraphGetEdges
#undef cudaGraphNodeGetDependencies
#undef cudaStreamGetCaptureInfo

API cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, CUstream s)
{
    return DO(cuMemPrefetchAsync(address(p), n, device, s));
}

API cudaError_t cudaMemAdvise(const void *p, size_t n, int advice, int device)
{
    return DO(cuMemAdvise(address(p), n, advice, device));
}

API cudaError_t cudaGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n)
{
    return DO(cuGraphAddDependencies(g, from, to, n));
}

API cudaError_t cudaGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
    return DO(cuGraphGetEdges(g, from, to, n));
}

API cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *deps, size_t *n)
{
    return DO(cuGraphNodeGetDependencies(node, deps, n));
}

API cudaError_t cudaStreamGetCaptureInfo_v2(CUstream s, int *status, unsigned long long *id, CUgraph *g,
                                            const CUgraphNode **deps, size_t *n)
{
    uint64_t number = 0;
    CUresult r = ready();
    if (!r)
        r = cuStreamGetCaptureInfo_v2(s, status, &number, g, deps, n);
    if (!r && id)
        *id = number;
    return finish(r);
}

API cudaError_t cudaStreamGetCaptureInfo(CUstream s, int *status, unsigned long long *id)
{
    return cudaStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL);
}

API cudaError_t cudaThreadSynchronize(void) { return DO(cuCtxSynchronize()); }
