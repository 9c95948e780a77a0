/* Peers and other contexts' work: there is one device, which has no peer. */
#include "api.h"

/* Contexts that share the device see each other's memory anyway; the driver still refuses to name them peers. */
static CUresult peer(CUcontext c, CUresult otherwise)
{
    context *own;
    CUresult r = enter_context(&own);
    if (!r && (!is_context(c) || c == own))
        r = CUDA_ERROR_INVALID_CONTEXT;
    return leave(r ? r : otherwise);
}

CUDAAPI CUresult cuCtxEnablePeerAccess(CUcontext c, unsigned flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : peer(c, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
}

CUDAAPI CUresult cuCtxDisablePeerAccess(CUcontext c) { return peer(c, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED); }

/* A device is no peer of itself, and there is no other. */
CUDAAPI CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice a, CUdevice b)
{
    CUresult r = enter();
    if (!r && (!value || attribute < 1 || attribute > 5))
        r = CUDA_ERROR_INVALID_VALUE;
    (void)a;
    (void)b;
    return leave(r ? r : CUDA_ERROR_INVALID_DEVICE);
}

/* --- the current context's calls, for one that is named --- */
CUDAAPI CUresult cuCtxSynchronize_v2(CUcontext c)
{
    CUresult r = c ? cuCtxPushCurrent_v2(c) : CUDA_SUCCESS;
    if (r)
        return r;
    r = cuCtxSynchronize();
    if (c)
        cuCtxPopCurrent_v2(&c);
    return r;
}

CUDAAPI CUresult cuCtxGetDevice_v2(CUdevice *d, CUcontext c)
{
    if (!c)
        return cuCtxGetDevice(d);
    CUresult r = enter();
    if (!r && (!d || !is_context(c)))
        r = d ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *d = 0;
    return leave(r);
}

/* No stream is a green context's. */
CUDAAPI CUresult cuStreamGetCtx_v2(CUstream s, CUcontext *out, void **green)
{
    CUresult r = cuStreamGetCtx(s, out);
    if (!r && green)
        *green = NULL;
    return r;
}
