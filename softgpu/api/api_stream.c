/* Streams and events. Work runs when it is submitted, so a stream is always idle between calls; a fault still surfaces
 * only where a program synchronises. */
#include "api.h"

static CUresult create_stream(CUstream *out, unsigned flags, int priority)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!out || flags > 1))
        r = CUDA_ERROR_INVALID_VALUE;
    stream_object *s = r ? NULL : calloc(1, sizeof *s);
    if (!r && !s)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r)
        return leave(r);
    *s = (stream_object){ c->streams, c, flags, priority };
    c->streams = s;
    *out = s;
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuStreamCreate(CUstream *s, unsigned flags) { return create_stream(s, flags, 0); }
CUDAAPI CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority)
{
    return create_stream(s, flags, priority);
}

static CUresult enter_stream(CUstream s, context **c)
{
    CUresult r = enter_context(c);
    if (!r && !is_stream(*c, s))
        r = CUDA_ERROR_INVALID_HANDLE;
    return r;
}

CUDAAPI CUresult cuStreamDestroy_v2(CUstream s)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    if (!r && (uintptr_t)s <= 2)
        r = CUDA_ERROR_INVALID_HANDLE;
    if (r)
        return leave(r);
    stream_object **at = &c->streams;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    free(s);
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuStreamDestroy(CUstream s) { return cuStreamDestroy_v2(s); }

CUDAAPI CUresult cuStreamSynchronize(CUstream s)
{
    context *c;
    return leave(enter_stream(s, &c));
}

CUDAAPI CUresult cuStreamQuery(CUstream s)
{
    context *c;
    return leave(enter_stream(s, &c));
}

CUDAAPI CUresult cuStreamGetFlags(CUstream s, unsigned *flags)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    if (!r && !flags)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *flags = (uintptr_t)s <= 2 ? 0 : s->flags;
    return leave(r);
}

CUDAAPI CUresult cuStreamGetPriority(CUstream s, int *priority)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    if (!r && !priority)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *priority = (uintptr_t)s <= 2 ? 0 : s->priority;
    return leave(r);
}

CUDAAPI CUresult cuStreamGetCtx(CUstream s, CUcontext *out)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    if (!r && !out)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *out = c;
    return leave(r);
}

CUDAAPI CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    (void)flags;
    if (!r && !is_event(c, e))
        r = CUDA_ERROR_INVALID_HANDLE;
    return leave(r);
}

/* Host functions run at once, outside the lock: they may not call the driver, but other threads may. */
CUDAAPI CUresult cuLaunchHostFunc(CUstream s, CUhostFn f, void *data)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    if (!r && !f)
        r = CUDA_ERROR_INVALID_VALUE;
    leave(r);
    if (!r)
        f(data);
    return r;
}

CUDAAPI CUresult cuStreamAddCallback(CUstream s, CUstreamCallback f, void *data, unsigned flags)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    if (!r && (!f || flags))
        r = CUDA_ERROR_INVALID_VALUE;
    leave(r);
    if (!r)
        f(s, CUDA_SUCCESS, data);
    return r;
}

CUDAAPI CUresult cuStreamIsCapturing(CUstream s, int *status)
{
    context *c;
    CUresult r = enter_stream(s, &c);
    if (!r && !status)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *status = 0;
    return leave(r);
}

CUDAAPI CUresult cuEventCreate(CUevent *out, unsigned flags)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!out || flags > 7))
        r = CUDA_ERROR_INVALID_VALUE;
    event_object *e = r ? NULL : calloc(1, sizeof *e);
    if (!r && !e)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r)
        return leave(r);
    *e = (event_object){ .next = c->events, .ctx = c, .flags = flags };
    c->events = e;
    *out = e;
    return leave(CUDA_SUCCESS);
}

static CUresult enter_event(CUevent e, context **c)
{
    CUresult r = enter_context(c);
    if (!r && !is_event(*c, e))
        r = CUDA_ERROR_INVALID_HANDLE;
    return r;
}

CUDAAPI CUresult cuEventDestroy_v2(CUevent e)
{
    context *c;
    CUresult r = enter_event(e, &c);
    if (r)
        return leave(r);
    event_object **at = &c->events;
    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    free(e);
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuEventDestroy(CUevent e) { return cuEventDestroy_v2(e); }

CUDAAPI CUresult cuEventRecord(CUevent e, CUstream s)
{
    context *c;
    CUresult r = enter_event(e, &c);
    if (!r && !is_stream(c, s))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r) {
        e->recorded = true;
        e->when = sg_now();
    }
    return leave(r);
}

CUDAAPI CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags)
{
    (void)flags;
    return cuEventRecord(e, s);
}

CUDAAPI CUresult cuEventQuery(CUevent e)
{
    context *c;
    return leave(enter_event(e, &c));
}

CUDAAPI CUresult cuEventSynchronize(CUevent e)
{
    context *c;
    return leave(enter_event(e, &c));
}

CUDAAPI CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end)
{
    context *c;
    CUresult r = enter_event(start, &c);
    if (!r && !ms)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && (!is_event(c, end) || !start->recorded || !end->recorded || (start->flags | end->flags) & 2))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r)
        *ms = (float)(end->when - start->when);
    return leave(r);
}

CUDAAPI CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    return cuEventElapsedTime_v2(ms, start, end);
}
