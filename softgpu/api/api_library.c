/* Libraries and linking: modules under other names. A library is a module, a kernel of it a function. */
#include "api.h"

CUDAAPI CUresult cuLibraryLoadData(CUlibrary *out, const void *code, const int *jit, void **jit_values, unsigned njit,
                                   const int *options, void **values, unsigned n)
{
    (void)options;
    (void)values;
    (void)n;
    return cuModuleLoadDataEx(out, code, jit ? njit : 0, jit, jit_values);
}

CUDAAPI CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *name, const int *jit, void **jit_values,
                                       unsigned njit, const int *options, void **values, unsigned n)
{
    (void)jit;
    (void)jit_values;
    (void)njit;
    (void)options;
    (void)values;
    (void)n;
    return cuModuleLoad(out, name);
}

CUDAAPI CUresult cuLibraryUnload(CUlibrary l) { return cuModuleUnload(l); }
CUDAAPI CUresult cuLibraryGetKernel(CUkernel *k, CUlibrary l, const char *name)
{
    return cuModuleGetFunction(k, l, name);
}
CUDAAPI CUresult cuLibraryGetKernelCount(unsigned *n, CUlibrary l) { return cuModuleGetFunctionCount(n, l); }
CUDAAPI CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name)
{
    return cuModuleGetGlobal_v2(p, size, l, name);
}
CUDAAPI CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name)
{
    return cuModuleGetGlobal_v2(p, size, l, name);
}

static CUresult same(void **out, void *in)
{
    CUresult r = enter();
    if (!r && !out)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *out = in;
    return leave(r);
}

CUDAAPI CUresult cuLibraryGetModule(CUmodule *m, CUlibrary l) { return same((void **)m, l); }
CUDAAPI CUresult cuKernelGetFunction(CUfunction *f, CUkernel k) { return same((void **)f, k); }
CUDAAPI CUresult cuKernelGetLibrary(CUlibrary *l, CUkernel k) { return cuFuncGetModule(l, k); }
CUDAAPI CUresult cuKernelGetName(const char **name, CUkernel k) { return cuFuncGetName(name, k); }

CUDAAPI CUresult cuKernelGetParamInfo(CUkernel k, size_t index, size_t *offset, size_t *size)
{
    return cuFuncGetParamInfo(k, index, offset, size);
}

CUDAAPI CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel k, CUdevice d)
{
    return d ? CUDA_ERROR_INVALID_DEVICE : cuFuncGetAttribute(value, attribute, k);
}

CUDAAPI CUresult cuKernelSetAttribute(int attribute, int value, CUkernel k, CUdevice d)
{
    return d ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetAttribute(k, attribute, value);
}

CUDAAPI CUresult cuKernelSetCacheConfig(CUkernel k, int config, CUdevice d)
{
    return d ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig(k, config);
}

/* --- linking: one PTX goes in, and comes out as it is; modules are compiled when they are loaded --- */
struct CUlink_st {
    char *text;
};
enum { INPUT_PTX = 1 };

CUDAAPI CUresult cuLinkCreate_v2(unsigned n, int *options, void **values, CUlinkState *out)
{
    (void)n;
    (void)options;
    (void)values;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = calloc(1, sizeof **out);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUDAAPI CUresult cuLinkAddData_v2(CUlinkState s, int kind, void *data, size_t size, const char *name, unsigned n,
                                  int *options, void **values)
{
    (void)name;
    (void)n;
    (void)options;
    (void)values;
    CUresult r = enter();
    if (!r && (!s || !data))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return leave(r);
    if (kind != INPUT_PTX || s->text)
        return leave_with(CUDA_ERROR_NOT_SUPPORTED, "cuLinkAddData takes one PTX: machine code, libraries and several "
                                                    "modules in one are not modelled");
    s->text = malloc(size + 1);
    if (!s->text)
        return leave(CUDA_ERROR_OUT_OF_MEMORY);
    memcpy(s->text, data, size);
    s->text[size] = 0;
    return leave(CUDA_SUCCESS);
}

CUDAAPI CUresult cuLinkComplete(CUlinkState s, void **cubin, size_t *size)
{
    if (!s || !cubin || !s->text)
        return CUDA_ERROR_INVALID_VALUE;
    *cubin = s->text;
    if (size)
        *size = strlen(s->text) + 1;
    return CUDA_SUCCESS;
}

CUDAAPI CUresult cuLinkDestroy(CUlinkState s)
{
    if (!s)
        return CUDA_ERROR_INVALID_VALUE;
    free(s->text);
    free(s);
    return CUDA_SUCCESS;
}
