/* A backend for conformance/test_run.sh whose memory the host cannot reach. It does four ops on contiguous f64: mul is right, add
 * is wrong by 1e-9, sub forgets to write, and div fails after its launch. */
#include "cotangent.h"

#include <stdlib.h>
#include <string.h>

#define FAR ((uintptr_t)1 << 56) /* no address of the host's own */

static int faulted;

static double *reach(const void *device)
{
    return (double *)((uintptr_t)device - FAR);
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self;
    sku->layouts = COT_LAYOUT_CONTIGUOUS;
    if (desc->element == COT_F64 && desc->op >= COT_ADD && desc->op <= COT_DIV)
        return COT_OK;
    *error = (cot_error){ .code = COT_UNSUPPORTED, .message = "the test's device does add, sub, mul and div in f64" };
    return COT_UNSUPPORTED;
}

static size_t workspace_size(void *self, const cot_desc *desc)
{
    (void)self, (void)desc;
    return sizeof(double);
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)self, (void)stream, (void)bytes, (void)error;
    *reach(workspace) = 1;
    faulted = desc->op == COT_DIV;
    for (int64_t i = 0; i < args->dy->length && desc->op != COT_SUB; i++) {
        double g = reach(args->dy->data)[i];
        reach(args->da->data)[i] = desc->op == COT_MUL ? g * reach(args->b->data)[i] : g;
        reach(args->db->data)[i] = desc->op == COT_MUL ? g * reach(args->a->data)[i] : g * (1 + 1e-9);
    }
    return COT_OK;
}

static cot_status synchronize(void *self, cot_stream stream, cot_error *error)
{
    (void)self, (void)stream;
    if (faulted)
        *error = (cot_error){ .code = COT_INTERNAL, .native = 719, .message = "the device reports a fault" };
    return faulted ? COT_INTERNAL : COT_OK;
}

static cot_status alloc(void *self, size_t bytes, void **memory, cot_error *error)
{
    (void)self, (void)error;
    void *host = malloc(bytes);
    if (!host)
        return COT_INTERNAL;
    memset(host, 0xFF, bytes); /* NaN */
    *memory = (void *)((uintptr_t)host + FAR);
    return COT_OK;
}

static void release(void *self, void *memory)
{
    (void)self;
    free(reach(memory));
}

static cot_status copy_in(void *self, void *to, const void *from_host, size_t bytes, cot_error *error)
{
    (void)self, (void)error;
    memcpy(reach(to), from_host, bytes);
    return COT_OK;
}

static cot_status copy_out(void *self, void *to_host, const void *from, size_t bytes, cot_error *error)
{
    (void)self, (void)error;
    memcpy(to_host, reach(from), bytes);
    return COT_OK;
}

static const cot_backend_api api = { .abi = COT_BACKEND_ABI,
                                     .size = sizeof api,
                                     .name = "far",
                                     .capabilities = capabilities,
                                     .workspace_size = workspace_size,
                                     .run = run,
                                     .synchronize = synchronize,
                                     .alloc = alloc,
                                     .free = release,
                                     .copy_in = copy_in,
                                     .copy_out = copy_out };

COT_API const cot_backend_api *cot_backend_entry(void);
const cot_backend_api *cot_backend_entry(void)
{
    return &api;
}
