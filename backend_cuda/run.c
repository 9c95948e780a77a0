/* Choosing a strategy and launching its kernels. */
#include "backend.h"

#include <stdio.h>

const cuda_strategy *cot_cuda_strategies(const cot_op_info *op, const void *policies)
{
    bool binary = op->family == COT_BINARY || op->family == COT_BINARY_PARAM;
    if (!cot_uses_spec_policies(op->op, policies))
        return binary ? cot_cuda_policy_binary : cot_cuda_policy;
    if (binary)
        return cot_cuda_elementwise;
    return op->kind == COT_KIND_NONE ? cot_cuda_reduce : op->kind == COT_KIND_FOLD ? cot_cuda_fold : cot_cuda_scan;
}

static const cuda_strategy *choose(const cuda_problem *p)
{
    const cuda_strategy *s = cot_cuda_strategies(p->op, p->launch.policies);
    while (s[1].module && !s->applies(p))
        s++;
    return s;
}

static driver_result launch_phase(cuda_backend *b, void *stream, const cuda_problem *p, const char *module,
                                  const cuda_phase *phase, const char **call)
{
    char kernel[96];
    void *function;
    cuda_launch k = p->launch;
    cuda_grid grid = phase->shape(p, &k);
    snprintf(kernel, sizeof kernel, "%s_%s_%s", p->op->name, cot_element_name(p->element), phase->suffix);
    driver_result result = cot_cuda_function(b, module, p->element, kernel, &function, call);
    if (result)
        return result;
    void *parameters[] = { &k };
    *call = "cuLaunchKernel";
    return b->driver.launch(function, grid.blocks, 1, 1, grid.threads, 1, 1, 0, stream, parameters, NULL);
}

static cot_status launch_all(cuda_backend *b, void *stream, const cuda_problem *p, cot_error *error)
{
    const cuda_strategy *s = choose(p);
    for (int i = 0; i < CUDA_PHASES && s->phases[i].suffix; i++) {
        const char *call;
        driver_result result = launch_phase(b, stream, p, s->module, &s->phases[i], &call);
        if (result)
            return cot_cuda_fail(&b->driver, result, call,
                                 i ? "; the outputs may be written in part" : "; the outputs are untouched", error);
    }
    return COT_OK;
}

cot_status cot_cuda_run(cuda_backend *b, void *stream, void *workspace, const cot_desc *desc, const cot_args *args,
                        cot_error *error)
{
    cuda_problem p;
    cot_cuda_arrange(&p, desc, args);
    p.launch.workspace = workspace;
    p.wide |= b->wide;
    p.processors = (uint32_t)b->processors;
    driver_result result = b->driver.context_push(b->context);
    if (result)
        return cot_cuda_fail(&b->driver, result, "cuCtxPushCurrent", "; the outputs are untouched", error);
    cot_status status = launch_all(b, stream, &p, error);
    void *popped;
    result = b->driver.context_pop(&popped);
    if (result && !status)
        return cot_cuda_fail(&b->driver, result, "cuCtxPopCurrent", "; the outputs are being written", error);
    return status;
}
