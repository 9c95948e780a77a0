/* Stream capture: work that a stream is given becomes nodes of a graph. */
#include "work.h"

static stream_object *own_stream(const context *c, CUstream s)
{
    return (uintptr_t)s > 2 && is_stream(c, s) ? s : NULL;
}

bool is_capturing(const context *c, CUstream s)
{
    const stream_object *o = own_stream(c, s);
    return o && o->capture;
}

/* Behind the nodes stands the data of the edges from them, which is zero, for who asks for it. */
static bool set_tail(stream_object *s, const CUgraphNode *nodes, size_t n)
{
    CUgraphNode *copy = calloc(n + 1, sizeof *copy + sizeof(CUgraphEdgeData));
    if (!copy)
        return false;
    if (n)
        memcpy(copy, nodes, n * sizeof *copy);
    free(s->tail);
    s->tail = copy;
    s->ntail = n;
    return true;
}

void forget_capture(stream_object *s)
{
    free(s->tail);
    s->tail = NULL;
    s->ntail = 0;
    s->capture = NULL;
    s->origin = false;
}

CUresult capture_work(context *c, CUstream s, work w)
{
    stream_object *o = own_stream(c, s);
    node_object *n = graph_add(o->capture, o->tail, o->ntail, w);
    return n && set_tail(o, &n, 1) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void capture_event(context *c, CUstream s, CUevent e)
{
    const stream_object *o = own_stream(c, s);
    free(e->nodes);
    e->nodes = malloc((o->ntail + 1) * sizeof(CUgraphNode));
    e->nnodes = e->nodes ? o->ntail : 0;
    if (e->nnodes)
        memcpy(e->nodes, o->tail, e->nnodes * sizeof(CUgraphNode));
    e->capture = o->capture;
}

static bool has(const CUgraphNode *nodes, size_t n, CUgraphNode one)
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i] == one)
            return true;
    return false;
}

CUresult capture_wait(context *c, CUstream s, const CUevent e)
{
    stream_object *o = own_stream(c, s);
    if (!o)
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (o->capture && o->capture != e->capture)
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    CUgraphNode *all = malloc((o->ntail + e->nnodes + 1) * sizeof *all);
    size_t n = o->ntail;
    if (!all)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        all[i] = o->tail[i];
    for (size_t i = 0; i < e->nnodes; i++)
        if (!has(all, n, e->nodes[i]))
            all[n++] = e->nodes[i];
    o->capture = e->capture;
    CUresult r = set_tail(o, all, n) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    free(all);
    return r;
}

CUDAAPI CUresult cuStreamBeginCapture_v2(CUstream s, int mode)
{
    context *c;
    CUresult r = enter_stream(s, &c, &sg);
    stream_object *o = r ? NULL : own_stream(c, s);
    if (!r && (mode < 0 || mode > 2))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && !o)
        r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED; /* the default stream cannot be captured */
    if (!r && o->capture)
        r = CUDA_ERROR_ILLEGAL_STATE;
    if (!r && (!(o->capture = graph_new()) || !set_tail(o, NULL, 0)))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r)
        return leave(r);
    o->origin = o->capture->captured = true;
    graph_hold(o->capture);
    return leave(r);
}

/* Every stream that joined leaves with the one that began; one that was never waited for is an error. */
static bool release_others(context *c, const graph_object *g, const stream_object *origin)
{
    bool joined = true;
    for (stream_object *s = c->streams; s; s = s->next) {
        if (s == origin || s->capture != g)
            continue;
        for (size_t i = 0; i < s->ntail; i++) {
            bool followed = has(origin->tail, origin->ntail, s->tail[i]);
            for (size_t j = 0; j < g->nnodes; j++)
                followed |= has(g->nodes[j]->deps, g->nodes[j]->ndeps, s->tail[i]);
            joined &= followed;
        }
        forget_capture(s);
    }
    for (event_object *e = c->events; e; e = e->next)
        if (e->capture == g)
            e->capture = NULL;
    return joined;
}

/* Nobody can end the capture of a stream that is destroyed. */
void abandon_capture(context *c, stream_object *s)
{
    graph_object *g = s->capture;
    release_others(c, g, s);
    graph_destroy(g);
}

CUDAAPI CUresult cuStreamEndCapture(CUstream s, CUgraph *out)
{
    context *c;
    CUresult r = enter_stream(s, &c, out);
    stream_object *o = r ? NULL : own_stream(c, s);
    if (!r && (!o || !o->capture))
        r = CUDA_ERROR_ILLEGAL_STATE;
    if (!r && !o->origin)
        r = CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (r)
        return leave(r);
    graph_object *g = o->capture;
    bool joined = release_others(c, g, o);
    forget_capture(o);
    g->captured = false;
    *out = joined ? g : NULL;
    if (!joined)
        graph_destroy(g);
    return leave(joined ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
}

CUDAAPI CUresult cuStreamIsCapturing(CUstream s, int *status)
{
    context *c;
    CUresult r = enter_stream(s, &c, status);
    if (!r)
        *status = is_capturing(c, s);
    return leave(r);
}

CUDAAPI CUresult cuStreamGetCaptureInfo_v2(CUstream s, int *status, uint64_t *id, CUgraph *graph,
                                           const CUgraphNode **deps, size_t *ndeps)
{
    context *c;
    CUresult r = enter_stream(s, &c, status);
    const stream_object *o = r ? NULL : own_stream(c, s);
    bool on = o && o->capture;
    if (r)
        return leave(r);
    *status = on;
    if (on && id)
        *id = (uint64_t)(uintptr_t)o->capture;
    if (on && graph)
        *graph = o->capture;
    if (on && deps)
        *deps = o->tail;
    if (on && ndeps)
        *ndeps = o->ntail;
    return leave(r);
}

CUDAAPI CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int current;
    if (!mode || *mode < 0 || *mode > 2)
        return CUDA_ERROR_INVALID_VALUE;
    int old = current;
    current = *mode;
    *mode = old;
    return CUDA_SUCCESS;
}
