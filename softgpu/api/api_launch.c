/* Launches, function attributes, occupancy. */
#include "work.h"

static CUresult fault_result(enum fault f)
{
    switch (f) {
    case FAULT_NONE: return CUDA_SUCCESS;
    case FAULT_ADDRESS: return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FAULT_MISALIGNED: return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FAULT_BUDGET:
    case FAULT_DEADLOCK: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case FAULT_ASSERT: return CUDA_ERROR_ASSERT;
    case FAULT_STACK: return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case FAULT_MEMORY: return CUDA_ERROR_OUT_OF_MEMORY;
    default: return CUDA_ERROR_LAUNCH_FAILED;
    }
}

/* A device's real limits. */
static CUresult check_shape(const kernel_work *w)
{
    static const u32 most_block[3] = { 1024, 1024, 64 }, most_grid[3] = { 2147483647, 65535, 65535 };
    const func *src = w->f->k->f;
    u64 threads = 1;
    for (int i = 0; i < 3; i++) {
        if (!w->grid[i] || !w->block[i] || w->grid[i] > most_grid[i] || w->block[i] > most_block[i])
            return CUDA_ERROR_INVALID_VALUE;
        threads *= w->block[i];
        if (src->has_req_ntid && w->block[i] != (u32)src->req_ntid[i])
            return CUDA_ERROR_INVALID_VALUE;
    }
    u64 declared = (u64)src->max_ntid[0] * (u64)src->max_ntid[1] * (u64)src->max_ntid[2];
    if (threads > 1024 || (src->has_max_ntid && threads > declared))
        return CUDA_ERROR_INVALID_VALUE;
    if (w->shared > w->f->max_dynamic_shared)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* Parameters from an array of pointers, or packed in a buffer. */
static CUresult gather_params(const kernel *k, void **params, void **extra, u8 *out)
{
    if (!k->f->nparams)
        return CUDA_SUCCESS;
    if (params) {
        for (int i = 0; i < k->f->nparams; i++) {
            if (!params[i])
                return CUDA_ERROR_INVALID_VALUE;
            memcpy(out + k->f->params[i]->address, params[i], (size_t)k->f->params[i]->size);
        }
        return CUDA_SUCCESS;
    }
    const void *buffer = NULL;
    size_t size = 0;
    for (; extra && *extra != LAUNCH_PARAM_END; extra += 2) {
        if (*extra == LAUNCH_PARAM_BUFFER)
            buffer = extra[1];
        else if (*extra == LAUNCH_PARAM_SIZE)
            size = *(const size_t *)extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (!buffer || size < k->param_size)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(out, buffer, k->param_size);
    return CUDA_SUCCESS;
}

static CUresult run(context *c, launch *L)
{
    char text[400] = "";
    enum fault fault = run_launch(L, text, sizeof text);
    CUresult r = fault_result(fault);
    if (!fault)
        return CUDA_SUCCESS;
    say("%s", text);
    if (fault == FAULT_MEMORY)
        return r;
    c->sticky = r;
    return CUDA_SUCCESS; /* it surfaces at the next call */
}

/* Blocks of a size that fit on a multiprocessor: by threads, registers and shared memory. */
static int occupancy(const function_object *f, int block, size_t dynamic)
{
    int warps = (block + 31) / 32, by_threads = sg.cap->threads_per_sm / (warps * 32);
    int by_regs = 65536 / (((f->k->num_regs * 32 + 255) / 256) * 256 * warps);
    u64 shared = f->k->shared_size + dynamic + 1024;
    int by_shared = (int)(sg.cap->shared_per_sm / shared);
    int n = sg.cap->blocks_per_sm;
    n = by_threads < n ? by_threads : n;
    n = by_regs < n ? by_regs : n;
    return by_shared < n ? by_shared : n;
}

/* All blocks of a cooperative launch run at once, so they must fit; they wait for each other at a word of device
 * memory. */
static CUresult run_together(context *c, const kernel_work *w, launch *L)
{
    static const u32 head[2] = { sizeof head, 0 }; /* its size, and the barrier */
    if (L->ctas > (u64)occupancy(w->f, (int)L->threads, w->shared) * SMS) {
        say("cooperative launch of %s: %llu blocks do not fit on the device at once", L->k->f->name,
            (unsigned long long)L->ctas);
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
    alloc *a = memory_alloc(&sg.mem, 256, 0);
    if (!a)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memset(a->host, 0, 256);
    memcpy(a->host, head, sizeof head);
    L->workspace = a->base;
    CUresult r = run(c, L);
    memory_free(&sg.mem, a->base);
    return r;
}

CUresult run_kernel(context *c, const kernel_work *w)
{
    const u32 *b = w->block;
    if (!is_function(w->f))
        return CUDA_ERROR_INVALID_HANDLE;
    launch L = { .k = w->f->k,
                 .mem = &sg.mem,
                 .grid = { w->grid[0], w->grid[1], w->grid[2] },
                 .block = { b[0], b[1], b[2] },
                 .dynamic_shared = w->shared,
                 .budget = sg.budget,
                 .seed = sg.seed,
                 .observers = &sg.observers,
                 .host_threads = sg.threads,
                 .params = w->params,
                 .threads = b[0] * b[1] * b[2],
                 .ctas = (u64)w->grid[0] * w->grid[1] * w->grid[2] };
    return w->cooperative ? run_together(c, w, &L) : run(c, &L);
}

CUresult make_kernel_work(kernel_work *w, void **params, void **extra)
{
    if (!is_function(w->f))
        return CUDA_ERROR_INVALID_HANDLE;
    const kernel *k = w->f->k;
    CUresult r = check_shape(w);
    if (r) {
        say("launch of %s: grid, block or shared memory beyond the device's limits", k->f->name);
        return r;
    }
    w->params = calloc(1, k->param_size + 16u);
    if (!w->params)
        return CUDA_ERROR_OUT_OF_MEMORY;
    r = gather_params(k, params, extra, w->params);
    if (r)
        free(w->params);
    return r;
}

static CUresult launch_kernel(kernel_work w, CUstream s, void **params, void **extra)
{
    context *c;
    CUresult r = enter_stream(s, &c, &sg);
    if (!r)
        r = make_kernel_work(&w, params, extra);
    if (r)
        return leave(r);
    if (injected(SOFTGPU_FAIL_LAUNCH)) {
        free(w.params);
        return leave(CUDA_ERROR_LAUNCH_FAILED);
    }
    return leave(submit(c, s, (work){ .kind = WORK_KERNEL, .u.kernel = w }));
}

CUDAAPI CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                unsigned bz, unsigned shared, CUstream s, void **params, void **extra)
{
    kernel_work w = { .f = f, .grid = { gx, gy, gz }, .block = { bx, by, bz }, .shared = shared };
    return launch_kernel(w, s, params, extra);
}

CUDAAPI CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                           unsigned by, unsigned bz, unsigned shared, CUstream s, void **params)
{
    kernel_work w = { f, { gx, gy, gz }, { bx, by, bz }, shared, true, NULL };
    return launch_kernel(w, s, params, NULL);
}

/* Attributes that only make a launch faster are passed over; clusters of one block are what there is. */
static CUresult take_attributes(const CUlaunchConfig *c, kernel_work *w)
{
    for (unsigned i = 0; i < c->nattrs; i++) {
        const CUlaunchAttribute *a = &c->attrs[i];
        if (a->id == LAUNCH_COOPERATIVE)
            w->cooperative = a->value[0] != 0;
        if (a->id == LAUNCH_CLUSTER && (a->value[0] > 1 || a->value[1] > 1 || a->value[2] > 1)) {
            say("clusters of several blocks are not modelled");
            return CUDA_ERROR_NOT_SUPPORTED;
        }
    }
    return CUDA_SUCCESS;
}

CUDAAPI CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra)
{
    if (!c || (c->nattrs && !c->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    kernel_work w = { .f = f,
                      .grid = { c->grid_x, c->grid_y, c->grid_z },
                      .block = { c->block_x, c->block_y, c->block_z },
                      .shared = c->shared };
    CUresult r = take_attributes(c, &w);
    return r ? r : launch_kernel(w, c->stream, params, extra);
}

static int most_threads(const kernel *k)
{
    const func *f = k->f;
    if (f->has_req_ntid)
        return f->req_ntid[0] * f->req_ntid[1] * f->req_ntid[2];
    u64 n = f->has_max_ntid ? (u64)f->max_ntid[0] * (u64)f->max_ntid[1] * (u64)f->max_ntid[2] : 1024;
    return n > 1024 ? 1024 : (int)n;
}

CUDAAPI CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f)
{
    CUresult r = enter_function(f, value);
    if (r)
        return leave(r);
    switch (attribute) {
    case 0: *value = most_threads(f->k); break;
    case 1: *value = (int)f->k->shared_size; break;
    case 3: *value = (int)f->k->local_size; break;
    case 4: *value = f->k->num_regs; break;
    case 5: *value = f->k->m->sm; break;
    case 6: *value = sg.cap->cc; break;
    case 8: *value = (int)f->max_dynamic_shared; break;
    case 9: *value = -1; break;
    default:
        *value = 0;
        if (attribute < 0 || attribute > 15)
            r = CUDA_ERROR_INVALID_VALUE;
    }
    return leave(r);
}

CUDAAPI CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value)
{
    CUresult r = enter_function(f, f);
    if (r)
        return leave(r);
    if (attribute == 8) {
        if (value < 0 || (u32)value + f->k->shared_size > sg.cap->shared_optin)
            return leave(CUDA_ERROR_INVALID_VALUE);
        f->max_dynamic_shared = (u32)value;
    } else if (attribute != 9) {
        r = CUDA_ERROR_INVALID_VALUE;
    }
    return leave(r);
}

CUDAAPI CUresult cuFuncSetCacheConfig(CUfunction f, int config)
{
    context *c;
    CUresult r = enter_context(&c);
    (void)config;
    if (!r && !is_function(f))
        r = CUDA_ERROR_INVALID_HANDLE;
    return leave(r);
}

CUDAAPI CUresult cuFuncGetName(const char **name, CUfunction f)
{
    CUresult r = enter_function(f, name);
    if (!r)
        *name = f->k->f->name;
    return leave(r);
}

CUDAAPI CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size)
{
    CUresult r = enter_function(f, offset);
    if (!r && index >= (size_t)f->k->f->nparams)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return leave(r);
    *offset = (size_t)f->k->f->params[index]->address;
    if (size)
        *size = (size_t)f->k->f->params[index]->size;
    return leave(r);
}

CUDAAPI CUresult cuFuncGetModule(CUmodule *m, CUfunction f)
{
    CUresult r = enter_function(f, m);
    if (!r)
        *m = f->owner;
    return leave(r);
}

CUDAAPI CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f, int block, size_t dynamic)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!n || block < 1))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && !is_function(f))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r)
        *n = block > most_threads(f->k) ? 0 : occupancy(f, block, dynamic);
    return leave(r);
}

CUDAAPI CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, CUfunction f, int block, size_t dynamic,
                                                                      unsigned flags)
{
    (void)flags;
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(n, f, block, dynamic);
}

static void best_block(const function_object *f, CUoccupancyB2DSize size_of, size_t dynamic, int limit, int *grid,
                       int *block)
{
    int most = most_threads(f->k), best = 0;
    if (limit > 0 && limit < most)
        most = limit;
    for (int b = (most + 31) / 32 * 32; b >= 32; b -= 32) {
        int threads = b < most ? b : most, n = occupancy(f, threads, size_of ? size_of(threads) : dynamic);
        if (n * threads <= best)
            continue;
        best = n * threads;
        *block = threads;
        *grid = n * SMS;
    }
}

CUDAAPI CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize size_of,
                                                  size_t dynamic, int limit)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!grid || !block))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && !is_function(f))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r) {
        *grid = *block = 0;
        best_block(f, size_of, dynamic, limit, grid, block);
    }
    return leave(r);
}

CUDAAPI CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f,
                                                           CUoccupancyB2DSize size_of, size_t dynamic, int limit,
                                                           unsigned flags)
{
    (void)flags;
    return cuOccupancyMaxPotentialBlockSize(grid, block, f, size_of, dynamic, limit);
}
