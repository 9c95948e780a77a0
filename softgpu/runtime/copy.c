/* Copies and fills. */
#include "runtime.h"

/* What cudaMemcpyKind says of each side; with the last kind the addresses tell. */
enum { KINDS = 5 };
static const u8 to_types[KINDS] = { MEMTYPE_HOST, MEMTYPE_DEVICE, MEMTYPE_HOST, MEMTYPE_DEVICE, MEMTYPE_UNIFIED };
static const u8 from_types[KINDS] = { MEMTYPE_HOST, MEMTYPE_HOST, MEMTYPE_DEVICE, MEMTYPE_DEVICE, MEMTYPE_UNIFIED };
static bool good_kind(int kind) { return kind >= 0 && kind < KINDS; }

static cudaError_t copy2d(void *d, size_t d_pitch, const void *s, size_t s_pitch, size_t width, size_t height, int kind,
                          CUstream stream)
{
    if (!good_kind(kind))
        return finish(cudaErrorInvalidMemcpyDirection);
    if (height > 1 && (d_pitch < width || s_pitch < width))
        return finish(cudaErrorInvalidPitchValue);
    CUDA_MEMCPY2D m = { .dstMemoryType = to_types[kind],
                        .dstHost = d,
                        .dstDevice = address(d),
                        .dstPitch = d_pitch,
                        .srcMemoryType = from_types[kind],
                        .srcHost = s,
                        .srcDevice = address(s),
                        .srcPitch = s_pitch,
                        .WidthInBytes = width,
                        .Height = height };
    return DO(cuMemcpy2DAsync_v2(&m, stream));
}

API cudaError_t cudaMemcpyAsync(void *d, const void *s, size_t n, int kind, CUstream stream)
{
    return copy2d(d, n, s, n, n, 1, kind, stream);
}

API cudaError_t cudaMemcpy(void *d, const void *s, size_t n, int kind) { return copy2d(d, n, s, n, n, 1, kind, NULL); }

API cudaError_t cudaMemcpy2DAsync(void *d, size_t d_pitch, const void *s, size_t s_pitch, size_t width, size_t height,
                                  int kind, CUstream stream)
{
    return copy2d(d, d_pitch, s, s_pitch, width, height, kind, stream);
}

API cudaError_t cudaMemcpy2D(void *d, size_t d_pitch, const void *s, size_t s_pitch, size_t width, size_t height,
                             int kind)
{
    return copy2d(d, d_pitch, s, s_pitch, width, height, kind, NULL);
}

bool copy_of_parms(const cudaMemcpy3DParms *p, CUDA_MEMCPY3D *m)
{
    *m = (CUDA_MEMCPY3D){ .dstXInBytes = p->dstPos.x,
                          .dstY = p->dstPos.y,
                          .dstZ = p->dstPos.z,
                          .dstHost = p->dstPtr.ptr,
                          .dstDevice = address(p->dstPtr.ptr),
                          .dstPitch = p->dstPtr.pitch,
                          .dstHeight = p->dstPtr.ysize,
                          .srcXInBytes = p->srcPos.x,
                          .srcY = p->srcPos.y,
                          .srcZ = p->srcPos.z,
                          .srcHost = p->srcPtr.ptr,
                          .srcDevice = address(p->srcPtr.ptr),
                          .srcPitch = p->srcPtr.pitch,
                          .srcHeight = p->srcPtr.ysize,
                          .WidthInBytes = p->extent.width,
                          .Height = p->extent.height,
                          .Depth = p->extent.depth };
    if (!good_kind(p->kind) || p->dstArray || p->srcArray)
        return false;
    m->dstMemoryType = to_types[p->kind];
    m->srcMemoryType = from_types[p->kind];
    return true;
}

API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, CUstream s)
{
    CUDA_MEMCPY3D m;
    if (!p || !good_kind(p->kind))
        return finish(p ? cudaErrorInvalidMemcpyDirection : cudaErrorInvalidValue);
    return copy_of_parms(p, &m) ? DO(cuMemcpy3DAsync_v2(&m, s)) : refuse("cudaMemcpy3D of an array");
}

API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) { return cudaMemcpy3DAsync(p, NULL); }

API cudaError_t cudaMemcpyPeerAsync(void *d, int to, const void *s, int from, size_t n, CUstream stream)
{
    return to || from ? finish(cudaErrorInvalidDevice) : copy2d(d, n, s, n, n, 1, 3, stream);
}

API cudaError_t cudaMemcpyPeer(void *d, int to, const void *s, int from, size_t n)
{
    return cudaMemcpyPeerAsync(d, to, s, from, n, NULL);
}

/* --- symbols --- */
/* The address of so many bytes of a symbol. */
static CUresult part_of(const void *symbol, size_t n, size_t offset, CUdeviceptr *p)
{
    size_t size = 0;
    CUresult r = find_symbol(symbol, p, &size);
    if (!r && (offset > size || n > size - offset))
        r = cudaErrorInvalidValue;
    *p += offset;
    return r;
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *s, size_t n, size_t offset, int kind,
                                        CUstream stream)
{
    CUdeviceptr p = 0;
    CUresult r = part_of(symbol, n, offset, &p);
    return r ? finish(r) : cudaMemcpyAsync((void *)(uintptr_t)p, s, n, kind, stream);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *d, const void *symbol, size_t n, size_t offset, int kind,
                                          CUstream stream)
{
    CUdeviceptr p = 0;
    CUresult r = part_of(symbol, n, offset, &p);
    return r ? finish(r) : cudaMemcpyAsync(d, (void *)(uintptr_t)p, n, kind, stream);
}

API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *s, size_t n, size_t offset, int kind)
{
    return cudaMemcpyToSymbolAsync(symbol, s, n, offset, kind, NULL);
}

API cudaError_t cudaMemcpyFromSymbol(void *d, const void *symbol, size_t n, size_t offset, int kind)
{
    return cudaMemcpyFromSymbolAsync(d, symbol, n, offset, kind, NULL);
}

/* --- fills --- */
static cudaError_t fill(void *p, size_t pitch, int value, size_t width, size_t height, CUstream s)
{
    return DO(cuMemsetD2D8Async(address(p), pitch, (unsigned char)value, width, height, s));
}

API cudaError_t cudaMemset(void *p, int value, size_t n) { return fill(p, n, value, n, 1, NULL); }
API cudaError_t cudaMemsetAsync(void *p, int value, size_t n, CUstream s) { return fill(p, n, value, n, 1, s); }
API cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
    return fill(p, pitch, value, width, height, NULL);
}
API cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, CUstream s)
{
    return fill(p, pitch, value, width, height, s);
}

API cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent e, CUstream s)
{
    cudaError_t r = cudaSuccess;
    for (size_t z = 0; !r && z < e.depth; z++)
        r = fill((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, e.width, e.height, s);
    return r;
}

API cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e) { return cudaMemset3DAsync(p, value, e, NULL); }
