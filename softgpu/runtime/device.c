/* The device: there is one. Its properties, versions, limits; peers and other processes, of which there are none. */
#include "runtime.h"

/* The number of a device must be 0. */
static CUresult only(int device) { return device ? (CUresult)cudaErrorInvalidDevice : ready(); }

static cudaError_t give(int *out, int value)
{
    if (!out)
        return finish(cudaErrorInvalidValue);
    *out = value;
    return cudaSuccess;
}

API cudaError_t cudaGetDeviceCount(int *n) { return give(n, 1); }
API cudaError_t cudaGetDevice(int *d) { return give(d, 0); }
API cudaError_t cudaSetDevice(int d) { return finish(only(d)); }
API cudaError_t cudaInitDevice(int d, unsigned device_flags, unsigned flags)
{
    (void)device_flags, (void)flags;
    return finish(only(d));
}
API cudaError_t cudaSetValidDevices(int *list, int n)
{
    return finish(list && n == 1 ? only(*list) : cudaErrorInvalidValue);
}
API cudaError_t cudaChooseDevice(int *d, const void *properties)
{
    return properties ? give(d, 0) : finish(cudaErrorInvalidValue);
}
API cudaError_t cudaDriverGetVersion(int *v) { return give(v, DRIVER_VERSION); }
API cudaError_t cudaRuntimeGetVersion(int *v) { return give(v, CUDART * 1000); }
API cudaError_t cudaDeviceSynchronize(void) { return DO(cuCtxSynchronize()); }
API cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int d)
{
    return DO(d ? (CUresult)cudaErrorInvalidDevice : cuDeviceGetAttribute(value, attribute, d));
}
API cudaError_t cudaDeviceGetLimit(size_t *value, int limit) { return DO(cuCtxGetLimit(value, limit)); }
API cudaError_t cudaDeviceSetLimit(int limit, size_t value) { return DO(cuCtxSetLimit(limit, value)); }
API cudaError_t cudaDeviceGetCacheConfig(int *config) { return DO(cuCtxGetCacheConfig(config)); }
API cudaError_t cudaDeviceSetCacheConfig(int config) { return DO(cuCtxSetCacheConfig(config)); }
API cudaError_t cudaDeviceGetSharedMemConfig(int *config) { return give(config, 1); }
API cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    return DO(config < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}
API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    return DO(cuCtxGetStreamPriorityRange(least, greatest));
}
API cudaError_t cudaDeviceGetPCIBusId(char *text, int len, int d) { return DO(cuDeviceGetPCIBusId(text, len, d)); }
API cudaError_t cudaDeviceGetByPCIBusId(int *d, const char *text)
{
    return text && strstr(text, "00:00.0") ? give(d, 0) : finish(cudaErrorInvalidDevice);
}
API cudaError_t cudaGetDeviceFlags(unsigned *flags) { return DO(cuCtxGetFlags(flags)); }
API cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    CUresult r = cuInit(0);
    return finish(r ? r : cuDevicePrimaryCtxSetFlags_v2(0, flags));
}

API cudaError_t cudaDeviceReset(void)
{
    CUresult r = cuInit(0);
    if (!r)
        r = cuDevicePrimaryCtxReset_v2(0);
    forget_modules();
    return finish(r);
}

/* --- peers --- */
API cudaError_t cudaDeviceCanAccessPeer(int *can, int d, int peer)
{
    return d || peer ? finish(cudaErrorInvalidDevice) : give(can, 0);
}
API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return finish(cudaErrorInvalidDevice);
}
API cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return finish(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

/* --- properties --- */
/* As the public headers lay them out; what stands for textures and surfaces is zero. */
// clang-format off
typedef struct cudaDeviceProp {
    char name[256], uuid[16], luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    TWELVE(int clockRate;)
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    TWELVE(int deviceOverlap;)
    int multiProcessorCount;
    TWELVE(int kernelExecTimeoutEnabled;)
    int integrated, canMapHostMemory;
    TWELVE(int computeMode, maxTexture1DLinear;)
    int textures[39];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
        unifiedAddressing;
    TWELVE(int memoryClockRate;)
    int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor,
        streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    TWELVE(int singleToDoublePrecisionPerfRatio;)
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
        cooperativeLaunch;
    TWELVE(int cooperativeMultiDeviceLaunch;)
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
        accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
        timelineSemaphoreInteropSupported, memoryPoolsSupported, more[71];
} cudaDeviceProp;
// clang-format on
_Static_assert(sizeof(void *) != 8 || sizeof(cudaDeviceProp) == (CUDART == 12 ? 1032 : 1008),
               "as in the public header");

#define WHERE(field) offsetof(cudaDeviceProp, field), sizeof(((cudaDeviceProp *)0)->field)
// clang-format off
static const struct { size_t at, size; int attribute; } properties[] = {
    { WHERE(sharedMemPerBlock), 8 }, { WHERE(regsPerBlock), 12 }, { WHERE(warpSize), 10 }, { WHERE(memPitch), 11 },
    { WHERE(maxThreadsPerBlock), 1 }, { WHERE(maxThreadsDim[0]), 2 }, { WHERE(maxThreadsDim[1]), 3 },
    { WHERE(maxThreadsDim[2]), 4 }, { WHERE(maxGridSize[0]), 5 }, { WHERE(maxGridSize[1]), 6 },
    { WHERE(maxGridSize[2]), 7 }, { WHERE(totalConstMem), 9 }, { WHERE(major), 75 }, { WHERE(minor), 76 },
    { WHERE(textureAlignment), 14 }, { WHERE(multiProcessorCount), 16 }, { WHERE(integrated), 18 },
    { WHERE(canMapHostMemory), 19 }, { WHERE(concurrentKernels), 31 }, { WHERE(asyncEngineCount), 40 },
    { WHERE(unifiedAddressing), 41 }, { WHERE(memoryBusWidth), 37 }, { WHERE(l2CacheSize), 38 },
    { WHERE(maxThreadsPerMultiProcessor), 39 }, { WHERE(streamPrioritiesSupported), 78 },
    { WHERE(globalL1CacheSupported), 79 }, { WHERE(localL1CacheSupported), 80 },
    { WHERE(sharedMemPerMultiprocessor), 81 }, { WHERE(regsPerMultiprocessor), 82 }, { WHERE(managedMemory), 83 },
    { WHERE(pageableMemoryAccess), 88 }, { WHERE(concurrentManagedAccess), 89 },
    { WHERE(computePreemptionSupported), 90 },
    { WHERE(canUseHostPointerForRegisteredMem), 91 }, { WHERE(cooperativeLaunch), 95 },
    { WHERE(sharedMemPerBlockOptin), 97 }, { WHERE(hostRegisterSupported), 99 },
    { WHERE(directManagedMemAccessFromHost), 101 }, { WHERE(maxBlocksPerMultiProcessor), 106 },
    { WHERE(reservedSharedMemPerBlock), 111 }, { WHERE(memoryPoolsSupported), 115 },
};
// clang-format on

API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int d)
{
    CUresult r = p ? only(d) : (CUresult)cudaErrorInvalidValue;
    if (r)
        return finish(r);
    memset(p, 0, sizeof *p);
    r = cuDeviceGetName(p->name, sizeof p->name, 0);
    if (!r)
        r = cuDeviceTotalMem_v2(&p->totalGlobalMem, 0);
    if (!r)
        r = cuDeviceGetUuid((CUuuid *)(void *)p->uuid, 0);
    for (size_t i = 0; !r && i < COUNT(properties); i++) {
        int value = 0;
        size_t wide;
        r = cuDeviceGetAttribute(&value, properties[i].attribute, 0);
        wide = (size_t)value;
        if (properties[i].size == sizeof value)
            memcpy((char *)p + properties[i].at, &value, sizeof value);
        else
            memcpy((char *)p + properties[i].at, &wide, sizeof wide);
    }
    p->texturePitchAlignment = 32;
    return finish(r);
}

/* --- the driver's functions, by name --- */
API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **f, unsigned version, unsigned long long flags,
                                                 int *status)
{
    int found = 1;
    CUresult r =
        name && f ? cuGetProcAddress_v2(name, f, (int)version, flags, &found) : (CUresult)cudaErrorInvalidValue;
    if (status)
        *status = found;
    return finish(status && r == CUDA_ERROR_NOT_FOUND ? CUDA_SUCCESS : r);
}

API cudaError_t cudaGetDriverEntryPoint(const char *name, void **f, unsigned long long flags, int *status)
{
    return cudaGetDriverEntryPointByVersion(name, f, DRIVER_VERSION, flags, status);
}

/* A description of texels is only data; what it is for is refused. */
typedef struct cudaChannelFormatDesc {
    int x, y, z, w, f;
} cudaChannelFormatDesc;
API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int f)
{
    return (cudaChannelFormatDesc){ x, y, z, w, f };
}

API cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
API cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
