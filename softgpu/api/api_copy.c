/* Copies and fills, in one to three dimensions. */
#include "work.h"

u8 *device_range(u64 address, u64 size, alloc **a)
{
    *a = memory_find(&sg.mem, address);
    if (!*a || size > (*a)->size - (address - (*a)->base))
        return NULL;
    return (*a)->host + (address - (*a)->base);
}

static CUresult bad_range(u64 p, u64 n)
{
    static const char text[] = "copy of %llu bytes at 0x%llx does not lie in one allocation";
    say(text, (unsigned long long)n, (unsigned long long)p);
    tell_refused(p, text, (unsigned long long)n, (unsigned long long)p);
    return CUDA_ERROR_INVALID_VALUE;
}

/* With unified addressing either side may be host memory; a number of the device never is. */
static bool on_device(const spot *p)
{
    if (p->type == MEMTYPE_UNIFIED && memory_find(&sg.mem, p->at))
        return true;
    return p->type == MEMTYPE_DEVICE || (p->at >= GLOBAL_BASE && p->at < sg.mem.next);
}

/* Bytes from the first to the last of a box; ~0 where that is more than there can be. */
static u64 extent(const spot *p, const copy_work *k)
{
    u128 slice = (u128)p->pitch * p->rows;
    u128 n = (k->depth - 1) * slice + (u128)(k->height - 1) * p->pitch + k->width;
    return n >> 62 ? ~(u64)0 : (u64)n;
}

/* A side of a copy in the host's memory, and its allocation where it is the device's. */
typedef struct side {
    u8 *p;
    alloc *a;
} side;

static CUresult find_side(const spot *p, const copy_work *k, side *s)
{
    u64 size = extent(p, k);
    *s = (side){ (u8 *)(uintptr_t)p->at, NULL };
    if (on_device(p) && !(s->p = device_range(p->at, size, &s->a)))
        return bad_range(p->at, size);
    return s->p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void tell_copied(const side *to, u64 to_at, const side *from, u64 from_at, size_t n)
{
    alloc *a = to->a;
    if (from->a) {
        TELL_DEVICE(&sg.observers, a->observed[slot], copied, slot, a, to_at, from->a, from_at, n);
        return;
    }
    TELL_DEVICE(&sg.observers, a->observed[slot], written, slot, a, to_at, n);
}

static void copy_row(const side *to, const side *from, u64 to_offset, u64 from_offset, size_t n)
{
    u8 *d = to->p + to_offset, *s = from->p + from_offset;
    u64 to_at = to->a ? (u64)(d - to->a->host) : 0, from_at = from->a ? (u64)(s - from->a->host) : 0;
    if (from->a && !to->a)
        TELL_DEVICE(&sg.observers, IS_ON(&sg.observers), read_back, slot, from->a, from_at, n);
    memmove(d, s, n);
    if (to->a)
        tell_copied(to, to_at, from, from_at, n);
}

CUresult run_copy(const copy_work *k)
{
    side to, from;
    if (!k->width || !k->height || !k->depth)
        return CUDA_SUCCESS;
    CUresult r = find_side(&k->to, k, &to);
    if (!r)
        r = find_side(&k->from, k, &from);
    for (u64 z = 0; !r && z < k->depth; z++)
        for (u64 y = 0; y < k->height; y++)
            copy_row(&to, &from, (z * k->to.rows + y) * k->to.pitch, (z * k->from.rows + y) * k->from.pitch,
                     (size_t)k->width);
    return r;
}

CUresult run_fill(const fill_work *k)
{
    alloc *a;
    if (!k->width || !k->height)
        return CUDA_SUCCESS;
    u128 size = (u128)(k->height - 1) * k->pitch + (u128)k->width * k->size;
    u8 *to = size >> 62 ? NULL : device_range(k->to, (u64)size, &a);
    if (!to || k->to % k->size)
        return bad_range(k->to, (u64)size);
    for (u64 y = 0; y < k->height; y++) {
        u8 *row = to + y * k->pitch;
        if (k->size == 1)
            memset(row, (int)k->value, (size_t)k->width);
        for (u64 i = 0; k->size > 1 && i < k->width; i++)
            memcpy(row + i * k->size, &k->value, k->size);
        TELL_DEVICE(&sg.observers, a->observed[slot], written, slot, a, (u64)(row - a->host), k->width * k->size);
    }
    return CUDA_SUCCESS;
}

/* --- the driver's calls --- */
static CUresult begin_copy(context **c)
{
    CUresult r = enter_context(c);
    if (!r && injected(SOFTGPU_FAIL_COPY))
        r = CUDA_ERROR_UNKNOWN;
    return r;
}

static CUresult box(const copy_work *k, CUstream s)
{
    context *c;
    CUresult r = begin_copy(&c);
    return leave(r ? r : submit(c, s, (work){ .kind = WORK_COPY, .u.copy = *k }));
}

static CUresult line(u32 to_type, u64 to, u32 from_type, u64 from, size_t n, CUstream s)
{
    return box(&(copy_work){ { to_type, to, n, 1 }, { from_type, from, n, 1 }, n, 1, 1 }, s);
}

#define HOST(p) MEMTYPE_HOST, (u64)(uintptr_t)(p)
#define DEVICE(p) MEMTYPE_DEVICE, p
#define UNIFIED(p) MEMTYPE_UNIFIED, p
CUDAAPI CUresult cuMemcpyHtoD_v2(CUdeviceptr d, const void *s, size_t n) { return line(DEVICE(d), HOST(s), n, NULL); }
CUDAAPI CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr d, const void *s, size_t n, CUstream st)
{
    return line(DEVICE(d), HOST(s), n, st);
}
CUDAAPI CUresult cuMemcpyDtoH_v2(void *d, CUdeviceptr s, size_t n) { return line(HOST(d), DEVICE(s), n, NULL); }
CUDAAPI CUresult cuMemcpyDtoHAsync_v2(void *d, CUdeviceptr s, size_t n, CUstream st)
{
    return line(HOST(d), DEVICE(s), n, st);
}
CUDAAPI CUresult cuMemcpyDtoD_v2(CUdeviceptr d, CUdeviceptr s, size_t n) { return line(DEVICE(d), DEVICE(s), n, NULL); }
CUDAAPI CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)
{
    return line(DEVICE(d), DEVICE(s), n, st);
}
CUDAAPI CUresult cuMemcpyAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)
{
    return line(UNIFIED(d), UNIFIED(s), n, st);
}
CUDAAPI CUresult cuMemcpy(CUdeviceptr d, CUdeviceptr s, size_t n) { return line(UNIFIED(d), UNIFIED(s), n, NULL); }

CUDAAPI CUresult cuMemcpyPeer(CUdeviceptr d, CUcontext dc, CUdeviceptr s, CUcontext sc, size_t n)
{
    (void)dc;
    (void)sc;
    return line(UNIFIED(d), UNIFIED(s), n, NULL);
}

CUDAAPI CUresult cuMemcpyPeerAsync(CUdeviceptr d, CUcontext dc, CUdeviceptr s, CUcontext sc, size_t n, CUstream st)
{
    (void)dc;
    (void)sc;
    return line(UNIFIED(d), UNIFIED(s), n, st);
}

static spot spot_of(u32 kind, const void *host, CUdeviceptr device, size_t x, u64 row, size_t pitch, size_t rows)
{
    u64 at = kind == MEMTYPE_HOST ? (u64)(uintptr_t)host : device;
    return (spot){ kind, at ? at + x + row * pitch : 0, pitch, rows };
}

bool copy_work_of(const CUDA_MEMCPY3D *m, copy_work *k)
{
    *k = (copy_work){ spot_of(m->dstMemoryType, m->dstHost, m->dstDevice, m->dstXInBytes,
                              m->dstY + (u64)m->dstZ * m->dstHeight, m->dstPitch, m->dstHeight),
                      spot_of(m->srcMemoryType, m->srcHost, m->srcDevice, m->srcXInBytes,
                              m->srcY + (u64)m->srcZ * m->srcHeight, m->srcPitch, m->srcHeight),
                      m->WidthInBytes, m->Height, m->Depth };
    return m->dstMemoryType != MEMTYPE_ARRAY && m->srcMemoryType != MEMTYPE_ARRAY;
}

CUDAAPI CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *m, CUstream s)
{
    copy_work k;
    if (!m)
        return CUDA_ERROR_INVALID_VALUE;
    return copy_work_of(m, &k) ? box(&k, s) : CUDA_ERROR_NOT_SUPPORTED;
}

CUDAAPI CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *m) { return cuMemcpy3DAsync_v2(m, NULL); }

CUDAAPI CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *m, CUstream s)
{
    if (!m)
        return CUDA_ERROR_INVALID_VALUE;
    if (m->dstMemoryType == MEMTYPE_ARRAY || m->srcMemoryType == MEMTYPE_ARRAY)
        return CUDA_ERROR_NOT_SUPPORTED;
    if ((m->dstPitch && m->dstPitch < m->WidthInBytes) || (m->srcPitch && m->srcPitch < m->WidthInBytes))
        return CUDA_ERROR_INVALID_VALUE;
    copy_work k = { spot_of(m->dstMemoryType, m->dstHost, m->dstDevice, m->dstXInBytes, m->dstY, m->dstPitch, 1),
                    spot_of(m->srcMemoryType, m->srcHost, m->srcDevice, m->srcXInBytes, m->srcY, m->srcPitch, 1),
                    m->WidthInBytes, m->Height, 1 };
    return box(&k, s);
}

CUDAAPI CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *m) { return cuMemcpy2DAsync_v2(m, NULL); }
CUDAAPI CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *m) { return cuMemcpy2DAsync_v2(m, NULL); }

static CUresult fill(CUdeviceptr d, size_t pitch, u32 value, u32 size, size_t width, size_t height, CUstream s)
{
    context *c;
    CUresult r = begin_copy(&c);
    fill_work k = { d, pitch, value, size, width, height };
    return leave(r ? r : submit(c, s, (work){ .kind = WORK_FILL, .u.fill = k }));
}

CUDAAPI CUresult cuMemsetD8_v2(CUdeviceptr d, unsigned char v, size_t n) { return fill(d, 0, v, 1, n, 1, NULL); }
CUDAAPI CUresult cuMemsetD16_v2(CUdeviceptr d, unsigned short v, size_t n) { return fill(d, 0, v, 2, n, 1, NULL); }
CUDAAPI CUresult cuMemsetD32_v2(CUdeviceptr d, unsigned v, size_t n) { return fill(d, 0, v, 4, n, 1, NULL); }
CUDAAPI CUresult cuMemsetD8Async(CUdeviceptr d, unsigned char v, size_t n, CUstream s)
{
    return fill(d, 0, v, 1, n, 1, s);
}
CUDAAPI CUresult cuMemsetD16Async(CUdeviceptr d, unsigned short v, size_t n, CUstream s)
{
    return fill(d, 0, v, 2, n, 1, s);
}
CUDAAPI CUresult cuMemsetD32Async(CUdeviceptr d, unsigned v, size_t n, CUstream s) { return fill(d, 0, v, 4, n, 1, s); }
CUDAAPI CUresult cuMemsetD2D8_v2(CUdeviceptr d, size_t p, unsigned char v, size_t w, size_t h)
{
    return fill(d, p, v, 1, w, h, NULL);
}
CUDAAPI CUresult cuMemsetD2D16_v2(CUdeviceptr d, size_t p, unsigned short v, size_t w, size_t h)
{
    return fill(d, p, v, 2, w, h, NULL);
}
CUDAAPI CUresult cuMemsetD2D32_v2(CUdeviceptr d, size_t p, unsigned v, size_t w, size_t h)
{
    return fill(d, p, v, 4, w, h, NULL);
}
CUDAAPI CUresult cuMemsetD2D8Async(CUdeviceptr d, size_t p, unsigned char v, size_t w, size_t h, CUstream s)
{
    return fill(d, p, v, 1, w, h, s);
}
CUDAAPI CUresult cuMemsetD2D16Async(CUdeviceptr d, size_t p, unsigned short v, size_t w, size_t h, CUstream s)
{
    return fill(d, p, v, 2, w, h, s);
}
CUDAAPI CUresult cuMemsetD2D32Async(CUdeviceptr d, size_t p, unsigned v, size_t w, size_t h, CUstream s)
{
    return fill(d, p, v, 4, w, h, s);
}
