/* What a program's start-up code registers: its fat binaries, kernels and variables. A fat binary is loaded when
 * something of it is first asked for. */
#include "runtime.h"
#include <pthread.h>

typedef struct binary {
    const void *image;
    CUmodule m;
    struct binary *next;
} binary;

/* A kernel or a variable by its address in the host program. */
typedef struct entity {
    const void *host;
    const char *name; /* in the PTX */
    binary *owner;
    bool is_kernel;
    void **managed; /* where the host program keeps a managed variable's address */
    CUfunction f;
    struct entity *next;
} entity;

static binary *binaries;
static entity *entities;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

API void **__cudaRegisterFatBinary(void *image)
{
    binary *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    pthread_mutex_lock(&lock);
    *b = (binary){ image, NULL, binaries };
    binaries = b;
    pthread_mutex_unlock(&lock);
    return (void **)b;
}

API void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

/* The program, or a library of it, goes away: so does what it registered. */
API void __cudaUnregisterFatBinary(void **handle)
{
    binary *b = (binary *)handle;
    pthread_mutex_lock(&lock);
    for (entity **at = &entities; *at;) {
        entity *e = *at;
        if (e->owner != b) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        free(e);
    }
    for (binary **at = &binaries; *at; at = &(*at)->next)
        if (*at == b) {
            *at = b->next;
            free(b);
            break;
        }
    pthread_mutex_unlock(&lock);
}

static void keep(entity what)
{
    entity *e = malloc(sizeof *e);
    if (!e || !what.owner) {
        free(e);
        return;
    }
    pthread_mutex_lock(&lock);
    *e = what;
    e->next = entities;
    entities = e;
    pthread_mutex_unlock(&lock);
}

API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid,
                                void *bid, void *block, void *grid, int *warp)
{
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    keep((entity){ .host = host, .name = name, .owner = (binary *)handle, .is_kernel = true });
}

API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size,
                           int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    keep((entity){ .host = host, .name = name, .owner = (binary *)handle });
}

API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext, size_t size,
                                  int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    keep((entity){ .host = host, .name = name, .owner = (binary *)handle, .managed = host });
}

/* A program learns where its managed variables are when its module is loaded. */
static CUresult point_to_managed(const binary *b)
{
    CUresult r = CUDA_SUCCESS;
    for (const entity *e = entities; e && !r; e = e->next) {
        CUdeviceptr p;
        if (e->owner != b || !e->managed)
            continue;
        r = cuModuleGetGlobal_v2(&p, NULL, b->m, e->name);
        if (!r)
            *e->managed = (void *)(uintptr_t)p;
    }
    return r;
}

static CUresult load(binary *b)
{
    CUresult r = b->m ? CUDA_SUCCESS : ready();
    if (r || b->m)
        return r;
    r = cuModuleLoadFatBinary(&b->m, b->image);
    return r ? r : point_to_managed(b);
}

API char __cudaInitModule(void **handle)
{
    pthread_mutex_lock(&lock);
    CUresult r = handle ? load((binary *)handle) : CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_unlock(&lock);
    finish(r);
    return (char)!r;
}

static entity *find(const void *host, bool is_kernel)
{
    for (entity *e = entities; e; e = e->next)
        if (e->is_kernel == is_kernel && (e->host == host || (e->managed && *e->managed == host)))
            return e;
    return NULL;
}

/* A handle of cudaGetKernel, or of the driver, stands for itself. */
static bool is_handle(const void *p)
{
    const char *name;
    for (const entity *e = entities; e; e = e->next)
        if (e->f && e->f == p)
            return true;
    return cuFuncGetName(&name, (CUfunction)(uintptr_t)p) == CUDA_SUCCESS;
}

CUresult find_kernel(const void *host, CUfunction *f)
{
    pthread_mutex_lock(&lock);
    entity *e = find(host, true);
    CUresult r = ready();
    if (!r && !e)
        r = host && is_handle(host) ? CUDA_SUCCESS : cudaErrorInvalidDeviceFunction;
    if (!r && e && !e->f)
        r = load(e->owner);
    if (!r && e && !e->f)
        r = cuModuleGetFunction(&e->f, e->owner->m, e->name);
    if (!r)
        *f = e ? e->f : (CUfunction)(uintptr_t)host;
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult find_symbol(const void *host, CUdeviceptr *p, size_t *size)
{
    pthread_mutex_lock(&lock);
    const entity *e = find(host, false);
    CUresult r = e ? load(e->owner) : (CUresult)cudaErrorInvalidSymbol;
    if (!r)
        r = cuModuleGetGlobal_v2(p, size, e->owner->m, e->name);
    pthread_mutex_unlock(&lock);
    return r;
}

void forget_modules(void)
{
    pthread_mutex_lock(&lock);
    for (binary *b = binaries; b; b = b->next)
        b->m = NULL;
    for (entity *e = entities; e; e = e->next)
        e->f = NULL;
    pthread_mutex_unlock(&lock);
}

/* The handle that a launch stub keeps is the stub's own address: the kernel is looked up when it is launched, so that
 * every launch of a kernel that cannot be loaded says why. */
API cudaError_t __cudaGetKernel(void **handle, const void *host)
{
    *handle = (void *)(uintptr_t)host;
    return cudaSuccess;
}

API cudaError_t cudaGetKernel(CUfunction *k, const void *host)
{
    return finish(k ? find_kernel(host, k) : cudaErrorInvalidValue);
}

API cudaError_t cudaGetFuncBySymbol(CUfunction *f, const void *host) { return cudaGetKernel(f, host); }

API cudaError_t cudaGetSymbolAddress(void **p, const void *symbol)
{
    CUdeviceptr at = 0;
    CUresult r = p ? find_symbol(symbol, &at, NULL) : cudaErrorInvalidValue;
    if (!r)
        *p = (void *)(uintptr_t)at;
    return finish(r);
}

API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CUdeviceptr at;
    return finish(size ? find_symbol(symbol, &at, size) : cudaErrorInvalidValue);
}
