/* Errors: the last one of each thread, names and texts; and the context that every call needs. */
#include "runtime.h"
#include <stdarg.h>

static _Thread_local cudaError_t last;

cudaError_t finish(cudaError_t r)
{
    if (r && r != cudaErrorNotReady)
        last = r;
    return r;
}

void tell(const char *format, ...)
{
    const char *log = getenv("SOFTGPU_LOG");
    va_list args;
    if (!log || !*log || !strcmp(log, "0"))
        return;
    va_start(args, format);
    fputs("softgpu: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

cudaError_t refuse(const char *name)
{
    tell("%s is not modelled", name);
    return finish(cudaErrorNotSupported);
}

CUresult ready(void)
{
    static CUcontext primary;
    CUcontext current = NULL;
    CUresult r = primary ? CUDA_SUCCESS : cuInit(0);
    if (!r && !primary)
        r = cuDevicePrimaryCtxRetain(&primary, 0);
    if (!r)
        r = cuCtxGetCurrent(&current);
    return r || current ? r : cuCtxSetCurrent(primary); /* a context that the program made is used as it is */
}

bool is_ready(CUresult *r) { return !(*r = ready()); }

API cudaError_t cudaGetLastError(void)
{
    cudaError_t r = last;
    last = cudaSuccess;
    return r;
}

API cudaError_t cudaPeekAtLastError(void) { return last; }

// clang-format off
#define CODE(name, code, text) { code, "cuda" #name, text },
static const struct { cudaError_t code; const char *name, *text; } errors[] = {
#include "runtime_errors.def"
};
#undef CODE
// clang-format on

API const char *cudaGetErrorName(cudaError_t r)
{
    for (size_t i = 0; i < COUNT(errors); i++)
        if (errors[i].code == r)
            return errors[i].name;
    return "unrecognized error code";
}

API const char *cudaGetErrorString(cudaError_t r)
{
    for (size_t i = 0; i < COUNT(errors); i++)
        if (errors[i].code == r)
            return errors[i].text;
    return "unrecognized error code";
}
