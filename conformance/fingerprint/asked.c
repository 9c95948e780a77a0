/* Asks a backend for a problem under one convention after the other. */
#include "asked.h"

#include <string.h>

static cot_status ask(cot_backend *backend, const cot_desc *desc, cot_error *error)
{
    cot_plan *plan = NULL;
    cot_status status = cot_select(backend, desc, NULL, &plan, error);
    cot_plan_free(plan);
    return status;
}

cot_status asked_under(cot_backend *backend, cot_desc *desc, cot_error *error)
{
    cot_convention_policies(COT_CONVENTION_SPEC, &desc->policies);
    cot_status status = ask(backend, desc, error);
    cot_error first = *error;
    for (int c = COT_CONVENTION_TORCH; c <= COT_CONVENTION_JAX && status == COT_UNSUPPORTED; c++) {
        cot_error other;
        cot_convention_policies((cot_convention)c, &desc->policies);
        status = ask(backend, desc, &other);
        if (status && !strcmp(error->message, first.message))
            *error = other;
    }
    if (status)
        cot_convention_policies(COT_CONVENTION_SPEC, &desc->policies);
    return status;
}

cot_convention asked_convention(const cot_desc *desc)
{
    int c = COT_CONVENTION_SPEC;
    cot_policies theirs = { 0 };
    while (c < COT_CONVENTION_JAX && !cot_uses_spec_policies(desc->op, &desc->policies)
           && memcmp(&desc->policies, &theirs, sizeof theirs) != 0)
        cot_convention_policies((cot_convention)++c, &theirs);
    return (cot_convention)c;
}
