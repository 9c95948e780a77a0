/* Contexts: created ones, and the device's primary one. */
#include "work.h"

static void free_owned(context *c)
{
    tell_leaks(c);
    while (c->allocs) {
        owned *o = c->allocs;
        memory_free(&sg.mem, o->base);
        c->allocs = o->next;
        free(o);
    }
}

void context_clear(context *c)
{
    while (c->modules)
        unload_module(c->modules);
    free_owned(c);
    for (stream_object *s; (s = c->streams); free(s)) {
        if (s->origin)
            abandon_capture(c, s);
        c->streams = s->next;
        free(s->tail);
    }
    for (event_object *e; (e = c->events); free(e)) {
        c->events = e->next;
        free(e->nodes);
    }
    for (host_block *h; (h = c->host); free_host_block(h))
        c->host = h->next;
}

static CUresult create(context **out, unsigned flags, CUdevice d)
{
    CUresult r = enter();
    if (!r && !out)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && d)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (!r && flags & ~0xffu)
        r = CUDA_ERROR_INVALID_VALUE;
    context *c = r ? NULL : calloc(1, sizeof *c);
    if (!r && !c)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (!r)
        r = push_context(c);
    if (r) {
        free(c);
        return leave(r);
    }
    c->flags = flags;
    c->refs = 1;
    c->next = sg.contexts;
    sg.contexts = c;
    *out = c;
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuCtxCreate(CUcontext *c, unsigned flags, CUdevice d) { return create(c, flags, d); }
CUDAAPI CUresult cuCtxCreate_v2(CUcontext *c, unsigned flags, CUdevice d) { return create(c, flags, d); }
CUDAAPI CUresult cuCtxCreate_v3(CUcontext *c, void *affinity, int n, unsigned flags, CUdevice d)
{
    (void)affinity;
    return n ? CUDA_ERROR_NOT_SUPPORTED : create(c, flags, d);
}
CUDAAPI CUresult cuCtxCreate_v4(CUcontext *c, void *params, unsigned flags, CUdevice d)
{
    (void)params;
    return create(c, flags, d);
}

CUDAAPI CUresult cuCtxDestroy_v2(CUcontext c)
{
    CUresult r = enter();
    if (!r && (!is_context(c) || c->primary))
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (r)
        return leave(r);
    context **at = &sg.contexts;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    context_clear(c);
    forget_context(c);
    free(c);
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuCtxDestroy(CUcontext c) { return cuCtxDestroy_v2(c); }

CUDAAPI CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice d)
{
    CUresult r = enter();
    if (!r && !out)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && d)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (r)
        return leave(r);
    sg.primary.primary = sg.primary_active = true;
    sg.primary.refs++;
    *out = &sg.primary;
    return leave(CUDA_SUCCESS);
}

static void reset_primary(void)
{
    unsigned flags = sg.primary.flags;
    context_clear(&sg.primary);
    sg.primary = (context){ .flags = flags, .primary = true };
}

CUDAAPI CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d)
{
    CUresult r = enter();
    if (!r && d)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (!r && !sg.primary.refs)
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (!r && !--sg.primary.refs) {
        reset_primary();
        sg.primary_active = false;
    }
    return leave(r);
}

CUDAAPI CUresult cuDevicePrimaryCtxRelease(CUdevice d) { return cuDevicePrimaryCtxRelease_v2(d); }

CUDAAPI CUresult cuDevicePrimaryCtxReset_v2(CUdevice d)
{
    CUresult r = enter();
    if (!r && d)
        r = CUDA_ERROR_INVALID_DEVICE;
    unsigned refs = sg.primary.refs;
    if (!r && sg.primary_active) {
        reset_primary();
        sg.primary.refs = refs;
    }
    return leave(r);
}

CUDAAPI CUresult cuDevicePrimaryCtxReset(CUdevice d) { return cuDevicePrimaryCtxReset_v2(d); }

CUDAAPI CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice d, unsigned flags)
{
    CUresult r = enter();
    if (!r && d)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (!r)
        sg.primary.flags = flags;
    return leave(r);
}

CUDAAPI CUresult cuDevicePrimaryCtxSetFlags(CUdevice d, unsigned flags)
{
    return cuDevicePrimaryCtxSetFlags_v2(d, flags);
}

CUDAAPI CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active)
{
    CUresult r = enter();
    if (!r && d)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (!r && (!flags || !active))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r) {
        *flags = sg.primary.flags;
        *active = sg.primary_active;
    }
    return leave(r);
}

CUDAAPI CUresult cuCtxSetCurrent(CUcontext c)
{
    CUresult r = enter();
    if (!r && c && !is_context(c))
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (!r)
        set_context(c);
    return leave(r);
}

CUDAAPI CUresult cuCtxGetCurrent(CUcontext *c)
{
    CUresult r = enter();
    if (!r && !c)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *c = current_context();
    return leave(r);
}

CUDAAPI CUresult cuCtxPushCurrent_v2(CUcontext c)
{
    CUresult r = enter();
    if (!r && !is_context(c))
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (!r)
        r = push_context(c);
    return leave(r);
}

CUDAAPI CUresult cuCtxPopCurrent_v2(CUcontext *c)
{
    CUresult r = enter();
    context *top = r ? NULL : pop_context();
    if (!r && !top)
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (!r && c)
        *c = top;
    return leave(r);
}

CUDAAPI CUresult cuCtxPushCurrent(CUcontext c) { return cuCtxPushCurrent_v2(c); }
CUDAAPI CUresult cuCtxPopCurrent(CUcontext *c) { return cuCtxPopCurrent_v2(c); }

CUDAAPI CUresult cuCtxGetDevice(CUdevice *d)
{
    context *c;
    CUresult r = enter_out(&c, d);
    if (!r)
        *d = 0;
    return leave(r);
}

CUDAAPI CUresult cuCtxSynchronize(void)
{
    context *c;
    return leave(enter_context(&c));
}

CUDAAPI CUresult cuCtxGetFlags(unsigned *flags)
{
    context *c;
    CUresult r = enter_out(&c, flags);
    if (!r)
        *flags = c->flags;
    return leave(r);
}

CUDAAPI CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version)
{
    CUresult r = enter();
    if (!r && !version)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && c && !is_context(c))
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (!r)
        *version = 3020;
    return leave(r);
}

CUDAAPI CUresult cuCtxGetLimit(size_t *value, int limit)
{
    context *c;
    CUresult r = enter_out(&c, value);
    if (!r && (limit < 0 || limit > 9))
        r = CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (!r)
        *value = (size_t)(c->limits[limit] ? c->limits[limit] : limit == 0 ? 1024 : 0);
    return leave(r);
}

CUDAAPI CUresult cuCtxSetLimit(int limit, size_t value)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (limit < 0 || limit > 9))
        r = CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (!r)
        c->limits[limit] = value;
    return leave(r);
}

CUDAAPI CUresult cuCtxGetCacheConfig(int *config)
{
    context *c;
    CUresult r = enter_out(&c, config);
    if (!r)
        *config = c->cache_config;
    return leave(r);
}

CUDAAPI CUresult cuCtxSetCacheConfig(int config)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r)
        c->cache_config = config;
    return leave(r);
}

CUDAAPI CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && least)
        *least = 0;
    if (!r && greatest)
        *greatest = -5;
    return leave(r);
}
