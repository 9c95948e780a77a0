/* Public calls that are not modelled: each says its name. Their parameters are not looked at. */
#include "api.h"

static CUresult refuse(const char *name)
{
    CUresult r = enter();
    return r ? leave(r) : leave_with(CUDA_ERROR_NOT_SUPPORTED, "%s is not modelled", name);
}

// clang-format off
#define API(base, version, symbol) \
    CUresult symbol(void);         \
    CUDAAPI CUresult symbol(void) { return refuse(#symbol); }
#include "unmodelled.def"
// clang-format on
