/* A driver that fails: every call goes through to the software device, except the one that a test has chosen. It also
 * counts what is taken and given back. */
#include "driver.h"
#include "fixture_driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static faulty_state state;
EXPORT faulty_state *faulty(void);
EXPORT faulty_state *faulty(void) { return &state; }

/* What marks the software device. */
EXPORT void softgpuSetChecks(uint32_t checks);
EXPORT void softgpuSetChecks(uint32_t checks) { (void)checks; }

static void *behind(const char *symbol)
{
    static void *library;
    if (!library)
        library = dlopen(getenv("FAULTY_BEHIND"), RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, symbol) : NULL;
}

/* Whether this call fails; a call that is let through is counted in `balance` by `change`. */
static int fails(const char *symbol)
{
    state.calls++;
    if (state.calls == state.fail_at || (state.stays && state.fail_at && state.calls > state.fail_at)) {
        if (state.calls == state.fail_at)
            state.failed = symbol;
        return 1;
    }
    return 0;
}

static driver_result count(driver_result result, int *balance, int change)
{
    if (!result)
        *balance += change;
    return result;
}

// clang-format off
#define PASS(symbol, parameters, arguments, balance, change) \
    EXPORT driver_result symbol parameters; \
    EXPORT driver_result symbol parameters { \
        driver_result (*real) parameters; void *found = behind(#symbol); memcpy(&real, &found, sizeof found); \
        return fails(#symbol) ? FAULTY_CODE : count(real arguments, balance, change); }
// clang-format on

static int ignored;
PASS(cuInit, (unsigned flags), (flags), &ignored, 0)
PASS(cuDeviceGetCount, (int *n), (n), &ignored, 0)
PASS(cuDeviceGet, (int *device, int ordinal), (device, ordinal), &ignored, 0)
PASS(cuDeviceGetName, (char *name, int length, int device), (name, length, device), &ignored, 0)
PASS(cuDeviceGetAttribute, (int *value, int attribute, int device), (value, attribute, device), &ignored, 0)
PASS(cuDevicePrimaryCtxRetain, (void **context, int device), (context, device), &state.contexts, 1)
PASS(cuDevicePrimaryCtxRelease_v2, (int device), (device), &state.contexts, -1)
PASS(cuCtxPushCurrent_v2, (void *context), (context), &state.pushed, 1)
PASS(cuCtxPopCurrent_v2, (void **context), (context), &state.pushed, -1)
PASS(cuModuleLoadData, (void **module, const void *image), (module, image), &state.modules, 1)
PASS(cuModuleUnload, (void *module), (module), &state.modules, -1)
PASS(cuModuleGetFunction, (void **function, void *module, const char *name), (function, module, name), &ignored, 0)
PASS(cuMemAlloc_v2, (uint64_t * memory, size_t bytes), (memory, bytes), &state.allocations, 1)
PASS(cuMemFree_v2, (uint64_t memory), (memory), &state.allocations, -1)
PASS(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes), (to, from, bytes), &ignored, 0)
PASS(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes), (to, from, bytes), &ignored, 0)
PASS(cuStreamSynchronize, (void *stream), (stream), &ignored, 0)
PASS(cuLaunchKernel,
     (void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
      void *stream, void **parameters, void **extra),
     (f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra), &state.launches, 1)

EXPORT driver_result cuGetErrorName(driver_result result, const char **name);
EXPORT driver_result cuGetErrorName(driver_result result, const char **name)
{
    (void)result;
    *name = "CUDA_ERROR_ECC_UNCORRECTABLE";
    return state.nameless ? 1 : 0;
}
