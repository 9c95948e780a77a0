/* Prototypes of the driver API as this library exports it. */
#ifndef SG_API_PROTO_H
#define SG_API_PROTO_H

#include "cuda_abi.h"

/* api_device.c */
CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetName(char *name, int len, CUdevice d);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice d);
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice d);
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice d);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d);
CUresult cuDeviceGetPCIBusId(char *text, int len, CUdevice d);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice d);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice d, CUdevice peer);

/* api_context.c */
CUresult cuCtxCreate(CUcontext *c, unsigned flags, CUdevice d);
CUresult cuCtxCreate_v2(CUcontext *c, unsigned flags, CUdevice d);
CUresult cuCtxCreate_v3(CUcontext *c, void *affinity, int n, unsigned flags, CUdevice d);
CUresult cuCtxCreate_v4(CUcontext *c, void *params, unsigned flags, CUdevice d);
CUresult cuCtxDestroy_v2(CUcontext c);
CUresult cuCtxDestroy(CUcontext c);
CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice d);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d);
CUresult cuDevicePrimaryCtxRelease(CUdevice d);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice d);
CUresult cuDevicePrimaryCtxReset(CUdevice d);
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice d, unsigned flags);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice d, unsigned flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active);
CUresult cuCtxSetCurrent(CUcontext c);
CUresult cuCtxGetCurrent(CUcontext *c);
CUresult cuCtxPushCurrent_v2(CUcontext c);
CUresult cuCtxPopCurrent_v2(CUcontext *c);
CUresult cuCtxPushCurrent(CUcontext c);
CUresult cuCtxPopCurrent(CUcontext *c);
CUresult cuCtxGetDevice(CUdevice *d);
CUresult cuCtxSynchronize(void);
CUresult cuCtxGetFlags(unsigned *flags);
CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version);
CUresult cuCtxGetLimit(size_t *value, int limit);
CUresult cuCtxSetLimit(int limit, size_t value);
CUresult cuCtxGetCacheConfig(int *config);
CUresult cuCtxSetCacheConfig(int config);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);

/* api_module.c */
CUresult cuModuleLoadData(CUmodule *out, const void *image);
CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned n, const int *options, void **values);
CUresult cuModuleLoad(CUmodule *out, const char *name);
CUresult cuModuleLoadFatBinary(CUmodule *out, const void *image);
CUresult cuModuleUnload(CUmodule m);
CUresult cuModuleGetFunction(CUfunction *out, CUmodule m, const char *name);
CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule m);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule m, const char *name);
CUresult cuModuleGetLoadingMode(int *mode);

/* api_memory.c */
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t size);
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t size, unsigned flags);
CUresult cuMemAllocAsync(CUdeviceptr *p, size_t size, CUstream s);
CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element);
CUresult cuMemFree_v2(CUdeviceptr p);
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s);
CUresult cuMemGetInfo_v2(size_t *left, size_t *total);
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr p);
CUresult cuMemHostAlloc(void **p, size_t size, unsigned flags);
CUresult cuMemAllocHost_v2(void **p, size_t size);
CUresult cuMemFreeHost(void *p);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *d, void *p, unsigned flags);
CUresult cuMemHostRegister_v2(void *p, size_t size, unsigned flags);
CUresult cuMemHostUnregister(void *p);
CUresult cuMemcpyHtoD_v2(CUdeviceptr d, const void *s, size_t n);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr d, const void *s, size_t n, CUstream st);
CUresult cuMemcpyDtoH_v2(void *d, CUdeviceptr s, size_t n);
CUresult cuMemcpyDtoHAsync_v2(void *d, CUdeviceptr s, size_t n, CUstream st);
CUresult cuMemcpyDtoD_v2(CUdeviceptr d, CUdeviceptr s, size_t n);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st);
CUresult cuMemcpyAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st);
CUresult cuMemcpy(CUdeviceptr d, CUdeviceptr s, size_t n);
CUresult cuMemsetD8_v2(CUdeviceptr d, unsigned char v, size_t n);
CUresult cuMemsetD16_v2(CUdeviceptr d, unsigned short v, size_t n);
CUresult cuMemsetD32_v2(CUdeviceptr d, unsigned v, size_t n);
CUresult cuMemsetD8Async(CUdeviceptr d, unsigned char v, size_t n, CUstream s);
CUresult cuMemsetD16Async(CUdeviceptr d, unsigned short v, size_t n, CUstream s);
CUresult cuMemsetD32Async(CUdeviceptr d, unsigned v, size_t n, CUstream s);
CUresult cuPointerGetAttribute(void *out, int attribute, CUdeviceptr p);

/* api_stream.c */
CUresult cuStreamCreate(CUstream *s, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream s);
CUresult cuStreamDestroy(CUstream s);
CUresult cuStreamSynchronize(CUstream s);
CUresult cuStreamQuery(CUstream s);
CUresult cuStreamGetFlags(CUstream s, unsigned *flags);
CUresult cuStreamGetPriority(CUstream s, int *priority);
CUresult cuStreamGetCtx(CUstream s, CUcontext *out);
CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags);
CUresult cuLaunchHostFunc(CUstream s, CUhostFn f, void *data);
CUresult cuStreamAddCallback(CUstream s, CUstreamCallback f, void *data, unsigned flags);
CUresult cuStreamIsCapturing(CUstream s, int *status);
CUresult cuEventCreate(CUevent *out, unsigned flags);
CUresult cuEventDestroy_v2(CUevent e);
CUresult cuEventDestroy(CUevent e);
CUresult cuEventRecord(CUevent e, CUstream s);
CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags);
CUresult cuEventQuery(CUevent e);
CUresult cuEventSynchronize(CUevent e);
CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end);
CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end);

/* api_launch.c */
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream s, void **params, void **extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra);
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f);
CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction f, int config);
CUresult cuFuncGetName(const char **name, CUfunction f);
CUresult cuFuncGetModule(CUmodule *m, CUfunction f);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f, int block, size_t dynamic);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, CUfunction f, int block, size_t dynamic,
                                                              unsigned flags);
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize size_of,
                                          size_t dynamic, int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, CUoccupancyB2DSize size_of,
                                                   size_t dynamic, int limit, unsigned flags);

/* api_error.c */
CUresult cuGetErrorName(CUresult r, const char **name);
CUresult cuGetErrorString(CUresult r, const char **text);

/* api_proc.c */
CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags);
CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status);
CUresult cuGetExportTable(const void **table, const CUuuid *id);

#endif
