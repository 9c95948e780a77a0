/* cuInit and the device. There is one. */
#include "api.h"

CUDAAPI CUresult cuInit(unsigned flags)
{
    sg_setup();
    enter();
    if (!flags)
        sg.ready = true;
    return leave(flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUDAAPI CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = DRIVER_VERSION;
    return CUDA_SUCCESS;
}

CUDAAPI CUresult cuDeviceGetCount(int *count)
{
    CUresult r = enter();
    if (!r && !count)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *count = 1;
    return leave(r);
}

CUDAAPI CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult r = enter();
    if (!r && !device)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && ordinal)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (!r)
        *device = 0;
    return leave(r);
}

static CUresult enter_device(CUdevice d, const void *out)
{
    CUresult r = enter();
    if (r)
        return r;
    return d ? CUDA_ERROR_INVALID_DEVICE : out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUDAAPI CUresult cuDeviceGetName(char *name, int len, CUdevice d)
{
    CUresult r = enter_device(d, name);
    if (!r && len < 1)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        snprintf(name, (size_t)len, "Cotangent software device");
    return leave(r);
}

CUDAAPI CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice d)
{
    CUresult r = enter_device(d, uuid);
    if (!r)
        memcpy(uuid->bytes, "cotangent-softgp", 16);
    return leave(r);
}

CUDAAPI CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice d) { return cuDeviceGetUuid(uuid, d); }

CUDAAPI CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice d)
{
    CUresult r = enter_device(d, bytes);
    if (!r)
        *bytes = (size_t)sg.mem.total;
    return leave(r);
}

CUDAAPI CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d)
{
    CUresult r = enter_device(d, major);
    if (!r && !minor)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r) {
        *major = sg.cap->cc / 10;
        *minor = sg.cap->cc % 10;
    }
    return leave(r);
}

CUDAAPI CUresult cuDeviceGetPCIBusId(char *text, int len, CUdevice d)
{
    CUresult r = enter_device(d, text);
    if (!r && len < 13)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        snprintf(text, (size_t)len, "0000:00:00.0");
    return leave(r);
}

/* Attributes that do not depend on the capability. */
// clang-format off
static const struct { int attribute, value; } fixed[] = {
    { 1, 1024 }, { 2, 1024 }, { 3, 1024 }, { 4, 64 },                       /* threads of a block */
    { 5, 2147483647 }, { 6, 65535 }, { 7, 65535 },                          /* blocks of a grid */
    { 8, 49152 }, { 9, 65536 }, { 10, 32 }, { 11, 2147483647 }, { 12, 65536 },
    { 13, 1000000 }, { 14, 512 }, { 15, 1 }, { 16, SMS }, { 19, 1 }, { 31, 1 }, { 36, 1000000 },
    { 37, 128 }, { 38, 4 << 20 }, { 40, 1 }, { 41, 1 }, { 51, 32 }, { 78, 1 }, { 79, 1 }, { 80, 1 }, { 82, 65536 },
    { 83, 1 }, { 87, 2 }, { 89, 1 }, { 90, 1 }, { 91, 1 }, { 95, 1 }, { 99, 1 }, { 101, 1 }, { 111, 1024 }, { 115, 1 },
};
// clang-format on

CUDAAPI CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice d)
{
    CUresult r = enter_device(d, value);
    if (!r && (attribute < 1 || attribute > 147))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return leave(r);
    *value = 0;
    for (size_t i = 0; i < COUNT(fixed); i++)
        if (fixed[i].attribute == attribute)
            *value = fixed[i].value;
    switch (attribute) {
    case 39: *value = sg.cap->threads_per_sm; break;
    case 75: *value = sg.cap->cc / 10; break;
    case 76: *value = sg.cap->cc % 10; break;
    case 81: *value = (int)sg.cap->shared_per_sm; break;
    case 97: *value = (int)sg.cap->shared_optin; break;
    case 106: *value = sg.cap->blocks_per_sm; break;
    default: break;
    }
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuDeviceCanAccessPeer(int *can, CUdevice d, CUdevice peer)
{
    CUresult r = enter_device(d, can);
    if (!r && peer)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (!r)
        *can = 0;
    return leave(r);
}
