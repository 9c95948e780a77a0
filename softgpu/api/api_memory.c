/* Device and host memory, copies and fills. */
#include "api.h"

u8 *device_range(u64 address, u64 size, alloc **a)
{
    *a = memory_find(&sg.mem, address);
    if (!*a || size > (*a)->size - (address - (*a)->base))
        return NULL;
    return (*a)->host + (address - (*a)->base);
}

static CUresult allocate(CUdeviceptr *out, size_t size)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!out || !size))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && injected(SOFTGPU_FAIL_ALLOC))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    owned *o = r ? NULL : malloc(sizeof *o);
    alloc *a = o ? memory_alloc(&sg.mem, size, 0) : NULL;
    if (!r && !a)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r) {
        free(o);
        return leave(r);
    }
    TELL_DEVICE(&sg.observers, IS_ON(&sg.observers), allocated, slot, a);
    *o = (owned){ a->base, c->allocs };
    c->allocs = o;
    *out = a->base;
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t size) { return allocate(p, size); }
CUDAAPI CUresult cuMemAllocManaged(CUdeviceptr *p, size_t size, unsigned flags)
{
    (void)p;
    (void)size;
    (void)flags;
    return CUDA_ERROR_NOT_SUPPORTED;
}
CUDAAPI CUresult cuMemAllocAsync(CUdeviceptr *p, size_t size, CUstream s)
{
    (void)s;
    return allocate(p, size);
}

CUDAAPI CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element)
{
    if (!pitch || (element != 4 && element != 8 && element != 16))
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = (size_t)round_up(width, 512);
    return allocate(p, *pitch * height);
}

/* Takes the allocation from whichever context owns it. */
static bool disown(context *c, u64 base)
{
    for (owned **at = &c->allocs; *at; at = &(*at)->next) {
        if ((*at)->base != base)
            continue;
        owned *o = *at;
        *at = o->next;
        free(o);
        return true;
    }
    return false;
}

CUDAAPI CUresult cuMemFree_v2(CUdeviceptr p)
{
    context *c;
    CUresult r = enter_context(&c);
    if (r || !p)
        return leave(r);
    bool mine = disown(c, p) || disown(&sg.primary, p);
    for (context *o = sg.contexts; o && !mine; o = o->next)
        mine = disown(o, p);
    if (!mine || !memory_free(&sg.mem, p)) {
        tell_refused(p, "invalid free of 0x%llx", p);
        return leave(CUDA_ERROR_INVALID_VALUE);
    }
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s)
{
    (void)s;
    return cuMemFree_v2(p);
}

CUDAAPI CUresult cuMemGetInfo_v2(size_t *left, size_t *total)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!left || !total))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r) {
        *left = (size_t)(sg.mem.total - sg.mem.used);
        *total = (size_t)sg.mem.total;
    }
    return leave(r);
}

CUDAAPI CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr p)
{
    context *c;
    CUresult r = enter_context(&c);
    const alloc *a = r ? NULL : memory_find(&sg.mem, p);
    if (!r && !a)
        r = CUDA_ERROR_NOT_FOUND;
    if (!r && base)
        *base = a->base;
    if (!r && size)
        *size = (size_t)a->size;
    return leave(r);
}

/* --- page-locked host memory: ordinary memory that the context frees --- */
static CUresult host_alloc(void **out, size_t size)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!out || !size))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && injected(SOFTGPU_FAIL_ALLOC))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    host_block *h = r ? NULL : malloc(sizeof *h);
    void *p = h ? malloc(size) : NULL;
    if (!r && !p)
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r) {
        free(h);
        return leave(r);
    }
    *h = (host_block){ p, size, c->host };
    c->host = h;
    *out = p;
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuMemHostAlloc(void **p, size_t size, unsigned flags)
{
    return flags & 2 ? CUDA_ERROR_NOT_SUPPORTED
                     : host_alloc(p, size); /* mapped memory would need host pointers on the device */
}

CUDAAPI CUresult cuMemAllocHost_v2(void **p, size_t size) { return host_alloc(p, size); }

CUDAAPI CUresult cuMemFreeHost(void *p)
{
    context *c;
    CUresult r = enter_context(&c);
    if (r)
        return leave(r);
    for (host_block **at = &c->host; *at; at = &(*at)->next) {
        host_block *h = *at;
        if (h->p != p)
            continue;
        *at = h->next;
        free(h->p);
        free(h);
        return leave(CUDA_SUCCESS);
    }
    return leave(CUDA_ERROR_INVALID_VALUE);
}

CUDAAPI CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *d, void *p, unsigned flags)
{
    (void)d;
    (void)p;
    (void)flags;
    return CUDA_ERROR_NOT_SUPPORTED;
}
CUDAAPI CUresult cuMemHostRegister_v2(void *p, size_t size, unsigned flags)
{
    (void)flags;
    return p && size ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUDAAPI CUresult cuMemHostUnregister(void *p) { return p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }

/* --- copies --- */
static void tell_written(alloc *a, u64 offset, u64 size)
{
    TELL_DEVICE(&sg.observers, a->observed[slot], written, slot, a, offset, size);
}

static CUresult begin_copy(CUstream s)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && !is_stream(c, s))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r && injected(SOFTGPU_FAIL_COPY))
        r = CUDA_ERROR_UNKNOWN;
    return r;
}

static CUresult bad_range(u64 p, size_t n)
{
    say("copy of %zu bytes at 0x%llx does not lie in one allocation", n, (unsigned long long)p);
    tell_refused(p, "copy of %zu bytes at 0x%llx does not lie in one allocation", n, (unsigned long long)p);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult to_device(CUdeviceptr d, const void *s, size_t n, CUstream stream)
{
    alloc *a;
    CUresult r = begin_copy(stream);
    if (r || !n)
        return leave(r);
    u8 *to = device_range(d, n, &a);
    if (!to)
        return leave(bad_range(d, n));
    if (!s)
        return leave(CUDA_ERROR_INVALID_VALUE);
    memcpy(to, s, n);
    tell_written(a, d - a->base, n);
    return leave(CUDA_SUCCESS);
}

static CUresult to_host(void *d, CUdeviceptr s, size_t n, CUstream stream)
{
    alloc *a;
    CUresult r = begin_copy(stream);
    if (r || !n)
        return leave(r);
    const u8 *from = device_range(s, n, &a);
    if (!from)
        return leave(bad_range(s, n));
    if (!d)
        return leave(CUDA_ERROR_INVALID_VALUE);
    TELL_DEVICE(&sg.observers, IS_ON(&sg.observers), read_back, slot, a, s - a->base, n);
    memcpy(d, from, n);
    return leave(CUDA_SUCCESS);
}

static CUresult on_device(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream stream)
{
    alloc *to_alloc, *from_alloc;
    CUresult r = begin_copy(stream);
    if (r || !n)
        return leave(r);
    u8 *to = device_range(d, n, &to_alloc), *from = device_range(s, n, &from_alloc);
    if (!to || !from)
        return leave(bad_range(to ? s : d, n));
    memmove(to, from, n);
    TELL_DEVICE(&sg.observers, to_alloc->observed[slot], copied, slot, to_alloc, d - to_alloc->base, from_alloc,
                s - from_alloc->base, n);
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuMemcpyHtoD_v2(CUdeviceptr d, const void *s, size_t n) { return to_device(d, s, n, NULL); }
CUDAAPI CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr d, const void *s, size_t n, CUstream st)
{
    return to_device(d, s, n, st);
}
CUDAAPI CUresult cuMemcpyDtoH_v2(void *d, CUdeviceptr s, size_t n) { return to_host(d, s, n, NULL); }
CUDAAPI CUresult cuMemcpyDtoHAsync_v2(void *d, CUdeviceptr s, size_t n, CUstream st) { return to_host(d, s, n, st); }
CUDAAPI CUresult cuMemcpyDtoD_v2(CUdeviceptr d, CUdeviceptr s, size_t n) { return on_device(d, s, n, NULL); }
CUDAAPI CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)
{
    return on_device(d, s, n, st);
}

/* With unified addressing either side may be host memory. */
static bool on_gpu(CUdeviceptr p) { return p >= GLOBAL_BASE && p < sg.mem.next; }

CUDAAPI CUresult cuMemcpyAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)
{
    void *hd = (void *)(uintptr_t)d, *hs = (void *)(uintptr_t)s;
    if (on_gpu(d) && on_gpu(s))
        return on_device(d, s, n, st);
    if (on_gpu(d))
        return to_device(d, hs, n, st);
    if (on_gpu(s))
        return to_host(hd, s, n, st);
    if (hd && hs)
        memmove(hd, hs, n);
    return hd && hs ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUDAAPI CUresult cuMemcpy(CUdeviceptr d, CUdeviceptr s, size_t n) { return cuMemcpyAsync(d, s, n, NULL); }

/* --- fills --- */
static CUresult fill(CUdeviceptr d, u32 value, size_t size, size_t count, CUstream stream)
{
    alloc *a;
    CUresult r = begin_copy(stream);
    if (r || !count)
        return leave(r);
    u8 *to = count <= SIZE_MAX / size ? device_range(d, size * count, &a) : NULL;
    if (!to || d % size)
        return leave(bad_range(d, size * count));
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * size, &value, size);
    tell_written(a, d - a->base, size * count);
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuMemsetD8_v2(CUdeviceptr d, unsigned char v, size_t n) { return fill(d, v, 1, n, NULL); }
CUDAAPI CUresult cuMemsetD16_v2(CUdeviceptr d, unsigned short v, size_t n) { return fill(d, v, 2, n, NULL); }
CUDAAPI CUresult cuMemsetD32_v2(CUdeviceptr d, unsigned v, size_t n) { return fill(d, v, 4, n, NULL); }
CUDAAPI CUresult cuMemsetD8Async(CUdeviceptr d, unsigned char v, size_t n, CUstream s) { return fill(d, v, 1, n, s); }
CUDAAPI CUresult cuMemsetD16Async(CUdeviceptr d, unsigned short v, size_t n, CUstream s) { return fill(d, v, 2, n, s); }
CUDAAPI CUresult cuMemsetD32Async(CUdeviceptr d, unsigned v, size_t n, CUstream s) { return fill(d, v, 4, n, s); }

CUDAAPI CUresult cuPointerGetAttribute(void *out, int attribute, CUdeviceptr p)
{
    context *c;
    CUresult r = enter_context(&c);
    const alloc *a = r ? NULL : memory_find(&sg.mem, p);
    if (!r && (!out || !a))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return leave(r);
    switch (attribute) {
    case 1: memcpy(out, &c, sizeof c); break;
    case 2: *(unsigned *)out = MEMTYPE_DEVICE; break;
    case 3: memcpy(out, &p, sizeof p); break;
    case 8: *(unsigned *)out = 0; break;
    case 9: *(int *)out = 0; break;
    case 11: memcpy(out, &a->base, sizeof a->base); break;
    case 12: {
        size_t size = (size_t)a->size;
        memcpy(out, &size, sizeof size);
        break;
    }
    case 13: *(unsigned *)out = 1; break;
    default: r = CUDA_ERROR_NOT_SUPPORTED;
    }
    return leave(r);
}
