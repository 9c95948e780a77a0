/* The backend "cuda": a GPU, or the software device. */
#include "backend.h"
#include "core/builtin.h"
#include "core/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST_ARCH = 75 };

/* ---- options --------------------------------------------------------------------------------- */

typedef struct options {
    char device[64], ptx[256], index[4], softgpu[400];
} options;

static cot_status take_option(void *self, const char *option, cot_error *error)
{
    options *o = self;
    // clang-format off
    const struct { const char *name; char *to; size_t size; } known[] = {
        { "device=", o->device, sizeof o->device }, { "ptx=", o->ptx, sizeof o->ptx },
        { "index=", o->index, sizeof o->index }, { "softgpu=", o->softgpu, sizeof o->softgpu },
    };
    // clang-format on
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (strncmp(option, known[i].name, length) || strlen(option + length) >= known[i].size)
            continue;
        strcpy(known[i].to, option + length);
        return COT_OK;
    }
    return cot_fail(
        error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 0, 0,
        "backend cuda: there is no option \"%s\": device=real, device=soft, device=N, softgpu=FILE, ptx=DIRECTORY or "
        "index=64",
        option);
}

/* What was not said, the environment may say. */
static cot_status take_options(options *o, const char *given, cot_error *error)
{
    cot_status status = cot_take_options("cuda", given, take_option, o, error);
    const char *device = getenv("COTANGENT_DEVICE");
    if (!*o->device && device)
        snprintf(o->device, sizeof o->device, "%s", device);
    return status;
}

/* The number that `device` asks for; 0 for a name, -1 for neither. */
static int device_number(const char *device)
{
    char *end;
    if (!*device || !strcmp(device, "real") || !strcmp(device, "soft"))
        return 0;
    long number = strtol(device, &end, 10);
    return *end || number < 0 || number > 1023 ? -1 : (int)number;
}

/* ---- opening --------------------------------------------------------------------------------- */

static cot_status look_at_device(cuda_backend *b, int number, cot_error *error)
{
    const cuda_driver *d = &b->driver;
    int major = 0, minor = 0;
    driver_result result = d->device_get(&b->device, number);
    if (result)
        return cot_cuda_fail(d, result, "cuDeviceGet", "", error);
    result = d->device_name(b->name, sizeof b->name, b->device);
    if (result)
        return cot_cuda_fail(d, result, "cuDeviceGetName", "", error);
    result = d->device_attribute(&major, ATTRIBUTE_MAJOR, b->device);
    if (!result)
        result = d->device_attribute(&minor, ATTRIBUTE_MINOR, b->device);
    if (!result)
        result = d->device_attribute(&b->processors, ATTRIBUTE_PROCESSORS, b->device);
    if (result)
        return cot_cuda_fail(d, result, "cuDeviceGetAttribute", "", error);
    b->arch = 10 * major + minor;
    if (b->arch < OLDEST_ARCH)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, OLDEST_ARCH, b->arch,
                        "backend cuda: %s is sm_%d, the kernels need sm_%d", b->name, b->arch, OLDEST_ARCH);
    return COT_OK;
}

static cot_status open_device(cuda_backend *b, const options *o, cot_error *error)
{
    int number = device_number(o->device);
    if (number < 0)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 0, 0,
                        "backend cuda: there is no device \"%s\": real, soft or a number", o->device);
    cot_status status = cot_cuda_driver_open(*o->device ? o->device : NULL, o->softgpu, &b->driver, error);
    if (!status && number >= b->driver.devices)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, b->driver.devices - 1, number,
                        "backend cuda: there is no device %d; the last is %d", number, b->driver.devices - 1);
    if (!status)
        status = look_at_device(b, number, error);
    if (status)
        return status;
    driver_result result = b->driver.context_retain(&b->context, b->device);
    return result ? cot_cuda_fail(&b->driver, result, "cuDevicePrimaryCtxRetain", "", error) : COT_OK;
}

static cot_status open_cuda(const char *given, void **self, cot_error *error)
{
    options o = { "", "", "", "" };
    cot_status status = take_options(&o, given, error);
    if (status)
        return status;
    cuda_backend *b = calloc(1, sizeof *b);
    if (!b)
        return cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, (int64_t)sizeof *b, 0, "out of memory");
    strcpy(b->directory, o.ptx);
    b->wide = !strcmp(o.index, "64");
    status = open_device(b, &o, error);
    if (status) {
        free(b);
        return status;
    }
    pthread_mutex_init(&b->lock, NULL);
    *self = b;
    return COT_OK;
}

static void close_cuda(void *self)
{
    cuda_backend *b = self;
    void *popped;
    bool current = !b->driver.context_push(b->context);
    cot_cuda_unload(b);
    if (current)
        b->driver.context_pop(&popped);
    b->driver.context_release(b->device);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

/* ---- what it does ---------------------------------------------------------------------------- */

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    const cuda_backend *b = self;
    const cot_op_info *op = cot_op_get(desc->op);
    if (!cot_cuda_strategies(op, &desc->policies)->module)
        return cot_fail(error, COT_UNSUPPORTED, COT_DESC, 0, desc->op,
                        "backend cuda has no kernel for %s under these policies", op->name);
    sku->layouts = COT_LAYOUT_ALL;
    sku->arch = (uint32_t)b->arch;
    sku->device = b->name;
    sku->software = b->driver.software;
    sku->guarantee.order = op->order;
    sku->guarantee.ulp_bound = cot_rounding_bound(desc);
    sku->guarantee.deterministic = sku->guarantee.bit_stable = sku->guarantee.bit_identical = 1;
    return COT_OK;
}

static void describe(void *self, cot_backend_info *info)
{
    const cuda_backend *b = self;
    info->device = b->name;
    info->arch = (uint32_t)b->arch;
    info->software = b->driver.software;
}

/* Which strategy it will be depends on layouts, which come later: enough for any. */
static size_t workspace_size(void *self, const cot_desc *desc)
{
    (void)self;
    size_t most = 0;
    for (const cuda_strategy *s = cot_cuda_strategies(cot_op_get(desc->op), &desc->policies); s->module; s++) {
        size_t bytes = s->workspace ? s->workspace(desc) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)bytes;
    return cot_cuda_run(self, stream, workspace, desc, args, error);
}

/* ---- memory and time ------------------------------------------------------------------------- */

/* What a call does with the context current; `call` names the driver's function. */
static cot_status finish(cuda_backend *b, driver_result result, const char *call, const char *after, cot_error *error)
{
    void *popped;
    driver_result pop = b->driver.context_pop(&popped);
    if (result)
        return cot_cuda_fail(&b->driver, result, call, after, error);
    return pop ? cot_cuda_fail(&b->driver, pop, "cuCtxPopCurrent", after, error) : COT_OK;
}

static cot_status enter(cuda_backend *b, cot_error *error)
{
    driver_result result = b->driver.context_push(b->context);
    return result ? cot_cuda_fail(&b->driver, result, "cuCtxPushCurrent", "", error) : COT_OK;
}

static cot_status synchronize(void *self, cot_stream stream, cot_error *error)
{
    cuda_backend *b = self;
    cot_status status = enter(b, error);
    return status ? status
                  : finish(b, b->driver.stream_synchronize(stream), "cuStreamSynchronize",
                           "; what ran before it may not have finished", error);
}

static cot_status allocate(void *self, size_t bytes, void **memory, cot_error *error)
{
    cuda_backend *b = self;
    uint64_t address = 0;
    *memory = NULL;
    cot_status status = enter(b, error);
    if (!status)
        status = finish(b, b->driver.memory_alloc(&address, bytes ? bytes : 1), "cuMemAlloc", "", error);
    if (!status)
        *memory = (void *)(uintptr_t)address;
    else if (address)
        b->driver.memory_free(address);
    return status;
}

static void release(void *self, void *memory)
{
    cuda_backend *b = self;
    if (memory && !enter(b, NULL))
        finish(b, b->driver.memory_free((uintptr_t)memory), "cuMemFree", "", NULL);
}

static cot_status copy_in(void *self, void *to, const void *from_host, size_t bytes, cot_error *error)
{
    cuda_backend *b = self;
    if (!bytes)
        return COT_OK;
    cot_status status = enter(b, error);
    return status ? status : finish(b, b->driver.copy_in((uintptr_t)to, from_host, bytes), "cuMemcpyHtoD", "", error);
}

static cot_status copy_out(void *self, void *to_host, const void *from, size_t bytes, cot_error *error)
{
    cuda_backend *b = self;
    if (!bytes)
        return COT_OK;
    cot_status status = enter(b, error);
    return status ? status : finish(b, b->driver.copy_out(to_host, (uintptr_t)from, bytes), "cuMemcpyDtoH", "", error);
}

const cot_backend_api *cot_backend_cuda(void)
{
    static const cot_backend_api api = {
        .abi = COT_BACKEND_ABI,
        .size = sizeof api,
        .name = "cuda",
        .open = open_cuda,
        .close = close_cuda,
        .capabilities = capabilities,
        .workspace_size = workspace_size,
        .run = run,
        .synchronize = synchronize,
        .alloc = allocate,
        .free = release,
        .copy_in = copy_in,
        .copy_out = copy_out,
        .describe = describe,
    };
    return &api;
}
