/* A backend in a shared library, as a vendor would write one; flags make it wrong in one way each. It fills the first
 * cell of dx with the number in its options. */
#include "cotangent.h"

#include <stdlib.h>
#include <string.h>

#ifndef PLUGIN_ABI
#define PLUGIN_ABI COT_BACKEND_ABI
#endif
#ifndef PLUGIN_SIZE
#define PLUGIN_SIZE sizeof(cot_backend_api)
#endif
#ifndef PLUGIN_FREE
#define PLUGIN_FREE NULL
#else
static void give_back(void *self, void *memory) { (void)self, (void)memory; }
#endif

static cot_status open_plugin(const char *options, void **self, cot_error *error)
{
    (void)error;
    float *answer = malloc(sizeof *answer);
    if (!answer)
        return COT_INTERNAL;
    *answer = options ? strtof(strchr(options, '=') + 1, NULL) : 0;
    *self = answer;
    return COT_OK;
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)desc, (void)error;
    sku->layouts = COT_LAYOUT_CONTIGUOUS;
    return COT_OK;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)stream, (void)workspace, (void)bytes, (void)desc, (void)error;
    memcpy(args->dx->data, self, sizeof(float));
    return COT_OK;
}

static const cot_backend_api api = { .abi = PLUGIN_ABI,
                                     .size = PLUGIN_SIZE,
                                     .name = "plugin",
                                     .open = open_plugin,
                                     .close = free,
                                     .capabilities = capabilities,
                                     .run = run,
                                     .free = PLUGIN_FREE };

COT_API const cot_backend_api *cot_backend_entry(void);
const cot_backend_api *cot_backend_entry(void) { return &api; }
