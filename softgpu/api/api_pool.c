/* Memory in the order of streams, and its pools. Work runs when it is submitted, so such memory is there at once and
 * gone at once; a pool keeps its settings, and memory comes from the device. */
#include "api.h"

struct CUmemPool_st {
    u64 reuse[3], threshold;
};
static struct CUmemPool_st default_pool = { { 1, 1, 1 }, 0 };
static struct CUmemPool_st *current_pool = &default_pool;

enum { POOL_REUSE_FIRST = 1, POOL_REUSE_LAST = 3, POOL_THRESHOLD = 4, POOL_LAST = 8 };

static CUresult enter_order(CUstream s, const void *out)
{
    context *c;
    CUresult r = enter_stream(s, &c, out);
    int capturing = 0;
    leave(r);
    if (!r)
        r = cuStreamIsCapturing(s, &capturing);
    if (!r && capturing) {
        say("memory in the order of a stream that captures is not modelled");
        r = CUDA_ERROR_NOT_SUPPORTED;
    }
    return r;
}

CUDAAPI CUresult cuMemAllocAsync(CUdeviceptr *p, size_t size, CUstream s)
{
    CUresult r = enter_order(s, p);
    return r ? r : cuMemAlloc_v2(p, size);
}

CUDAAPI CUresult cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t size, CUmemoryPool pool, CUstream s)
{
    return pool ? cuMemAllocAsync(p, size, s) : CUDA_ERROR_INVALID_VALUE;
}

CUDAAPI CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s)
{
    CUresult r = enter_order(s, &default_pool);
    return r ? r : cuMemFree_v2(p);
}

static CUresult give_pool(CUmemoryPool *out, CUdevice d, struct CUmemPool_st *pool)
{
    CUresult r = enter();
    if (!r && (!out || d))
        r = out ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *out = pool;
    return leave(r);
}

CUDAAPI CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *p, CUdevice d) { return give_pool(p, d, &default_pool); }
CUDAAPI CUresult cuDeviceGetMemPool(CUmemoryPool *p, CUdevice d) { return give_pool(p, d, current_pool); }

CUDAAPI CUresult cuDeviceSetMemPool(CUdevice d, CUmemoryPool p)
{
    CUresult r = enter();
    if (!r && (d || !p))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        current_pool = p;
    return leave(r);
}

CUDAAPI CUresult cuMemPoolCreate(CUmemoryPool *out, const void *props)
{
    CUresult r = enter();
    if (!r && (!out || !props))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && !(*out = calloc(1, sizeof **out)))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (!r)
        **out = (struct CUmemPool_st){ { 1, 1, 1 }, 0 };
    return leave(r);
}

CUDAAPI CUresult cuMemPoolDestroy(CUmemoryPool p)
{
    CUresult r = enter();
    if (!r && (!p || p == &default_pool))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r) {
        current_pool = p == current_pool ? &default_pool : current_pool;
        free(p);
    }
    return leave(r);
}

CUDAAPI CUresult cuMemPoolTrimTo(CUmemoryPool p, size_t keep)
{
    (void)keep;
    return p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUDAAPI CUresult cuMemPoolSetAccess(CUmemoryPool p, const void *list, size_t n)
{
    return p && (list || !n) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; /* one device, which has access */
}

CUDAAPI CUresult cuMemPoolGetAttribute(CUmemoryPool p, int attribute, void *value)
{
    CUresult r = enter();
    if (!r && (!p || !value || attribute < POOL_REUSE_FIRST || attribute > POOL_LAST))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return leave(r);
    if (attribute <= POOL_REUSE_LAST)
        *(int *)value = (int)p->reuse[attribute - POOL_REUSE_FIRST];
    else
        *(u64 *)value = attribute == POOL_THRESHOLD ? p->threshold : sg.mem.used;
    return leave(r);
}

/* Of the others only a high-water mark may be set, to zero. */
CUDAAPI CUresult cuMemPoolSetAttribute(CUmemoryPool p, int attribute, void *value)
{
    CUresult r = enter();
    if (!r && (!p || !value || attribute < POOL_REUSE_FIRST || attribute > POOL_LAST))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return leave(r);
    if (attribute <= POOL_REUSE_LAST)
        p->reuse[attribute - POOL_REUSE_FIRST] = (u64) * (int *)value;
    else if (attribute == POOL_THRESHOLD)
        p->threshold = *(u64 *)value;
    return leave(r);
}
