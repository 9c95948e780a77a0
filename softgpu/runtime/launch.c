/* Launches, attributes of kernels, occupancy. */
#include "runtime.h"

/* What `<<<...>>>` puts aside until the kernel's stub takes it. */
enum { DEPTH = 16 };
static _Thread_local struct call {
    dim3 grid, block;
    size_t shared;
    CUstream stream;
} calls[DEPTH];
static _Thread_local int depth;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream stream)
{
    if (depth == DEPTH)
        return 1;
    calls[depth++] = (struct call){ grid, block, shared, stream };
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!depth)
        return finish(cudaErrorMissingConfiguration);
    const struct call *c = &calls[--depth];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    memcpy(stream, &c->stream, sizeof c->stream);
    return cudaSuccess;
}

static bool good_shape(const CUlaunchConfig *c)
{
    u64 threads = (u64)c->block_x * c->block_y * c->block_z;
    return c->grid_x && c->grid_y && c->grid_z && c->grid_x <= 2147483647 && c->grid_y <= 65535 && c->grid_z <= 65535
           && threads && threads <= 1024 && c->block_x <= 1024 && c->block_y <= 1024 && c->block_z <= 64;
}

CUresult launch_config(const CUlaunchConfig *c, CUfunction f, void **params)
{
    if (good_shape(c))
        return cuLaunchKernelEx(c, f, params, NULL);
    tell("launch with %u x %u x %u blocks of %u x %u x %u threads: no device takes that", c->grid_x, c->grid_y,
         c->grid_z, c->block_x, c->block_y, c->block_z);
    return cudaErrorInvalidConfiguration;
}

static cudaError_t launch_host(const void *host, CUlaunchConfig c, size_t shared, void **params)
{
    CUfunction f;
    CUresult r = find_kernel(host, &f);
    c.shared = (unsigned)shared;
    if (!r && shared > 0xffffffff)
        r = cudaErrorInvalidValue;
    return finish(r ? r : launch_config(&c, f, params));
}

#define SHAPE(g, b, s) \
    { \
        .grid_x = g.x, .grid_y = g.y, .grid_z = g.z, .block_x = b.x, .block_y = b.y, .block_z = b.z, .stream = s \
    }

API cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **params, size_t shared, CUstream s)
{
    CUlaunchConfig c = SHAPE(grid, block, s);
    return launch_host(host, c, shared, params);
}

API cudaError_t __cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **params, size_t shared, CUstream s)
{
    return cudaLaunchKernel(host, grid, block, params, shared, s);
}

API cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **params, size_t shared,
                                            CUstream s)
{
    CUlaunchConfig c = SHAPE(grid, block, s);
    CUlaunchAttribute cooperative = { .id = LAUNCH_COOPERATIVE, .value = { 1 } };
    c.attrs = &cooperative;
    c.nattrs = 1;
    return launch_host(host, c, shared, params);
}

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *host, void **params)
{
    if (!config)
        return finish(cudaErrorInvalidValue);
    CUlaunchConfig c = SHAPE(config->grid, config->block, config->stream);
    c.attrs = config->attrs;
    c.nattrs = config->nattrs;
    return launch_host(host, c, config->shared, params);
}

/* --- attributes --- */
typedef struct cudaFuncAttributes {
    size_t shared, constant, local;
    int max_threads, registers, ptx, binary, cache, max_dynamic, carveout, cluster[6], reserved[16];
} cudaFuncAttributes;

API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *host)
{
    CUfunction f;
    CUresult r = a ? find_kernel(host, &f) : cudaErrorInvalidValue;
    int shared = 0, constant = 0, local = 0;
    if (r)
        return finish(r);
    *a = (cudaFuncAttributes){ 0 };
    // clang-format off
    const struct { int attribute, *to; } all[] = {
        { 0, &a->max_threads }, { 1, &shared }, { 2, &constant }, { 3, &local }, { 4, &a->registers }, { 5, &a->ptx },
        { 6, &a->binary }, { 7, &a->cache }, { 8, &a->max_dynamic }, { 9, &a->carveout },
    };
    // clang-format on
    for (size_t i = 0; !r && i < COUNT(all); i++)
        r = cuFuncGetAttribute(all[i].to, all[i].attribute, f);
    a->shared = (size_t)shared;
    a->constant = (size_t)constant;
    a->local = (size_t)local;
    return finish(r);
}

API cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value)
{
    CUfunction f;
    CUresult r = find_kernel(host, &f);
    return finish(r ? r : cuFuncSetAttribute(f, attribute, value));
}

API cudaError_t cudaFuncSetCacheConfig(const void *host, int config)
{
    CUfunction f;
    CUresult r = find_kernel(host, &f);
    return finish(r ? r : cuFuncSetCacheConfig(f, config));
}

API cudaError_t cudaFuncSetSharedMemConfig(const void *host, int config)
{
    return cudaFuncSetCacheConfig(host, config);
}

API cudaError_t cudaFuncGetName(const char **name, const void *host)
{
    CUfunction f;
    CUresult r = find_kernel(host, &f);
    return finish(r ? r : cuFuncGetName(name, f));
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *host, int block, size_t dynamic)
{
    CUfunction f;
    CUresult r = find_kernel(host, &f);
    return finish(r ? r : cuOccupancyMaxActiveBlocksPerMultiprocessor(n, f, block, dynamic));
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *host, int block,
                                                                       size_t dynamic, unsigned flags)
{
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, host, block, dynamic);
}

/* The most dynamic shared memory with which so many blocks still fit, found by halving. */
API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *host, int blocks, int block)
{
    size_t low = 0, high = 228 << 10;
    int n = 0;
    cudaError_t r = size && blocks > 0 ? cudaSuccess : finish(cudaErrorInvalidValue);
    while (!r && low < high) {
        size_t mid = (low + high + 1) / 2;
        r = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, host, block, mid);
        if (n >= blocks)
            low = mid;
        else
            high = mid - 1;
    }
    if (!r)
        *size = low;
    return r;
}
