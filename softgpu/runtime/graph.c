/* Graphs: the runtime's kinds of parameters, over the driver's. */
#include "runtime.h"

typedef struct cudaKernelNodeParams {
    void *func;
    dim3 grid, block;
    unsigned shared;
    void **params, **extra;
} cudaKernelNodeParams;
typedef struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
} cudaMemsetParams;

#define NODE CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n

API cudaError_t cudaGraphCreate(CUgraph *g, unsigned flags) { return DO(cuGraphCreate(g, flags)); }
API cudaError_t cudaGraphDestroy(CUgraph g) { return DO(cuGraphDestroy(g)); }
API cudaError_t cudaGraphClone(CUgraph *out, CUgraph g) { return DO(cuGraphClone(out, g)); }
API cudaError_t cudaGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n) { return DO(cuGraphGetNodes(g, nodes, n)); }
API cudaError_t cudaGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    return DO(cuGraphGetRootNodes(g, nodes, n));
}
API cudaError_t cudaGraphNodeGetType(CUgraphNode node, int *type) { return DO(cuGraphNodeGetType(node, type)); }

API cudaError_t cudaGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *n)
{
    return DO(cuGraphGetEdges_v2(g, from, to, data, n));
}
API cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *deps, CUgraphEdgeData *data, size_t *n)
{
    return DO(cuGraphNodeGetDependencies_v2(node, deps, data, n));
}
API cudaError_t cudaGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                         const CUgraphEdgeData *data, size_t n)
{
    return DO(cuGraphAddDependencies_v2(g, from, to, data, n));
}

static CUresult kernel_params(const cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *k)
{
    *k = (CUDA_KERNEL_NODE_PARAMS){ 0 };
    if (!p)
        return cudaErrorInvalidValue;
    *k = (CUDA_KERNEL_NODE_PARAMS){ .gridDimX = p->grid.x,
                                    .gridDimY = p->grid.y,
                                    .gridDimZ = p->grid.z,
                                    .blockDimX = p->block.x,
                                    .blockDimY = p->block.y,
                                    .blockDimZ = p->block.z,
                                    .sharedMemBytes = p->shared,
                                    .kernelParams = p->params,
                                    .extra = p->extra };
    return find_kernel(p->func, &k->func);
}

API cudaError_t cudaGraphAddKernelNode(NODE, const cudaKernelNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;
    CUresult r = kernel_params(p, &k);
    return finish(r ? r : cuGraphAddKernelNode_v2(out, g, deps, n, &k));
}

API cudaError_t cudaGraphKernelNodeSetParams(CUgraphNode node, const cudaKernelNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;
    CUresult r = kernel_params(p, &k);
    return finish(r ? r : cuGraphKernelNodeSetParams_v2(node, &k));
}

API cudaError_t cudaGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode node, const cudaKernelNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;
    CUresult r = kernel_params(p, &k);
    return finish(r ? r : cuGraphExecKernelNodeSetParams_v2(e, node, &k));
}

/* The runtime hands back 1-D copies and 3-D ones alike as boxes. */
static CUresult box(const cudaMemcpy3DParms *p, CUDA_MEMCPY3D *m)
{
    CUresult r = p ? ready() : (CUresult)cudaErrorInvalidValue;
    return r ? r : copy_of_parms(p, m) ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

API cudaError_t cudaGraphAddMemcpyNode(NODE, const cudaMemcpy3DParms *p)
{
    CUDA_MEMCPY3D m;
    CUresult r = box(p, &m);
    return finish(r ? r : cuGraphAddMemcpyNode(out, g, deps, n, &m, NULL));
}

API cudaError_t cudaGraphMemcpyNodeSetParams(CUgraphNode node, const cudaMemcpy3DParms *p)
{
    CUDA_MEMCPY3D m;
    CUresult r = box(p, &m);
    return finish(r ? r : cuGraphMemcpyNodeSetParams(node, &m));
}

API cudaError_t cudaGraphExecMemcpyNodeSetParams(CUgraphExec e, CUgraphNode node, const cudaMemcpy3DParms *p)
{
    CUDA_MEMCPY3D m;
    CUresult r = box(p, &m);
    return finish(r ? r : cuGraphExecMemcpyNodeSetParams(e, node, &m, NULL));
}

static cudaMemcpy3DParms line(void *d, const void *s, size_t size, int kind)
{
    return (cudaMemcpy3DParms){ .srcPtr = { (void *)(uintptr_t)s, size, size, 1 },
                                .dstPtr = { d, size, size, 1 },
                                .extent = { size, 1, 1 },
                                .kind = kind };
}

API cudaError_t cudaGraphAddMemcpyNode1D(NODE, void *d, const void *s, size_t size, int kind)
{
    cudaMemcpy3DParms p = line(d, s, size, kind);
    return cudaGraphAddMemcpyNode(out, g, deps, n, &p);
}

API cudaError_t cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *d, const void *s, size_t size, int kind)
{
    cudaMemcpy3DParms p = line(d, s, size, kind);
    return cudaGraphMemcpyNodeSetParams(node, &p);
}

API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec e, CUgraphNode node, void *d, const void *s, size_t size,
                                                   int kind)
{
    cudaMemcpy3DParms p = line(d, s, size, kind);
    return cudaGraphExecMemcpyNodeSetParams(e, node, &p);
}

static CUDA_MEMSET_NODE_PARAMS fill(const cudaMemsetParams *p)
{
    return (CUDA_MEMSET_NODE_PARAMS){ address(p->dst), p->pitch, p->value, p->elementSize, p->width, p->height };
}

API cudaError_t cudaGraphAddMemsetNode(NODE, const cudaMemsetParams *p)
{
    CUDA_MEMSET_NODE_PARAMS m = p ? fill(p) : (CUDA_MEMSET_NODE_PARAMS){ 0 };
    return DO(cuGraphAddMemsetNode(out, g, deps, n, p ? &m : NULL, NULL));
}

API cudaError_t cudaGraphExecMemsetNodeSetParams(CUgraphExec e, CUgraphNode node, const cudaMemsetParams *p)
{
    CUDA_MEMSET_NODE_PARAMS m = p ? fill(p) : (CUDA_MEMSET_NODE_PARAMS){ 0 };
    return DO(cuGraphExecMemsetNodeSetParams(e, node, p ? &m : NULL, NULL));
}

API cudaError_t cudaGraphAddHostNode(NODE, const CUDA_HOST_NODE_PARAMS *p)
{
    return DO(cuGraphAddHostNode(out, g, deps, n, p));
}
API cudaError_t cudaGraphAddEmptyNode(NODE) { return DO(cuGraphAddEmptyNode(out, g, deps, n)); }
API cudaError_t cudaGraphAddChildGraphNode(NODE, CUgraph child)
{
    return DO(cuGraphAddChildGraphNode(out, g, deps, n, child));
}
API cudaError_t cudaGraphAddEventRecordNode(NODE, CUevent e)
{
    return DO(cuGraphAddEventRecordNode(out, g, deps, n, e));
}
API cudaError_t cudaGraphAddEventWaitNode(NODE, CUevent e) { return DO(cuGraphAddEventWaitNode(out, g, deps, n, e)); }

API cudaError_t cudaGraphInstantiate(CUgraphExec *e, CUgraph g, unsigned long long flags)
{
    return DO(cuGraphInstantiateWithFlags(e, g, flags));
}
API cudaError_t cudaGraphInstantiateWithFlags(CUgraphExec *e, CUgraph g, unsigned long long flags)
{
    return DO(cuGraphInstantiateWithFlags(e, g, flags));
}
API cudaError_t cudaGraphExecDestroy(CUgraphExec e) { return DO(cuGraphExecDestroy(e)); }
API cudaError_t cudaGraphUpload(CUgraphExec e, CUstream s) { return DO(cuGraphUpload(e, s)); }
API cudaError_t cudaGraphLaunch(CUgraphExec e, CUstream s) { return DO(cuGraphLaunch(e, s)); }
API cudaError_t cudaGraphExecUpdate(CUgraphExec e, CUgraph g, CUgraphExecUpdateResultInfo *info)
{
    return DO(cuGraphExecUpdate_v2(e, g, info));
}
