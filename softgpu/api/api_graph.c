/* Graphs: the driver's calls. */
#include "work.h"

CUDAAPI CUresult cuGraphCreate(CUgraph *out, unsigned flags)
{
    CUresult r = enter();
    if (!r && (!out || flags))
        r = CUDA_ERROR_INVALID_VALUE;
    graph_object *g = r ? NULL : graph_new();
    if (!r && !g)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r)
        return leave(r);
    graph_hold(g);
    *out = g;
    return leave(r);
}

CUresult enter_graph(CUgraph g, const void *out)
{
    CUresult r = enter();
    if (!r && !out)
        r = CUDA_ERROR_INVALID_VALUE;
    return r ? r : is_graph(g) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult enter_node(CUgraphNode n, int kind, const void *out)
{
    CUresult r = enter();
    if (!r && (!out || !is_node(n) || (kind >= 0 && n->w.kind != kind)))
        r = CUDA_ERROR_INVALID_VALUE;
    return r;
}

CUDAAPI CUresult cuGraphDestroy(CUgraph g)
{
    CUresult r = enter_graph(g, g);
    if (!r && g->captured)
        r = CUDA_ERROR_ILLEGAL_STATE;
    if (!r)
        graph_destroy(g);
    return leave(r);
}

CUDAAPI CUresult cuGraphClone(CUgraph *out, CUgraph from)
{
    CUresult r = enter_graph(from, out);
    graph_object *g = r ? NULL : graph_copy(from);
    if (!r && !g)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r)
        return leave(r);
    graph_hold(g);
    *out = g;
    return leave(r);
}

/* Adds a node; called under the lock, with the result so far. */
static CUresult add(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, CUresult r, work w)
{
    if (!r && !out)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r) {
        clear_work(&w);
        return leave(r);
    }
    *out = graph_add(g, deps, n, w);
    return leave(*out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

static CUresult graph_kernel(const CUDA_KERNEL_NODE_PARAMS *p, kernel_work *k)
{
    *k = (kernel_work){ .f = p->func ? p->func : p->kern,
                        .grid = { p->gridDimX, p->gridDimY, p->gridDimZ },
                        .block = { p->blockDimX, p->blockDimY, p->blockDimZ },
                        .shared = p->sharedMemBytes };
    return make_kernel_work(k, p->kernelParams, p->extra);
}

CUDAAPI CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n,
                                         const CUDA_KERNEL_NODE_PARAMS *p)
{
    CUresult r = enter_graph(g, p);
    work w = { .kind = WORK_EMPTY };
    kernel_work k;
    if (!r && !(r = graph_kernel(p, &k)))
        w = (work){ .kind = WORK_KERNEL, .u.kernel = k };
    return add(out, g, deps, n, r, w);
}

CUDAAPI CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n,
                                      const CUDA_MEMCPY3D *p, CUcontext c)
{
    CUresult r = enter_graph(g, p);
    work w = { .kind = WORK_COPY };
    (void)c;
    if (!r && !copy_work_of(p, &w.u.copy))
        r = CUDA_ERROR_NOT_SUPPORTED;
    return add(out, g, deps, n, r, w);
}

work graph_fill(const CUDA_MEMSET_NODE_PARAMS *p)
{
    fill_work k = { p->dst, p->pitch, p->value, p->elementSize, p->width, p->height };
    return (work){ .kind = WORK_FILL, .u.fill = k };
}

bool is_good_fill(const CUDA_MEMSET_NODE_PARAMS *p)
{
    return p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4;
}

CUDAAPI CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n,
                                      const CUDA_MEMSET_NODE_PARAMS *p, CUcontext c)
{
    CUresult r = enter_graph(g, p);
    (void)c;
    if (!r && !is_good_fill(p))
        r = CUDA_ERROR_INVALID_VALUE;
    return add(out, g, deps, n, r, r ? (work){ .kind = WORK_EMPTY } : graph_fill(p));
}

CUDAAPI CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n,
                                    const CUDA_HOST_NODE_PARAMS *p)
{
    CUresult r = enter_graph(g, p && p->fn ? p : NULL);
    work w = { .kind = WORK_HOST };
    if (!r) {
        w.u.host.f = p->fn;
        w.u.host.data = p->userData;
    }
    return add(out, g, deps, n, r, w);
}

CUDAAPI CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n)
{
    return add(out, g, deps, n, enter_graph(g, g), (work){ .kind = WORK_EMPTY });
}

CUDAAPI CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, CUgraph child)
{
    CUresult r = enter_graph(g, g);
    if (!r && !is_graph(child))
        r = CUDA_ERROR_INVALID_VALUE;
    work w = { .kind = WORK_GRAPH, .u.graph = r ? NULL : graph_copy(child) };
    if (!r && !w.u.graph)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    return add(out, g, deps, n, r, w);
}

static CUresult add_event(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, int kind, CUevent e)
{
    CUresult r = enter_graph(g, e);
    return add(out, g, deps, n, r, (work){ .kind = kind, .u.event = e });
}

CUDAAPI CUresult cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, CUevent e)
{
    return add_event(out, g, deps, n, WORK_RECORD, e);
}

CUDAAPI CUresult cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, CUevent e)
{
    return add_event(out, g, deps, n, WORK_WAIT, e);
}

static bool add_dependency(node_object *to, CUgraphNode from)
{
    CUgraphNode *grown = realloc(to->deps, (to->ndeps + 1) * sizeof *grown);
    if (!grown)
        return false;
    to->deps = grown;
    to->deps[to->ndeps++] = from;
    return true;
}

CUDAAPI CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n)
{
    CUresult r = enter_graph(g, g);
    for (size_t i = 0; !r && i < n; i++)
        if (!is_node(from[i]) || !is_node(to[i]) || from[i]->owner != g || to[i]->owner != g || from[i] == to[i])
            r = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; !r && i < n; i++)
        if (!add_dependency(to[i], from[i]))
            r = CUDA_ERROR_OUT_OF_MEMORY;
    return leave(r);
}

/* Hands out a list as the driver does: *n is the room, then the number; without room only the number is given. */
static CUresult give(const CUgraphNode *list, size_t count, CUgraphNode *out, size_t *n)
{
    for (size_t i = 0; out && i < *n; i++)
        out[i] = i < count ? list[i] : NULL;
    *n = out && *n < count ? *n : count;
    return CUDA_SUCCESS;
}

CUDAAPI CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    CUresult r = enter_graph(g, n);
    return leave(r ? r : give(g->nodes, g->nnodes, nodes, n));
}

CUDAAPI CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    CUresult r = enter_graph(g, n);
    CUgraphNode *roots = r ? NULL : malloc((g->nnodes + 1) * sizeof *roots);
    size_t count = 0;
    for (size_t i = 0; roots && i < g->nnodes; i++)
        if (!g->nodes[i]->ndeps)
            roots[count++] = g->nodes[i];
    if (roots)
        give(roots, count, nodes, n);
    free(roots);
    return leave(r ? r : roots ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUDAAPI CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
    CUresult r = enter_graph(g, n);
    size_t count = 0;
    for (size_t i = 0; !r && i < g->nnodes; i++)
        for (size_t j = 0; j < g->nodes[i]->ndeps; j++, count++) {
            if (from && to && count < *n) {
                from[count] = g->nodes[i]->deps[j];
                to[count] = g->nodes[i];
            }
        }
    if (!r)
        *n = from && to && *n < count ? *n : count;
    return leave(r);
}

CUDAAPI CUresult cuGraphNodeGetType(CUgraphNode at, int *kind)
{
    CUresult r = enter_node(at, -1, kind);
    if (!r)
        *kind = at->w.kind;
    return leave(r);
}

CUDAAPI CUresult cuGraphNodeGetDependencies(CUgraphNode at, CUgraphNode *deps, size_t *n)
{
    CUresult r = enter_node(at, -1, n);
    return leave(r ? r : give(at->deps, at->ndeps, deps, n));
}

/* --- parameters of nodes, in a graph or in what it was made into --- */
CUresult node_set_kernel(node_object *n, const CUDA_KERNEL_NODE_PARAMS *p)
{
    kernel_work k;
    CUresult r = graph_kernel(p, &k);
    if (r)
        return r;
    clear_work(&n->w);
    n->w = (work){ .kind = WORK_KERNEL, .u.kernel = k };
    return CUDA_SUCCESS;
}

CUresult node_set_copy(node_object *n, const CUDA_MEMCPY3D *p)
{
    return copy_work_of(p, &n->w.u.copy) ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

CUDAAPI CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode at, const CUDA_KERNEL_NODE_PARAMS *p)
{
    CUresult r = enter_node(at, WORK_KERNEL, p);
    return leave(r ? r : node_set_kernel(at, p));
}

/* Parameters themselves are kept as bytes: the pointers to them are not given back. */
CUDAAPI CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode at, CUDA_KERNEL_NODE_PARAMS *p)
{
    CUresult r = enter_node(at, WORK_KERNEL, p);
    if (r)
        return leave(r);
    const kernel_work *k = &at->w.u.kernel;
    *p = (CUDA_KERNEL_NODE_PARAMS){ .func = k->f,
                                    .gridDimX = k->grid[0],
                                    .gridDimY = k->grid[1],
                                    .gridDimZ = k->grid[2],
                                    .blockDimX = k->block[0],
                                    .blockDimY = k->block[1],
                                    .blockDimZ = k->block[2],
                                    .sharedMemBytes = k->shared };
    return leave(r);
}

CUDAAPI CUresult cuGraphMemcpyNodeSetParams(CUgraphNode at, const CUDA_MEMCPY3D *p)
{
    CUresult r = enter_node(at, WORK_COPY, p);
    return leave(r ? r : node_set_copy(at, p));
}

CUDAAPI CUresult cuGraphMemsetNodeSetParams(CUgraphNode at, const CUDA_MEMSET_NODE_PARAMS *p)
{
    CUresult r = enter_node(at, WORK_FILL, p);
    if (!r && !is_good_fill(p))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        at->w = graph_fill(p);
    return leave(r);
}
