/* Running a problem on a backend, step by step and at once. */
#include "device_run.h"

#include <stdio.h>

/* ---- steps ----------------------------------------------------------------------------------- */

static cot_status allocate(const device_run *r, size_t bytes, void **memory, cot_error *error)
{
    if (!r->alloc)
        return cot_alloc(r->backend, bytes ? bytes : 1, memory, error); /* drivers differ on an allocation of nothing */
    *memory = r->alloc(bytes);
    if (*memory)
        return COT_OK;
    if (error) {
        *error = (cot_error){ .code = COT_INTERNAL };
        snprintf(error->message, sizeof error->message, "out of memory");
    }
    return COT_INTERNAL;
}

cot_status device_place(device_run *r, int block, device_block what, cot_error *error)
{
    device_block *b = &r->block[block];
    *b = what;
    b->memory = NULL;
    cot_status status = allocate(r, b->bytes, &b->memory, error);
    if (!status && b->copied & DEVICE_IN)
        status = cot_copy_in(r->backend, b->memory, b->host, b->bytes, error);
    return status;
}

void *device_address(const device_run *r, int block, const void *host)
{
    const device_block *b = &r->block[block];
    return (char *)b->memory + ((const char *)host - (const char *)b->host);
}

cot_status device_call(const device_run *r, const cot_plan *plan, cot_stream stream, void *workspace, size_t bytes,
                       const cot_args *args, cot_error *error)
{
    cot_status status = cot_run(plan, stream, workspace, bytes, args, error);
    return status ? status : cot_synchronize(r->backend, stream, error);
}

cot_status device_fetch(const device_run *r, cot_error *error)
{
    cot_status status = COT_OK;
    for (const device_block *b = r->block; b < r->block + DEVICE_BLOCKS && !status; b++)
        if (b->memory && b->copied & DEVICE_OUT)
            status = cot_copy_out(r->backend, b->host, b->memory, b->bytes, error);
    return status;
}

void device_free(device_run *r)
{
    for (device_block *b = r->block; b < r->block + DEVICE_BLOCKS; b++) {
        if (b->memory && r->release)
            r->release(b->memory, b->bytes);
        else if (b->memory)
            cot_free(r->backend, b->memory);
        b->memory = NULL;
    }
}

/* ---- at once --------------------------------------------------------------------------------- */

static cot_status place_operands(device_run *r, const cot_op_info *op, const cot_view host[OPERANDS],
                                 cot_view view[OPERANDS], cot_error *error)
{
    cot_status status = COT_OK;
    for (int o = COT_DY; o < OPERANDS && !status; o++) {
        if (!cot_operand_used(op, (cot_operand)o))
            continue;
        size_t bytes = (size_t)host[o].length * cot_element_size(host[o].element);
        unsigned copied = cot_is_output((cot_operand)o) ? DEVICE_OUT : DEVICE_IN;
        status = device_place(r, o, (device_block){ host[o].data, bytes, copied, NULL }, error);
        view[o] = host[o];
        view[o].data = r->block[o].memory;
    }
    return status;
}

static cot_status run_plan(device_run *r, const cot_plan *plan, const cot_args *args, cot_error *error)
{
    size_t bytes = cot_workspace_size(plan);
    cot_status status = bytes ? device_place(r, COT_WORKSPACE, (device_block){ .bytes = bytes }, error) : COT_OK;
    return status ? status : device_call(r, plan, NULL, r->block[COT_WORKSPACE].memory, bytes, args, error);
}

cot_status device_execute(cot_backend *backend, const cot_desc *desc, const cot_view host[OPERANDS], cot_error *error)
{
    device_run r = { .backend = backend };
    cot_view view[OPERANDS] = { 0 };
    cot_args args;
    cot_plan *plan = NULL;
    cot_status status = cot_select(backend, desc, NULL, &plan, error);
    if (!status)
        status = place_operands(&r, cot_op_get(desc->op), host, view, error);
    point_args(&args, view);
    if (!status)
        status = run_plan(&r, plan, &args, error);
    if (!status)
        status = device_fetch(&r, error);
    device_free(&r);
    cot_plan_free(plan);
    return status;
}

cot_status device_execute_args(cot_backend *backend, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    device_run r = { .backend = backend };
    cot_plan *plan = NULL;
    cot_status status = cot_select(backend, desc, NULL, &plan, error);
    if (!status)
        status = run_plan(&r, plan, args, error);
    device_free(&r);
    cot_plan_free(plan);
    return status;
}

_Static_assert((int)COT_WORKSPACE < (int)DEVICE_BLOCKS, "operands and the workspace have a block each");
