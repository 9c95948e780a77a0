/* A plug-in that returns garbage for mul in f32 and sends a verdict of its own, a good one, to every socket that it can
 * find: those who judge it must neither hand it theirs nor believe what comes. */
#include "worker.h"

#include <string.h>
#include <sys/socket.h>

enum { FIRST = 3, LAST = 64 }; /* descriptors that a careless parent leaves open */

static void forge(int64_t cells)
{
    answer good;
    memset(&good, 0, sizeof good);
    good.v.cells = good.v.bit_cells = cells;
    good.v.statuses = 1;
    good.v.reached = LEVEL_X;
    for (int fd = FIRST; fd < LAST; fd++)
        (void)!send(fd, &good, sizeof good, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)error;
    if (desc->op != COT_MUL || desc->element != COT_F32)
        return COT_UNSUPPORTED;
    sku->layouts = COT_LAYOUT_CONTIGUOUS;
    return COT_OK;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)self, (void)stream, (void)workspace, (void)bytes, (void)desc, (void)error;
    memset(args->da->data, 0x42, (size_t)args->da->length * sizeof(float));
    memset(args->db->data, 0x42, (size_t)args->db->length * sizeof(float));
    forge(2 * args->da->length);
    return COT_OK;
}

static const cot_backend_api api = {
    .abi = COT_BACKEND_ABI, .size = sizeof api, .name = "forger", .capabilities = capabilities, .run = run
};

COT_API const cot_backend_api *cot_backend_entry(void);
const cot_backend_api *cot_backend_entry(void) { return &api; }
