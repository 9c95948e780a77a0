/* Memory: the device's, the host's and what both share; pools. */
#include "runtime.h"

API cudaError_t cudaMalloc(void **p, size_t size)
{
    CUdeviceptr d = 0;
    CUresult r = p ? ready() : (CUresult)cudaErrorInvalidValue;
    if (!r && size)
        r = cuMemAlloc_v2(&d, size);
    if (!r)
        *p = (void *)(uintptr_t)d;
    return finish(r);
}

API cudaError_t cudaFree(void *p) { return DO(cuMemFree_v2(address(p))); }

API cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    CUdeviceptr d = 0;
    CUresult r = p && pitch ? ready() : (CUresult)cudaErrorInvalidValue;
    if (!r && width && height)
        r = cuMemAllocPitch_v2(&d, pitch, width, height, 4);
    if (!r)
        *p = (void *)(uintptr_t)d;
    return finish(r);
}

API cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent e)
{
    if (!p || (e.depth && e.height > SIZE_MAX / e.depth))
        return finish(cudaErrorInvalidValue);
    *p = (cudaPitchedPtr){ .xsize = e.width, .ysize = e.height };
    return cudaMallocPitch(&p->ptr, &p->pitch, e.width, e.height * e.depth);
}

API cudaError_t cudaMemGetInfo(size_t *left, size_t *total) { return DO(cuMemGetInfo_v2(left, total)); }

/* --- memory that the host has too --- */
static cudaError_t host_alloc(void **p, size_t size, unsigned flags)
{
    CUresult r = p ? ready() : (CUresult)cudaErrorInvalidValue;
    if (!r && !size)
        *p = NULL;
    else if (!r)
        r = cuMemHostAlloc(p, size, flags & 7);
    return finish(r);
}

API cudaError_t cudaMallocHost(void **p, size_t size) { return host_alloc(p, size, 0); }
API cudaError_t cudaHostAlloc(void **p, size_t size, unsigned flags) { return host_alloc(p, size, flags); }
API cudaError_t cudaFreeHost(void *p) { return DO(cuMemFreeHost(p)); }
API cudaError_t cudaHostGetFlags(unsigned *flags, void *p) { return DO(cuMemHostGetFlags(flags, p)); }
API cudaError_t cudaHostUnregister(void *p) { return DO(cuMemHostUnregister(p)); }
API cudaError_t cudaHostRegister(void *p, size_t size, unsigned flags)
{
    return DO(cuMemHostRegister_v2(p, size, flags));
}

API cudaError_t cudaHostGetDevicePointer(void **d, void *p, unsigned flags)
{
    CUdeviceptr at = 0;
    CUresult r = d ? ready() : (CUresult)cudaErrorInvalidValue;
    if (!r)
        r = cuMemHostGetDevicePointer_v2(&at, p, flags);
    if (!r)
        *d = (void *)(uintptr_t)at;
    return finish(r);
}

API cudaError_t cudaMallocManaged(void **p, size_t size, unsigned flags)
{
    CUdeviceptr d = 0;
    CUresult r = p ? ready() : (CUresult)cudaErrorInvalidValue;
    if (!r)
        r = cuMemAllocManaged(&d, size, flags);
    if (!r)
        *p = (void *)(uintptr_t)d;
    return finish(r);
}

API cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, CUmemLocation to, unsigned flags, CUstream s)
{
    return DO(cuMemPrefetchAsync_v2(address(p), n, to, flags, s));
}

API cudaError_t cudaMemAdvise(const void *p, size_t n, int advice, CUmemLocation at)
{
    return DO(cuMemAdvise_v2(address(p), n, advice, at));
}

API cudaError_t cudaStreamAttachMemAsync(CUstream s, void *p, size_t n, unsigned flags)
{
    (void)n, (void)flags, (void)p;
    return DO(cuStreamQuery(s)); /* managed memory is everybody's */
}

typedef struct cudaPointerAttributes {
    int type, device;
    void *devicePointer, *hostPointer;
    THIRTEEN(long reserved[8];)
} cudaPointerAttributes;

/* An address that the device does not know is ordinary memory of the host: type 0. */
API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p)
{
    unsigned type = 0;
    char managed = 0;
    if (!a)
        return finish(cudaErrorInvalidValue);
    CUresult r = ready();
    *a = (cudaPointerAttributes){ .device = -1 };
    if (r || cuPointerGetAttribute(&type, 2, address(p))) {
        a->hostPointer = (void *)(uintptr_t)p;
        return finish(r);
    }
    cuPointerGetAttribute(&managed, 8, address(p));
    a->type = managed ? 3 : (int)type;
    a->device = 0;
    a->devicePointer = (void *)(uintptr_t)p;
    a->hostPointer = managed || type == MEMTYPE_HOST ? a->devicePointer : NULL;
    return finish(r);
}

/* --- in the order of streams --- */
API cudaError_t cudaMallocAsync(void **p, size_t size, CUstream s)
{
    CUdeviceptr d = 0;
    CUresult r = p ? ready() : (CUresult)cudaErrorInvalidValue;
    if (!r && size)
        r = cuMemAllocAsync(&d, size, s);
    if (!r)
        *p = (void *)(uintptr_t)d;
    return finish(r);
}

API cudaError_t cudaMallocFromPoolAsync(void **p, size_t size, CUmemoryPool pool, CUstream s)
{
    return pool ? cudaMallocAsync(p, size, s) : finish(cudaErrorInvalidValue);
}

API cudaError_t cudaFreeAsync(void *p, CUstream s) { return DO(cuMemFreeAsync(address(p), s)); }
API cudaError_t cudaDeviceGetDefaultMemPool(CUmemoryPool *p, int d) { return DO(cuDeviceGetDefaultMemPool(p, d)); }
API cudaError_t cudaDeviceGetMemPool(CUmemoryPool *p, int d) { return DO(cuDeviceGetMemPool(p, d)); }
API cudaError_t cudaDeviceSetMemPool(int d, CUmemoryPool p) { return DO(cuDeviceSetMemPool(d, p)); }
API cudaError_t cudaMemPoolCreate(CUmemoryPool *p, const void *props) { return DO(cuMemPoolCreate(p, props)); }
API cudaError_t cudaMemPoolDestroy(CUmemoryPool p) { return DO(cuMemPoolDestroy(p)); }
API cudaError_t cudaMemPoolTrimTo(CUmemoryPool p, size_t keep) { return DO(cuMemPoolTrimTo(p, keep)); }
API cudaError_t cudaMemPoolGetAttribute(CUmemoryPool p, int a, void *v) { return DO(cuMemPoolGetAttribute(p, a, v)); }
API cudaError_t cudaMemPoolSetAttribute(CUmemoryPool p, int a, void *v) { return DO(cuMemPoolSetAttribute(p, a, v)); }
API cudaError_t cudaMemPoolSetAccess(CUmemoryPool p, const void *l, size_t n)
{
    return DO(cuMemPoolSetAccess(p, l, n));
}
