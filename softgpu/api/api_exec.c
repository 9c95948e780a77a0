/* Graphs that can be launched: instantiated, updated, run. */
#include "work.h"

static bool is_exec(const exec_object *e)
{
    for (const exec_object *i = sg.execs; i; i = i->next)
        if (i == e)
            return true;
    return false;
}

static CUresult enter_exec(CUgraphExec e, const void *out)
{
    CUresult r = enter();
    return r ? r : out && is_exec(e) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void exec_free(exec_object *e)
{
    if (!e)
        return;
    graph_free(e->graph);
    free(e->sources);
    free(e->order);
    free(e);
}

static exec_object *exec_new(const graph_object *g)
{
    exec_object *e = calloc(1, sizeof *e);
    size_t size = (g->nnodes + 1) * sizeof(CUgraphNode);
    if (!e)
        return NULL;
    e->graph = graph_copy(g);
    e->sources = malloc(size);
    e->order = malloc(size);
    if (!e->graph || !e->sources || !e->order) {
        exec_free(e);
        return NULL;
    }
    if (g->nnodes)
        memcpy(e->sources, g->nodes, g->nnodes * sizeof(CUgraphNode));
    return e;
}

CUDAAPI CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g, unsigned long long flags)
{
    CUresult r = enter_graph(g, out);
    if (!r && flags & ~9ull)
        r = CUDA_ERROR_NOT_SUPPORTED;
    exec_object *e = r ? NULL : exec_new(g);
    if (!r && !e)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (!r && !graph_order(e->graph, e->order))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r) {
        exec_free(e);
        return leave(r);
    }
    e->next = sg.execs;
    sg.execs = e;
    *out = e;
    return leave(r);
}

CUDAAPI CUresult cuGraphInstantiate_v2(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log, size_t size)
{
    if (bad)
        *bad = NULL;
    if (log && size)
        *log = 0;
    return cuGraphInstantiateWithFlags(out, g, 0);
}

CUDAAPI CUresult cuGraphExecDestroy(CUgraphExec e)
{
    CUresult r = enter_exec(e, e);
    if (r)
        return leave(r);
    exec_object **at = &sg.execs;
    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    exec_free(e);
    return leave(r);
}

CUDAAPI CUresult cuGraphUpload(CUgraphExec e, CUstream s)
{
    (void)s;
    return leave(enter_exec(e, e));
}

/* In a stream that captures, the launch becomes a node with a copy of the graph. */
CUDAAPI CUresult cuGraphLaunch(CUgraphExec e, CUstream s)
{
    context *c;
    CUresult r = enter_stream(s, &c, e);
    if (!r && !is_exec(e))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r || !is_capturing(c, s)) {
        for (size_t i = 0; !r && !c->sticky && i < e->graph->nnodes; i++)
            r = run_work(c, &e->order[i]->w);
        return leave(r);
    }
    work w = { .kind = WORK_GRAPH, .u.graph = graph_copy(e->graph) };
    return leave(w.u.graph ? capture_work(c, s, w) : CUDA_ERROR_OUT_OF_MEMORY);
}

/* The node of e that stands for one of the graph that it was made of; NULL where that is of another kind. */
static node_object *counterpart(const exec_object *e, CUgraphNode source, int kind)
{
    for (size_t i = 0; i < e->graph->nnodes; i++)
        if (e->sources[i] == source)
            return e->graph->nodes[i]->w.kind == kind ? e->graph->nodes[i] : NULL;
    return NULL;
}

CUDAAPI CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec e, CUgraphNode source, const CUDA_KERNEL_NODE_PARAMS *p)
{
    CUresult r = enter_exec(e, p);
    node_object *n = r ? NULL : counterpart(e, source, WORK_KERNEL);
    return leave(r ? r : n ? node_set_kernel(n, p) : CUDA_ERROR_INVALID_VALUE);
}

CUDAAPI CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec e, CUgraphNode source, const CUDA_MEMCPY3D *p, CUcontext c)
{
    CUresult r = enter_exec(e, p);
    node_object *n = r ? NULL : counterpart(e, source, WORK_COPY);
    (void)c;
    return leave(r ? r : n ? node_set_copy(n, p) : CUDA_ERROR_INVALID_VALUE);
}

CUDAAPI CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec e, CUgraphNode source, const CUDA_MEMSET_NODE_PARAMS *p,
                                                CUcontext c)
{
    CUresult r = enter_exec(e, p);
    node_object *n = r ? NULL : counterpart(e, source, WORK_FILL);
    (void)c;
    if (!r && (!n || !is_good_fill(p)))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        n->w = graph_fill(p);
    return leave(r);
}

/* The graph of the same shape with other parameters. */
static bool same_shape(const graph_object *a, const graph_object *b)
{
    if (a->nnodes != b->nnodes)
        return false;
    for (size_t i = 0; i < a->nnodes; i++) {
        if (a->nodes[i]->w.kind != b->nodes[i]->w.kind || a->nodes[i]->ndeps != b->nodes[i]->ndeps)
            return false;
        for (size_t j = 0; j < a->nodes[i]->ndeps; j++)
            if (a->nodes[i]->deps[j]->index != b->nodes[i]->deps[j]->index)
                return false;
    }
    return true;
}

CUDAAPI CUresult cuGraphExecUpdate_v2(CUgraphExec e, CUgraph g, CUgraphExecUpdateResultInfo *info)
{
    CUresult r = enter_exec(e, info);
    if (!r && !is_graph(g))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return leave(r);
    exec_object *fresh = same_shape(e->graph, g) ? exec_new(g) : NULL;
    *info = (CUgraphExecUpdateResultInfo){ .result = fresh ? 0 : 2 }; /* the topology changed */
    if (!fresh || !graph_order(fresh->graph, fresh->order)) {
        exec_free(fresh);
        return leave(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    }
    exec_object old = *e;
    e->graph = fresh->graph;
    e->order = fresh->order;
    fresh->graph = old.graph;
    fresh->order = old.order;
    exec_free(fresh);
    return leave(r);
}
