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
CUresult cuPointerGetAttributes(unsigned n, const int *attributes, void **out, CUdeviceptr p);
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
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream s, void **params);
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream s, void **params, void **extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra);
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f);
CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction f, int config);
CUresult cuFuncGetName(const char **name, CUfunction f);
CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size);
CUresult cuFuncGetModule(CUmodule *m, CUfunction f);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f, int block, size_t dynamic);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, CUfunction f, int block, size_t dynamic,
                                                              unsigned flags);
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize size_of,
                                          size_t dynamic, int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, CUoccupancyB2DSize size_of,
                                                   size_t dynamic, int limit, unsigned flags);

/* api_copy.c */
CUresult cuMemcpyPeer(CUdeviceptr d, CUcontext dc, CUdeviceptr s, CUcontext sc, size_t n);
CUresult cuMemcpyPeerAsync(CUdeviceptr d, CUcontext dc, CUdeviceptr s, CUcontext sc, size_t n, CUstream st);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *m, CUstream s);
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *m);
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *m, CUstream s);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *m);
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *m);
CUresult cuMemsetD2D8_v2(CUdeviceptr d, size_t p, unsigned char v, size_t w, size_t h);
CUresult cuMemsetD2D16_v2(CUdeviceptr d, size_t p, unsigned short v, size_t w, size_t h);
CUresult cuMemsetD2D32_v2(CUdeviceptr d, size_t p, unsigned v, size_t w, size_t h);
CUresult cuMemsetD2D8Async(CUdeviceptr d, size_t p, unsigned char v, size_t w, size_t h, CUstream s);
CUresult cuMemsetD2D16Async(CUdeviceptr d, size_t p, unsigned short v, size_t w, size_t h, CUstream s);
CUresult cuMemsetD2D32Async(CUdeviceptr d, size_t p, unsigned v, size_t w, size_t h, CUstream s);

/* api_host.c */
CUresult cuMemHostGetFlags(unsigned *flags, void *p);
CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t n, CUdevice d, CUstream s);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t n, CUmemLocation to, unsigned flags, CUstream s);
CUresult cuMemAdvise(CUdeviceptr p, size_t n, int advice, CUdevice d);
CUresult cuMemAdvise_v2(CUdeviceptr p, size_t n, int advice, CUmemLocation at);

/* api_pool.c */
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t size, CUmemoryPool pool, CUstream s);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *p, CUdevice d);
CUresult cuDeviceGetMemPool(CUmemoryPool *p, CUdevice d);
CUresult cuDeviceSetMemPool(CUdevice d, CUmemoryPool p);
CUresult cuMemPoolCreate(CUmemoryPool *out, const void *props);
CUresult cuMemPoolDestroy(CUmemoryPool p);
CUresult cuMemPoolTrimTo(CUmemoryPool p, size_t keep);
CUresult cuMemPoolSetAccess(CUmemoryPool p, const void *list, size_t n);
CUresult cuMemPoolGetAttribute(CUmemoryPool p, int attribute, void *value);
CUresult cuMemPoolSetAttribute(CUmemoryPool p, int attribute, void *value);

/* api_library.c */
CUresult cuLibraryLoadData(CUlibrary *out, const void *code, const int *jit, void **jit_values, unsigned njit,
                           const int *options, void **values, unsigned n);
CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *name, const int *jit, void **jit_values, unsigned njit,
                               const int *options, void **values, unsigned n);
CUresult cuLibraryUnload(CUlibrary l);
CUresult cuLibraryGetKernel(CUkernel *k, CUlibrary l, const char *name);
CUresult cuLibraryGetKernelCount(unsigned *n, CUlibrary l);
CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name);
CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name);
CUresult cuLibraryGetModule(CUmodule *m, CUlibrary l);
CUresult cuKernelGetFunction(CUfunction *f, CUkernel k);
CUresult cuKernelGetLibrary(CUlibrary *l, CUkernel k);
CUresult cuKernelGetParamInfo(CUkernel k, size_t index, size_t *offset, size_t *size);
CUresult cuKernelGetName(const char **name, CUkernel k);
CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel k, CUdevice d);
CUresult cuKernelSetAttribute(int attribute, int value, CUkernel k, CUdevice d);
CUresult cuKernelSetCacheConfig(CUkernel k, int config, CUdevice d);
CUresult cuLinkCreate_v2(unsigned n, int *options, void **values, CUlinkState *out);
CUresult cuLinkAddData_v2(CUlinkState s, int kind, void *data, size_t size, const char *name, unsigned n, int *options,
                          void **values);
CUresult cuLinkComplete(CUlinkState s, void **cubin, size_t *size);
CUresult cuLinkDestroy(CUlinkState s);

/* api_graph.c */
CUresult cuGraphCreate(CUgraph *out, unsigned flags);
CUresult cuGraphDestroy(CUgraph g);
CUresult cuGraphClone(CUgraph *out, CUgraph from);
CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n,
                                 const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, const CUDA_MEMCPY3D *p,
                              CUcontext c);
CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext c);
CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n,
                            const CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n);
CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, CUgraph child);
CUresult cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, CUevent e);
CUresult cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, CUevent e);
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n);
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n);
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n);
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n);
CUresult cuGraphNodeGetType(CUgraphNode at, int *kind);
CUresult cuGraphNodeGetDependencies(CUgraphNode at, CUgraphNode *deps, size_t *n);
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode at, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode at, CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode at, const CUDA_MEMCPY3D *p);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode at, const CUDA_MEMSET_NODE_PARAMS *p);

/* api_exec.c */
CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g, unsigned long long flags);
CUresult cuGraphInstantiate_v2(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log, size_t size);
CUresult cuGraphExecDestroy(CUgraphExec e);
CUresult cuGraphUpload(CUgraphExec e, CUstream s);
CUresult cuGraphLaunch(CUgraphExec e, CUstream s);
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec e, CUgraphNode source, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec e, CUgraphNode source, const CUDA_MEMCPY3D *p, CUcontext c);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec e, CUgraphNode source, const CUDA_MEMSET_NODE_PARAMS *p,
                                        CUcontext c);
CUresult cuGraphExecUpdate_v2(CUgraphExec e, CUgraph g, CUgraphExecUpdateResultInfo *info);

/* capture.c */
CUresult cuStreamBeginCapture_v2(CUstream s, int mode);
CUresult cuStreamEndCapture(CUstream s, CUgraph *out);
CUresult cuStreamGetCaptureInfo_v2(CUstream s, int *status, uint64_t *id, CUgraph *graph, const CUgraphNode **deps,
                                   size_t *ndeps);
CUresult cuThreadExchangeStreamCaptureMode(int *mode);

/* graph_forms.c: old is the first form of CUDA_KERNEL_NODE_PARAMS */
CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n, const void *old);
CUresult cuGraphKernelNodeSetParams(CUgraphNode at, const void *old);
CUresult cuGraphKernelNodeGetParams(CUgraphNode at, void *old);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode source, const void *old);
CUresult cuGraphInstantiate(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log, size_t size);
CUresult cuGraphExecUpdate(CUgraphExec e, CUgraph g, CUgraphNode *bad, int *result);
CUresult cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t n);
CUresult cuGraphGetEdges_v2(CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *n);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode at, CUgraphNode *deps, CUgraphEdgeData *data, size_t *n);
CUresult cuStreamBeginCapture(CUstream s);
CUresult cuStreamGetCaptureInfo(CUstream s, int *status, uint64_t *id);
CUresult cuStreamGetCaptureInfo_v3(CUstream s, int *status, uint64_t *id, CUgraph *graph, const CUgraphNode **deps,
                                   const CUgraphEdgeData **data, size_t *n);

/* api_peer.c */
CUresult cuCtxEnablePeerAccess(CUcontext c, unsigned flags);
CUresult cuCtxDisablePeerAccess(CUcontext c);
CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice a, CUdevice b);
CUresult cuCtxSynchronize_v2(CUcontext c);
CUresult cuCtxGetDevice_v2(CUdevice *d, CUcontext c);
CUresult cuStreamGetCtx_v2(CUstream s, CUcontext *out, void **green);

/* api_tensor.c */
typedef struct CUtensorMap {
    uint64_t opaque[16];
} CUtensorMap;
CUresult cuTensorMapEncodeTiled(CUtensorMap *out, int element, unsigned rank, void *address, const uint64_t *extents,
                                const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                                int swizzle, int promotion, int fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address);

/* api_error.c */
CUresult cuGetErrorName(CUresult r, const char **name);
CUresult cuGetErrorString(CUresult r, const char **text);

/* api_proc.c */
CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags);
CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status);
CUresult cuGetExportTable(const void **table, const CUuuid *id);

#endif
