#include "execute.h"

#include <string.h>

/* The operands again, where the backend can reach them. */
typedef struct copies {
    cot_backend *backend;
    cot_view view[OPERANDS];
    void *workspace;
} copies;

static size_t bytes_of(const cot_view *view)
{
    return (size_t)view->length * cot_element_size(view->element);
}

static cot_status allocate(cot_backend *backend, size_t bytes, void **memory, cot_error *error)
{
    return cot_alloc(backend, bytes ? bytes : 1, memory, error); /* drivers differ on an allocation of nothing */
}

static cot_status copy_operand(copies *c, const cot_view *host, cot_operand operand, cot_error *error)
{
    cot_view *view = &c->view[operand];
    *view = *host;
    view->data = NULL;
    cot_status status = allocate(c->backend, bytes_of(host), &view->data, error);
    if (!status && !is_output(operand))
        status = cot_copy_in(c->backend, view->data, host->data, bytes_of(host), error);
    return status;
}

static cot_status copy_operands(copies *c, const cot_op_info *op, const cot_view host[OPERANDS], cot_error *error)
{
    cot_status status = COT_OK;
    for (int o = COT_DY; o < OPERANDS && !status; o++)
        if (operand_used(op, (cot_operand)o))
            status = copy_operand(c, &host[o], (cot_operand)o, error);
    return status;
}

static cot_status run_plan(copies *c, const cot_plan *plan, cot_error *error)
{
    cot_args args;
    size_t workspace = cot_workspace_size(plan);
    point_args(&args, c->view);
    cot_status status = workspace ? allocate(c->backend, workspace, &c->workspace, error) : COT_OK;
    if (!status)
        status = cot_run(plan, NULL, c->workspace, workspace, &args, error);
    return status ? status : cot_synchronize(c->backend, NULL, error);
}

static cot_status copy_results(copies *c, const cot_view host[OPERANDS], cot_error *error)
{
    cot_status status = COT_OK;
    for (int o = COT_DX; o < OPERANDS && !status; o++)
        if (c->view[o].rank)
            status = cot_copy_out(c->backend, host[o].data, c->view[o].data, bytes_of(&host[o]), error);
    return status;
}

static void free_copies(copies *c)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (c->view[o].data)
            cot_free(c->backend, c->view[o].data);
    if (c->workspace)
        cot_free(c->backend, c->workspace);
}

cot_status execute(cot_backend *backend, const cot_desc *desc, const cot_view host[OPERANDS], cot_error *error)
{
    copies c = { .backend = backend };
    cot_plan *plan;
    cot_status status = cot_select(backend, desc, NULL, &plan, error);
    if (status)
        return status;
    status = copy_operands(&c, cot_op_get(desc->op), host, error);
    if (!status)
        status = run_plan(&c, plan, error);
    if (!status)
        status = copy_results(&c, host, error);
    free_copies(&c);
    cot_plan_free(plan);
    return status;
}
