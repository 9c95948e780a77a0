/* Work that a stream is given. */
#include "work.h"

void clear_work(work *w)
{
    if (w->kind == WORK_KERNEL)
        free(w->u.kernel.params);
    if (w->kind == WORK_GRAPH)
        graph_free(w->u.graph);
    *w = (work){ .kind = WORK_EMPTY };
}

bool copy_of_work(const work *from, work *to)
{
    *to = *from;
    if (from->kind == WORK_GRAPH)
        return (to->u.graph = graph_copy(from->u.graph)) != NULL;
    if (from->kind != WORK_KERNEL)
        return true;
    size_t size = from->u.kernel.f->k->param_size + 16u;
    to->u.kernel.params = malloc(size);
    if (to->u.kernel.params)
        memcpy(to->u.kernel.params, from->u.kernel.params, size);
    return to->u.kernel.params != NULL;
}

/* Host functions run outside the lock: they may not call the driver, but other threads may. */
static CUresult run_host(const work *w)
{
    leave(CUDA_SUCCESS);
    w->u.host.f(w->u.host.data);
    return enter();
}

static CUresult run_record(const context *c, CUevent e)
{
    if (!is_event(c, e))
        return CUDA_ERROR_INVALID_HANDLE;
    e->recorded = true;
    e->when = sg_now();
    return CUDA_SUCCESS;
}

CUresult run_work(context *c, const work *w)
{
    switch (w->kind) {
    case WORK_KERNEL: return run_kernel(c, &w->u.kernel);
    case WORK_COPY: return run_copy(&w->u.copy);
    case WORK_FILL: return run_fill(&w->u.fill);
    case WORK_HOST: return run_host(w);
    case WORK_GRAPH: return graph_run(c, w->u.graph);
    case WORK_RECORD: return run_record(c, w->u.event);
    default: return CUDA_SUCCESS; /* what it waits for has run */
    }
}

CUresult submit(context *c, CUstream s, work w)
{
    if (!is_stream(c, s)) {
        clear_work(&w);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (is_capturing(c, s))
        return capture_work(c, s, w);
    CUresult r = run_work(c, &w);
    clear_work(&w);
    return r;
}
