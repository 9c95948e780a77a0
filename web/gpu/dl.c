/* The software device is linked into the page. The backend looks for a driver as it does everywhere, and finds it here.
 */
#include "backend_cuda/driver.h"
#include "web/engine/kernels.h"
#include "softgpu/softgpu.h"

#include <dlfcn.h>
#include <string.h>

#define DRIVER(name, symbol, parameters) driver_result symbol parameters;
#include "backend_cuda/driver.def"
#undef DRIVER

/* An image of the page is a name: its text came from JavaScript. */
static driver_result load_by_name(void **module, const void *image)
{
    enum { INVALID_IMAGE = 200 };
    const char *text = kernel_text(image);
    return text ? cuModuleLoadData(module, text) : INVALID_IMAGE;
}

typedef void any_function(void);
// clang-format off
static const struct { const char *name; any_function *function; } functions[] = {
    { "cuModuleLoadData", (any_function *)load_by_name },
    { "softgpuSetChecks", (any_function *)softgpuSetChecks },
#define DRIVER(name, symbol, parameters) { #symbol, (any_function *)symbol },
#include "backend_cuda/driver.def"
#undef DRIVER
};
// clang-format on

void *dlopen(const char *path, int flags)
{
    (void)path, (void)flags;
    return (void *)functions;
}

void *dlsym(void *restrict library, const char *restrict name)
{
    (void)library;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name)) {
            union {
                any_function *function;
                void *object;
            } found = { functions[i].function };
            return found.object;
        }
    return NULL;
}

char *dlerror(void) { return NULL; }

int dladdr(const void *address, Dl_info *info)
{
    (void)address, (void)info;
    return 0;
}
