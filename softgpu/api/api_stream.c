/* Streams and events. Work runs when it is submitted, so a stream is always idle between calls; a fault still surfaces
 * only where a program synchronises. */
#include "work.h"

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
    *s = (stream_object){ .next = c->streams, .ctx = c, .flags = flags, .priority = priority };
    c->streams = s;
    *out = s;
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuStreamCreate(CUstream *s, unsigned flags) { return create_stream(s, flags, 0); }
CUDAAPI CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority)
{
    return create_stream(s, flags, priority);
}

CUDAAPI CUresult cuStreamDestroy_v2(CUstream s)
{
    context *c;
    CUresult r = enter_stream(s, &c, &sg);
    if (!r && (uintptr_t)s <= 2)
        r = CUDA_ERROR_INVALID_HANDLE;
    if (r)
        return leave(r);
    stream_object **at = &c->streams;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    if (s->origin)
        abandon_capture(c, s);
    forget_capture(s);
    free(s);
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuStreamDestroy(CUstream s) { return cuStreamDestroy_v2(s); }

/* What a stream captures has not run: there is nothing to wait for. */
static CUresult wait_for(CUstream s)
{
    context *c;
    CUresult r = enter_stream(s, &c, &sg);
    if (!r && is_capturing(c, s))
        r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    return leave(r);
}

CUDAAPI CUresult cuStreamSynchronize(CUstream s) { return wait_for(s); }

CUDAAPI CUresult cuStreamQuery(CUstream s) { return wait_for(s); }

CUDAAPI CUresult cuStreamGetFlags(CUstream s, unsigned *flags)
{
    context *c;
    CUresult r = enter_stream(s, &c, flags);
    if (!r)
        *flags = (uintptr_t)s <= 2 ? 0 : s->flags;
    return leave(r);
}

CUDAAPI CUresult cuStreamGetPriority(CUstream s, int *priority)
{
    context *c;
    CUresult r = enter_stream(s, &c, priority);
    if (!r)
        *priority = (uintptr_t)s <= 2 ? 0 : s->priority;
    return leave(r);
}

CUDAAPI CUresult cuStreamGetCtx(CUstream s, CUcontext *out)
{
    context *c;
    CUresult r = enter_stream(s, &c, out);
    if (!r)
        *out = c;
    return leave(r);
}

CUDAAPI CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
    context *c;
    CUresult r = enter_stream(s, &c, &sg);
    (void)flags;
    if (!r && !is_event(c, e))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r && (e->capture || is_capturing(c, s)))
        r = e->capture ? capture_wait(c, s, e) : CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    return leave(r);
}

CUDAAPI CUresult cuLaunchHostFunc(CUstream s, CUhostFn f, void *data)
{
    context *c;
    CUresult r = enter_stream(s, &c, &sg);
    work w = { .kind = WORK_HOST };
    w.u.host.f = f;
    w.u.host.data = data;
    if (!r && !f)
        r = CUDA_ERROR_INVALID_VALUE;
    return leave(r ? r : submit(c, s, w));
}

/* Runs at once, outside the lock: it may not call the driver, but other threads may. */
CUDAAPI CUresult cuStreamAddCallback(CUstream s, CUstreamCallback f, void *data, unsigned flags)
{
    context *c;
    CUresult r = enter_stream(s, &c, &sg);
    if (!r && (!f || flags))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && is_capturing(c, s))
        r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    leave(r);
    if (!r)
        f(s, CUDA_SUCCESS, data);
    return r;
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

CUDAAPI CUresult cuEventDestroy_v2(CUevent e)
{
    context *c;
    CUresult r = enter_event(e, &c, &sg);
    if (r)
        return leave(r);
    event_object **at = &c->events;
    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    free(e->nodes);
    free(e);
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuEventDestroy(CUevent e) { return cuEventDestroy_v2(e); }

CUDAAPI CUresult cuEventRecord(CUevent e, CUstream s)
{
    context *c;
    CUresult r = enter_event(e, &c, &sg);
    if (!r && !is_stream(c, s))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r && is_capturing(c, s)) {
        capture_event(c, s, e);
        return leave(r);
    }
    if (!r) {
        e->capture = NULL;
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
    return leave(enter_event(e, &c, &sg));
}

CUDAAPI CUresult cuEventSynchronize(CUevent e)
{
    context *c;
    return leave(enter_event(e, &c, &sg));
}

CUDAAPI CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end)
{
    context *c;
    CUresult r = enter_event(start, &c, ms);
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
