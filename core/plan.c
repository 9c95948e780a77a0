/* The life of a plan: select, can_implement, workspace_size, sku, precision_guarantee, run. */
#include "builtin.h"
#include "internal.h"

#include <stdlib.h>

static cot_sku blank_sku(const cot_backend *backend, const cot_desc *desc)
{
    const cot_op_info *op = cot_op_get(desc->op);
    cot_element wide = desc->element == COT_F64 ? COT_F64 : COT_F32;
    return (cot_sku){
        .category = op->family,
        .op = desc->op,
        .element = desc->element,
        .backend = backend->api->name,
        .device = "",
        .guarantee = { .math = wide, .accumulator = wide, .order = COT_ORDER_ANOTHER, .ulp_bound = -1 },
    };
}

/* What the plan is for is the descriptor's to say, whatever a backend has written there. */
static void claim_sku(cot_plan *plan)
{
    cot_sku own = blank_sku(plan->backend, &plan->desc);
    plan->sku.category = own.category;
    plan->sku.op = own.op;
    plan->sku.element = own.element;
    plan->sku.backend = plan->sku.backend ? plan->sku.backend : own.backend;
    plan->sku.device = plan->sku.device ? plan->sku.device : own.device;
}

static cot_status check_preference(const cot_plan *plan, const cot_preference *wanted, cot_error *error)
{
    const char *name = plan->sku.backend;
    const char *op = cot_op_get(plan->desc.op)->name;
    if (wanted->max_workspace_bytes && plan->workspace > wanted->max_workspace_bytes)
        return cot_fail(error, COT_UNSUPPORTED, COT_PREFERENCE, (int64_t)plan->workspace,
                        (int64_t)wanted->max_workspace_bytes,
                        "backend %s needs %zu bytes of workspace for %s, and the preference allows %zu", name,
                        plan->workspace, op, wanted->max_workspace_bytes);
    if (wanted->need_deterministic && !plan->sku.guarantee.deterministic)
        return cot_fail(error, COT_UNSUPPORTED, COT_PREFERENCE, 1, 0, "backend %s is not deterministic for %s", name,
                        op);
    if (wanted->need_bit_identical && !plan->sku.guarantee.bit_identical)
        return cot_fail(error, COT_UNSUPPORTED, COT_PREFERENCE, 1, 0,
                        "backend %s does not promise the spec's bits for %s", name, op);
    return COT_OK;
}

static cot_status check_desc(const cot_backend *backend, const cot_desc *given, cot_desc *desc, cot_error *error)
{
    if (backend->api->validate) {
        cot_status status = backend->api->validate(backend->self, given, NULL, error);
        return status ? status : cot_take_desc(given, desc, error);
    }
    cot_status status = cot_take_desc(given, desc, error);
    return status ? status : cot_check_desc(desc, error);
}

static cot_status fill_plan(cot_plan *plan, const cot_desc *given, const cot_preference *preference, cot_error *error)
{
    const cot_backend_api *api = plan->backend->api;
    void *self = plan->backend->self;
    cot_preference wanted = { 0 };
    cot_status status = check_desc(plan->backend, given, &plan->desc, error);
    if (!status && preference)
        status = cot_take_preference(preference, &wanted, error);
    if (status)
        return status;
    plan->sku = blank_sku(plan->backend, &plan->desc);
    status = api->capabilities(self, &plan->desc, &plan->sku, error);
    if (status)
        return status;
    claim_sku(plan);
    plan->workspace = api->workspace_size ? api->workspace_size(self, &plan->desc) : 0;
    return check_preference(plan, &wanted, error);
}

cot_status cot_select(cot_backend *backend, const cot_desc *desc, const cot_preference *preference, cot_plan **out,
                      cot_error *error)
{
    if (!backend || !out)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 1, 0, "%s is NULL", backend ? "plan" : "backend");
    *out = NULL;
    cot_good(error);
    cot_plan plan = { .backend = backend };
    cot_status status = fill_plan(&plan, desc, preference, error);
    if (status)
        return status;
    *out = malloc(sizeof plan);
    if (!*out)
        return cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, (int64_t)sizeof plan, 0, "out of memory");
    **out = plan;
    return COT_OK;
}

void cot_plan_free(cot_plan *plan) { free(plan); }

/* Leaves in `args` what the caller's struct holds, whatever its version. */
static cot_status check_call(const cot_plan *plan, const cot_args *given, cot_args *args, cot_error *error)
{
    if (!plan)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 1, 0, "plan is NULL");
    cot_good(error);
    const cot_backend *backend = plan->backend;
    cot_status status = cot_take_args(given, args, error);
    if (status)
        return status;
    status = backend->api->validate ? backend->api->validate(backend->self, &plan->desc, args, error)
                                    : cot_check_args(&plan->desc, args, error);
    return status || backend->api->validate ? status : cot_check_layouts(&plan->sku, args, error);
}

cot_status cot_can_implement(const cot_plan *plan, const cot_args *given, cot_error *error)
{
    cot_args args;
    return check_call(plan, given, &args, error);
}

size_t cot_workspace_size(const cot_plan *plan) { return plan ? plan->workspace : 0; }

const cot_sku *cot_plan_sku(const cot_plan *plan) { return plan ? &plan->sku : NULL; }

const cot_guarantee *cot_precision_guarantee(const cot_plan *plan) { return plan ? &plan->sku.guarantee : NULL; }

cot_status cot_run(const cot_plan *plan, cot_stream stream, void *workspace, size_t workspace_bytes,
                   const cot_args *given, cot_error *error)
{
    cot_args args;
    cot_status status = check_call(plan, given, &args, error);
    if (status || cot_cell_count(plan->desc.rank, plan->desc.shape) == 0)
        return status;
    status = cot_check_workspace(plan, workspace, workspace_bytes, &args, error);
    if (status)
        return status;
    const cot_backend *backend = plan->backend;
    return backend->api->run(backend->self, stream, workspace, workspace_bytes, &plan->desc, &args, error);
}

cot_status cot_forward(const cot_desc *given, const cot_args *given_args, cot_error *error)
{
    cot_desc desc;
    cot_args args;
    cot_good(error);
    cot_status status = cot_take_desc(given, &desc, error);
    if (!status)
        status = cot_check_desc(&desc, error);
    if (!status)
        status = cot_take_args(given_args, &args, error);
    if (!status)
        status = cot_check_forward(&desc, &args, error);
    if (!status && cot_ref_forward(&desc, &args))
        return cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, 0, 0, "out of memory");
    return status;
}
