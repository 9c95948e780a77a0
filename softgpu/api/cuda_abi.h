/* The part of the CUDA driver's binary interface that the device offers: types and numbers only. */
#ifndef SG_CUDA_ABI_H
#define SG_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#define CUDAAPI __attribute__((visibility("default")))
#define DRIVER_VERSION 13000

typedef int CUresult, CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef CUmodule CUlibrary; /* a library is a module here, and a kernel of it a function */
typedef CUfunction CUkernel;
typedef struct CUlink_st *CUlinkState;
typedef struct CUmemPool_st *CUmemoryPool;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct {
    char bytes[16];
} CUuuid;
typedef size_t (*CUoccupancyB2DSize)(int block);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef void (*CUhostFn)(void *data);

/* The value of an attribute has 64 bytes; those that are looked at begin with a number or three. */
typedef struct CUlaunchAttribute {
    int id;
    char pad[4];
    int value[16];
} CUlaunchAttribute;
enum { LAUNCH_IGNORE = 0, LAUNCH_COOPERATIVE = 2, LAUNCH_CLUSTER = 4 };

typedef struct CUlaunchConfig {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    CUstream stream;
    const CUlaunchAttribute *attrs;
    unsigned nattrs;
} CUlaunchConfig;

typedef struct CUmemLocation {
    int type, id;
} CUmemLocation;

typedef struct CUDA_MEMCPY2D {
    size_t srcXInBytes, srcY;
    unsigned srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    unsigned dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray;
    size_t dstPitch, WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    unsigned srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray, *reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    unsigned dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray, *reserved1;
    size_t dstPitch, dstHeight, WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct CUDA_KERNEL_NODE_PARAMS {
    CUfunction func;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    void **kernelParams, **extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct CUgraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdgeData;

typedef struct CUDA_MEMSET_NODE_PARAMS {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct CUDA_HOST_NODE_PARAMS {
    CUhostFn fn;
    void *userData;
} CUDA_HOST_NODE_PARAMS;

typedef struct CUgraphExecUpdateResultInfo {
    int result;
    CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;

#define ERROR(name, code, text) CUDA_##name = code,
enum {
#include "errors.def"
};
#undef ERROR

enum { JIT_INFO_LOG = 3, JIT_INFO_LOG_SIZE = 4, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_SIZE = 6 };
enum { MEMTYPE_HOST = 1, MEMTYPE_DEVICE, MEMTYPE_ARRAY, MEMTYPE_UNIFIED };
#define LAUNCH_PARAM_END ((void *)0)
#define LAUNCH_PARAM_BUFFER ((void *)1)
#define LAUNCH_PARAM_SIZE ((void *)2)

#endif
