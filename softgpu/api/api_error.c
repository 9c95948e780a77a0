/* Names and meanings of results. */
#include "api.h"

#define ERROR(name, code, text) { code, "CUDA_" #name, text },
static const struct {
    int code;
    const char *name, *text;
} errors[] = {
#include "errors.def"
};
#undef ERROR

CUDAAPI CUresult cuGetErrorName(CUresult r, const char **name)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = NULL;
    for (size_t i = 0; i < COUNT(errors); i++)
        if (errors[i].code == r)
            *name = errors[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUDAAPI CUresult cuGetErrorString(CUresult r, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = NULL;
    for (size_t i = 0; i < COUNT(errors); i++)
        if (errors[i].code == r)
            *text = errors[i].text;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
