/* Memory that host and device share: page-locked, registered and managed. It has one address on both; a kernel reaches
 * it through its allocation and nothing beside it. */
#include "api.h"

enum { GAP = 512 }; /* behind each block, so that no two lie side by side */

static void tell_shared(alloc *a)
{
    TELL_DEVICE(&sg.observers, IS_ON(&sg.observers), allocated, slot, a);
    TELL_DEVICE(&sg.observers, a->observed[slot], written, slot, a, 0, a->size); /* the host writes unseen */
}

host_block *find_host_block(u64 p)
{
    const context *c = current_context();
    for (host_block *h = c ? c->host : NULL; h; h = h->next)
        if (p - (u64)(uintptr_t)h->p < h->size)
            return h;
    return NULL;
}

static CUresult keep(context *c, void *p, size_t size, bool managed, bool foreign)
{
    host_block *h = malloc(sizeof *h);
    alloc *a = h ? memory_share(&sg.mem, p, size) : NULL;
    if (!a) {
        free(h);
        return h ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY;
    }
    *h = (host_block){ p, size, managed, foreign, c->host };
    c->host = h;
    tell_shared(a);
    return CUDA_SUCCESS;
}

u8 *shared_block(context *c, size_t size, bool managed)
{
    u8 *p = size < SIZE_MAX - GAP - 4096 ? aligned_alloc(256, (size_t)round_up(size + GAP, 256)) : NULL;
    if (!p)
        return NULL;
    memset(p, 0xff, size); /* as device memory that nobody wrote */
    if (!keep(c, p, size, managed, false))
        return p;
    free(p);
    return NULL;
}

static CUresult allocate(void **out, size_t size, bool managed)
{
    context *c;
    CUresult r = enter_out(&c, out);
    if (!r && !size)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && injected(SOFTGPU_FAIL_ALLOC))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (!r && !(*out = shared_block(c, size, managed)))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    return leave(r);
}

CUDAAPI CUresult cuMemHostAlloc(void **p, size_t size, unsigned flags)
{
    return flags & ~7u ? CUDA_ERROR_INVALID_VALUE : allocate(p, size, false);
}

CUDAAPI CUresult cuMemAllocHost_v2(void **p, size_t size) { return allocate(p, size, false); }

CUDAAPI CUresult cuMemAllocManaged(CUdeviceptr *p, size_t size, unsigned flags)
{
    void *host = NULL;
    if (!p || (flags != 1 && flags != 2))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = allocate(&host, size, true);
    if (!r)
        *p = (CUdeviceptr)(uintptr_t)host;
    return r;
}

void free_host_block(host_block *h)
{
    memory_free(&sg.mem, (u64)(uintptr_t)h->p);
    if (!h->foreign)
        free(h->p);
    free(h);
}

/* A module's variable, which goes with its module. */
static bool is_variable(const host_block *h)
{
    const alloc *a = memory_find(&sg.mem, (u64)(uintptr_t)h->p);
    return a && a->name;
}

/* Takes the block at p from its context; kind: managed, or the caller's own memory. */
static bool drop(context *c, const void *p, bool managed, bool foreign)
{
    for (host_block **at = &c->host; *at; at = &(*at)->next) {
        host_block *h = *at;
        if (h->p != p || h->managed != managed || h->foreign != foreign || is_variable(h))
            continue;
        *at = h->next;
        free_host_block(h);
        return true;
    }
    return false;
}

bool free_managed(context *c, u64 p) { return drop(c, (void *)(uintptr_t)p, true, false); }

CUDAAPI CUresult cuMemFreeHost(void *p)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && p && !drop(c, p, false, false))
        r = CUDA_ERROR_INVALID_VALUE;
    return leave(r);
}

CUDAAPI CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *d, void *p, unsigned flags)
{
    context *c;
    CUresult r = enter_out(&c, d);
    if (!r && (flags || !find_host_block((u64)(uintptr_t)p)))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *d = (CUdeviceptr)(uintptr_t)p;
    return leave(r);
}

CUDAAPI CUresult cuMemHostGetFlags(unsigned *flags, void *p)
{
    context *c;
    CUresult r = enter_out(&c, flags);
    if (!r && !find_host_block((u64)(uintptr_t)p))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *flags = 3; /* portable, mapped */
    return leave(r);
}

CUDAAPI CUresult cuMemHostRegister_v2(void *p, size_t size, unsigned flags)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!p || !size || size > SIZE_MAX - (uintptr_t)p || flags & ~15u))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && find_host_block((u64)(uintptr_t)p))
        r = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    if (!r)
        r = keep(c, p, size, false, true);
    return leave(r);
}

CUDAAPI CUresult cuMemHostUnregister(void *p)
{
    context *c;
    CUresult r = enter_out(&c, p);
    if (!r && !drop(c, p, false, true))
        r = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    return leave(r);
}

/* Managed memory is where it is: there is nothing to move, and advice changes nothing. */
static CUresult on_managed(CUdeviceptr p, size_t n)
{
    context *c;
    CUresult r = enter_context(&c);
    const host_block *h = r ? NULL : find_host_block(p);
    if (!r && (!h || !h->managed || n > h->size - (p - (u64)(uintptr_t)h->p)))
        r = CUDA_ERROR_INVALID_VALUE;
    return leave(r);
}

CUDAAPI CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t n, CUdevice d, CUstream s)
{
    (void)s;
    return d > 0 || d < -1 ? CUDA_ERROR_INVALID_DEVICE : on_managed(p, n);
}

CUDAAPI CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t n, CUmemLocation to, unsigned flags, CUstream s)
{
    (void)to;
    (void)s;
    return flags ? CUDA_ERROR_INVALID_VALUE : on_managed(p, n);
}

CUDAAPI CUresult cuMemAdvise(CUdeviceptr p, size_t n, int advice, CUdevice d)
{
    (void)d;
    return advice < 1 || advice > 6 ? CUDA_ERROR_INVALID_VALUE : on_managed(p, n);
}

CUDAAPI CUresult cuMemAdvise_v2(CUdeviceptr p, size_t n, int advice, CUmemLocation at)
{
    (void)at;
    return advice < 1 || advice > 6 ? CUDA_ERROR_INVALID_VALUE : on_managed(p, n);
}
