/* Finding the driver. It is never linked: one program runs with a GPU, without a driver, and on the software device. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "driver.h"
#include "core/internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SOFTWARE_NAME "softgpu/libcuda.so.1"

/* ---- the library ----------------------------------------------------------------------------- */

static void *system_library;
static char system_reason[128];
static pthread_once_t system_once = PTHREAD_ONCE_INIT;

/* Asked for once, before the software device is loaded: afterwards its name would be found instead. */
static void find_system_library(void)
{
    system_library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const char *reason = system_library ? NULL : dlerror();
    snprintf(system_reason, sizeof system_reason, "%s", reason ? reason : "");
}

static bool is_software(void *library) { return dlsym(library, "softgpuSetChecks") != NULL; }

/* `beside` is a library; `between` leads from its directory to the device's. */
static void *open_beside(const char *beside, const char *between)
{
    char path[PATH_MAX], absolute[PATH_MAX];
    const char *slash = strrchr(beside, '/');
    int length =
        snprintf(path, sizeof path, "%.*s%s%s", slash ? (int)(slash - beside) : 0, beside, between, SOFTWARE_NAME);
    if (!slash || length >= (int)sizeof path || !realpath(path, absolute))
        return NULL;
    return dlopen(absolute, RTLD_NOW | RTLD_LOCAL);
}

/* Whether this code is part of the program itself: then nothing says that its directory is trusted as a library's is.
 */
static bool is_program(const char *library)
{
    struct stat here, program;
    return stat(library, &here) || stat("/proc/self/exe", &program)
           || (here.st_dev == program.st_dev && here.st_ino == program.st_ino);
}

/* The device that was installed with this library, wherever both have been moved since. Never beside a program that
 * uses the library, nor above it: those directories may be anybody's. */
static void *open_near(void)
{
    Dl_info self;
    const char *library = dladdr(system_reason, &self) && self.dli_fname ? self.dli_fname : "";
    return is_program(library) ? NULL : open_beside(library, "/" PACKAGE_NAME "/");
}

/* What somebody has named comes first, then the device that the program runs on, the caller's own, the installed. */
static void *open_software(const char *softgpu)
{
    const char *given = getenv("COTANGENT_SOFTGPU");
    if (given)
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    if (system_library && is_software(system_library))
        return system_library;
    if (*softgpu)
        return dlopen(softgpu, RTLD_NOW | RTLD_LOCAL);
    void *near = open_near();
    return near ? near : dlopen(COT_SOFTGPU, RTLD_NOW | RTLD_LOCAL);
}

/* ---- its functions --------------------------------------------------------------------------- */

static bool take_function(void *library, const char *symbol, void *slot)
{
    void *found = dlsym(library, symbol);
    memcpy(slot, &found, sizeof found);
    return found != NULL;
}

static cot_status take_functions(void *library, cuda_driver *driver, cot_error *error)
{
    const char *missing = NULL;
#define DRIVER(name, symbol, parameters) \
    if (!take_function(library, #symbol, &driver->name)) \
        missing = #symbol;
#include "driver.def"
#undef DRIVER
    driver->software = is_software(library);
    if (missing)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0, "backend cuda: the driver lacks %s", missing);
    return COT_OK;
}

cot_status cot_cuda_fail(const cuda_driver *driver, driver_result result, const char *call, const char *after,
                         cot_error *error)
{
    const char *name = NULL;
    if (driver->error_name(result, &name) || !name)
        name = "an error that the driver has no name for";
    cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, 0, 0, "backend cuda: %s: %s (%d)%s", call, name, result, after);
    if (error)
        error->native = result;
    return COT_INTERNAL;
}

static cot_status start(void *library, cuda_driver *driver, cot_error *error)
{
    cot_status status = take_functions(library, driver, error);
    if (status)
        return status;
    driver_result result = driver->init(0);
    if (result)
        return cot_cuda_fail(driver, result, "cuInit", "", error);
    result = driver->device_count(&driver->devices);
    if (result)
        return cot_cuda_fail(driver, result, "cuDeviceGetCount", "", error);
    if (driver->devices < 1)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0, "backend cuda: the driver has no device");
    return COT_OK;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static cot_status no_gpu(cot_error *error, const char *why)
{
    return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0, "backend cuda: there is no GPU: %s", why);
}

static cot_status open_real(cuda_driver *driver, cot_error *error)
{
    cot_error inner;
    if (!system_library)
        return no_gpu(error, system_reason);
    if (is_software(system_library))
        return no_gpu(error, "libcuda.so.1 is the software device");
    return start(system_library, driver, &inner) ? no_gpu(error, inner.message) : COT_OK;
}

static cot_status open_soft(const char *softgpu, cuda_driver *driver, cot_error *error)
{
    void *library = open_software(softgpu);
    if (library)
        return start(library, driver, error);
    const char *reason = dlerror();
    return cot_fail(
        error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0,
        "backend cuda: the software device cannot be loaded: %s; softgpu=FILE or COTANGENT_SOFTGPU names it",
        reason ? reason : "it is not there");
}

cot_status cot_cuda_driver_open(const char *device, const char *softgpu, cuda_driver *driver, cot_error *error)
{
    pthread_once(&system_once, find_system_library);
    if (device && !strcmp(device, "soft"))
        return open_soft(softgpu, driver, error);
    if (device)
        return open_real(driver, error);
    return open_real(driver, NULL) ? open_soft(softgpu, driver, error) : COT_OK;
}
