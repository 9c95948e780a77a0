/* Somebody's own PTX on the page's device: one kernel, arrays in and out, every checker on. */
#include "gpu.h"
#include "backend_cuda/driver.h"
#include "softgpu/softgpu.h"

#include <stdlib.h>

#define DRIVER(name, symbol, parameters) driver_result symbol parameters;
#include "backend_cuda/driver.def"
#undef DRIVER
driver_result cuCtxCreate_v2(void **context, unsigned flags, int device);
driver_result cuCtxDestroy_v2(void *context);

/* ---- parameters ------------------------------------------------------------------------------ */

enum { MOST_PARAMETERS = 32 };

typedef struct parameter {
    size_t bytes; /* of an array; 0: a number */
    void *host;
    uint64_t number, device;
} parameter;

static parameter parameters[MOST_PARAMETERS];
static int given;

EXPORT void web_ptx_clear(void)
{
    while (given)
        free(parameters[--given].host);
}

/* The next parameter is an array: where its bytes go, and come back. NULL: too many, or no memory. */
EXPORT void *web_ptx_array(int bytes)
{
    if (given == MOST_PARAMETERS || bytes < 0)
        return NULL;
    parameter *p = &parameters[given];
    *p = (parameter){ .bytes = (size_t)bytes + 1, .host = calloc(1, (size_t)bytes + 1) };
    given += p->host != NULL;
    return p->host;
}

/* The next parameter is a number: where its bytes go. */
EXPORT void *web_ptx_number(void)
{
    if (given == MOST_PARAMETERS)
        return NULL;
    parameters[given] = (parameter){ .bytes = 0 };
    return &parameters[given++].number;
}

/* ---- running --------------------------------------------------------------------------------- */

static driver_result upload(void **values)
{
    driver_result result = 0;
    for (int i = 0; i < given && !result; i++) {
        parameter *p = &parameters[i];
        values[i] = p->bytes ? &p->device : &p->number;
        p->device = 0;
        if (p->bytes)
            result = cuMemAlloc_v2(&p->device, p->bytes > 1 ? p->bytes - 1 : 1);
        if (p->bytes > 1 && !result)
            result = cuMemcpyHtoD_v2(p->device, p->host, p->bytes - 1);
    }
    return result;
}

static driver_result download(void)
{
    driver_result result = 0;
    for (int i = 0; i < given && !result; i++)
        if (parameters[i].bytes > 1)
            result = cuMemcpyDtoH_v2(parameters[i].host, parameters[i].device, parameters[i].bytes - 1);
    return result;
}

static void release(void)
{
    for (int i = 0; i < given; i++)
        if (parameters[i].device)
            cuMemFree_v2(parameters[i].device);
}

static driver_result launch(const char *text, const char *entry, const int *extent)
{
    void *module, *function, *values[MOST_PARAMETERS];
    const unsigned *e = (const unsigned *)extent;
    driver_result result = cuModuleLoadData(&module, text);
    if (!result)
        result = cuModuleGetFunction(&function, module, entry);
    if (!result)
        result = upload(values);
    if (!result)
        result = cuLaunchKernel(function, e[0], e[1], e[2], e[3], e[4], e[5], 0, NULL, values, NULL);
    if (!result)
        result = cuStreamSynchronize(NULL);
    return result ? result : download();
}

/* A context of its own: a fault spoils no other. */
static driver_result run(const char *text, const char *entry, const int *extent)
{
    void *context = NULL;
    driver_result result = cuInit(0);
    if (!result)
        result = cuCtxCreate_v2(&context, 0, 0);
    if (!result)
        result = launch(text, entry, extent);
    if (context) {
        softgpuSetChecks(0); /* what a fault leaves behind is not the kernel's leak */
        release();
        cuCtxDestroy_v2(context);
    }
    return result;
}

/* Runs a kernel of the text. "refused" says why it did not come to its end. */
EXPORT const char *web_ptx_run(const char *text_of_module, const char *entry, int gx, int gy, int bx, int by)
{
    text *t = web_answer();
    const int extent[] = { gx, gy, 1, bx, by, 1 };
    const char *name = "?";
    softgpuSetChecks((SOFTGPU_ALL_CHECKS & ~(uint32_t)SOFTGPU_LEAKCHECK) | SOFTGPU_COUNTERS);
    softgpuClearReports();
    softgpuResetCounters();
    driver_result result = run(text_of_module, entry, extent);
    json_open(t, NULL, '{');
    if (result) {
        cuGetErrorName(result, &name);
        json_string(t, "refused", name);
        json_string(t, "why", softgpuLastMessage());
    }
    gpu_add_launches(t);
    gpu_add_reports(t);
    json_close(t, '}');
    return t->data;
}
