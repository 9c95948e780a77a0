/* The CUDA runtime on the device's driver interface: types of its public headers, and what its files share. */
#ifndef SG_RUNTIME_H
#define SG_RUNTIME_H

#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"

/* Programs have the toolkit's own header for what is exported here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define API __attribute__((visibility("default")))

/* The library is compiled for CUDA 13, and once more for CUDA 12. What 13 gave another form has a name of its own there
 * (twelve.c has the old form), and fields that 13 dropped are still in its structures. */
#ifndef CUDART
#define CUDART 13
#endif
#if CUDART == 12
#define TWELVE(...) __VA_ARGS__
#define THIRTEEN(...)
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#define cudaMemAdvise cudaMemAdvise_v2
#define cudaGraphAddDependencies cudaGraphAddDependencies_v2
#define cudaGraphGetEdges cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_v2
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v3
#else
#define TWELVE(...)
#define THIRTEEN(...) __VA_ARGS__
#endif

typedef int cudaError_t;
typedef struct dim3 {
    unsigned x, y, z;
} dim3;
typedef struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
} cudaPitchedPtr;
typedef struct cudaExtent {
    size_t width, height, depth;
} cudaExtent;
typedef struct cudaPos {
    size_t x, y, z;
} cudaPos;
typedef struct cudaMemcpy3DParms {
    void *srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    void *dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    int kind;
} cudaMemcpy3DParms;
typedef struct cudaLaunchConfig_t {
    dim3 grid, block;
    size_t shared;
    CUstream stream;
    const CUlaunchAttribute *attrs;
    unsigned nattrs;
} cudaLaunchConfig_t;

#define CODE(name, code, text) cuda##name = code,
enum {
#include "runtime_errors.def"
};
#undef CODE

/* error.c: each call ends with one of these, which keep the thread's last error. */
cudaError_t finish(cudaError_t r);
cudaError_t refuse(const char *name); /* cudaErrorNotSupported, with the name under SOFTGPU_LOG */
void tell(const char *format, ...) PRINTF_LIKE(1, 2);
/* The device's primary context is current; otherwise the error. */
CUresult ready(void);
#define DO(call) finish(is_ready(&(CUresult){ 0 }) ? (call) : ready())
bool is_ready(CUresult *r);

static inline CUdeviceptr address(const void *p) { return (CUdeviceptr)(uintptr_t)p; }

/* registry.c: what the program's start-up code registered. */
CUresult find_kernel(const void *host, CUfunction *f); /* cudaErrorInvalidDeviceFunction where nobody registered it */
CUresult find_symbol(const void *host, CUdeviceptr *p, size_t *size);
void forget_modules(void); /* after the context was reset */
/* launch.c */
CUresult launch_config(const CUlaunchConfig *c, CUfunction f, void **params);
/* copy.c */
bool copy_of_parms(const cudaMemcpy3DParms *p, CUDA_MEMCPY3D *m); /* false where arrays are involved */

#endif
