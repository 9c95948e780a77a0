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
typedef struct {
    char bytes[16];
} CUuuid;
typedef size_t (*CUoccupancyB2DSize)(int block);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef void (*CUhostFn)(void *data);

typedef struct CUlaunchConfig {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    CUstream stream;
    void *attrs;
    unsigned nattrs;
} CUlaunchConfig;

#define ERROR(name, code, text) CUDA_##name = code,
enum {
#include "errors.def"
};
#undef ERROR

enum { JIT_INFO_LOG = 3, JIT_INFO_LOG_SIZE = 4, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_SIZE = 6 };
enum { MEMTYPE_HOST = 1, MEMTYPE_DEVICE = 2 };
#define LAUNCH_PARAM_END ((void *)0)
#define LAUNCH_PARAM_BUFFER ((void *)1)
#define LAUNCH_PARAM_SIZE ((void *)2)

#endif
