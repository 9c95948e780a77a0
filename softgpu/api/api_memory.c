/* Device memory: allocations, pools, and what is known of an address. */
#include "api.h"

static CUresult allocate(CUdeviceptr *out, size_t size)
{
    context *c;
    CUresult r = enter_out(&c, out);
    if (!r && !size)
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

CUDAAPI CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element)
{
    if (!pitch || (element != 4 && element != 8 && element != 16) || width > SIZE_MAX / 2 - 512)
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = (size_t)round_up(width, 512);
    return height > SIZE_MAX / (*pitch + 1) ? CUDA_ERROR_OUT_OF_MEMORY : allocate(p, *pitch * height);
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
    if (r || !p || free_managed(c, p))
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

CUDAAPI CUresult cuMemGetInfo_v2(size_t *left, size_t *total)
{
    context *c;
    CUresult r = enter_out(&c, left && total ? left : NULL);
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

/* --- what is known of an address --- */
/* The value of an attribute and its bytes, 0 where it is not modelled. */
static size_t pointer_value(int attribute, CUdeviceptr p, const alloc *a, u64 *value)
{
    const host_block *h = find_host_block(p);
    bool host = a && a->is_shared && !(h && h->managed);
    u64 context_of = (u64)(uintptr_t)current_context();
    // clang-format off
    const struct { int attribute; size_t size; u64 value; } known[] = {
        { 1, sizeof(void *), context_of }, { 2, 4, host ? MEMTYPE_HOST : MEMTYPE_DEVICE }, { 3, 8, p },
        { 4, sizeof(void *), p }, { 6, 1, 1 }, { 7, 8, a ? a->id + 1 : 0 }, { 8, 1, h && h->managed }, { 9, 4, 0 },
        { 10, 1, 0 }, { 11, 8, a ? a->base : 0 }, { 12, sizeof(size_t), a ? a->size : 0 }, { 13, 1, 1 }, { 15, 1, 0 },
    };
    // clang-format on
    for (size_t i = 0; i < COUNT(known); i++)
        if (known[i].attribute == attribute) {
            *value = a ? known[i].value : 0;
            return attribute == 4 && a && !a->is_shared ? 0 : known[i].size;
        }
    return 0;
}

CUDAAPI CUresult cuPointerGetAttribute(void *out, int attribute, CUdeviceptr p)
{
    context *c;
    u64 value;
    CUresult r = enter_out(&c, out);
    const alloc *a = r ? NULL : memory_find(&sg.mem, p);
    if (!r && !a)
        r = CUDA_ERROR_INVALID_VALUE;
    size_t size = r ? 0 : pointer_value(attribute, p, a, &value);
    if (!r && !size)
        r = a->is_shared || attribute != 4 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        memcpy(out, &value, size);
    return leave(r);
}

/* An address that the device does not know is no error here: its attributes are zero. */
CUDAAPI CUresult cuPointerGetAttributes(unsigned n, const int *attributes, void **out, CUdeviceptr p)
{
    context *c;
    CUresult r = enter_out(&c, attributes && out ? out : NULL);
    for (unsigned i = 0; !r && i < n; i++) {
        u64 value = 0;
        size_t size = pointer_value(attributes[i], p, memory_find(&sg.mem, p), &value);
        memcpy(out[i], &value, size);
        if (!size && attributes[i] == 4)
            memset(out[i], 0, sizeof(void *));
    }
    return leave(r);
}
