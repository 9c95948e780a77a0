/* The reference backend: the spec's formulas and orders in plain C, a line along the axis at a time. */
#include "builtin.h"
#include "half.h"
#include "internal.h"

#include <stdlib.h>

/* Where a line lies in each operand. An operand that the op does not use has no view. */
typedef struct walk {
    int axis;
    const cot_view *views[COT_DB + 1];
    int64_t offsets[COT_DB + 1];
} walk;

static int64_t count_cells(const cot_desc *desc)
{
    int64_t count = 1;
    for (int d = 0; d < desc->rank; d++)
        count *= desc->shape[d];
    return count;
}

/* Puts the offsets at the start of line `number`, counting over all dimensions but the axis. */
static void walk_to(walk *w, const cot_desc *desc, int64_t number)
{
    for (int d = desc->rank - 1; d >= 0; d--) {
        if (d == w->axis)
            continue;
        int64_t index = number % desc->shape[d];
        number /= desc->shape[d];
        for (int o = COT_DY; o <= COT_DB; o++)
            w->offsets[o] += w->views[o] ? index * w->views[o]->strides[d] : 0;
    }
}

#define REAL float
#define X(name) name##_f
#include "formula.inc"
#include "order.inc"
#include "line.inc"
#include "run.inc"
#undef REAL
#undef X

#define REAL double
#define X(name) name##_d
#include "formula.inc"
#include "order.inc"
#include "line.inc"
#include "run.inc"
#undef REAL
#undef X

static int is_implemented(cot_op op)
{
    return (size_t)op < sizeof lines_f / sizeof *lines_f && lines_f[op];
}

static int uses_spec_policies(const cot_desc *desc)
{
    const uint8_t *values = (const uint8_t *)&desc->policies;
    const cot_op_info *op = cot_op_get(desc->op);
    const cot_policy_info *policy;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (op->policies >> i & 1 && values[policy->offset])
            return 0;
    return 1;
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self;
    const cot_op_info *op = cot_op_get(desc->op);
    if (!is_implemented(desc->op))
        return cot_fail(error, COT_UNSUPPORTED, COT_DESC, 0, desc->op, "backend ref does not do %s yet", op->name);
    if (!uses_spec_policies(desc))
        return cot_fail(error, COT_UNSUPPORTED, COT_DESC, 0, desc->op,
                        "backend ref does %s under the spec's own policies only", op->name);
    sku->layouts = COT_LAYOUT_ALL;
    sku->device = "cpu";
    sku->guarantee.order = op->order;
    sku->guarantee.ulp_bound = cot_rounding_bound(desc);
    sku->guarantee.deterministic = sku->guarantee.bit_stable = sku->guarantee.bit_identical = 1;
    return COT_OK;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)self, (void)stream, (void)workspace, (void)workspace_bytes;
    const cot_op_info *op = cot_op_get(desc->op);
    walk w = { .axis = cot_elementwise(op->family) ? desc->rank - 1 : desc->axis };
    for (int o = COT_DY; o <= COT_DB; o++)
        if (cot_operand_used(op, (cot_operand)o))
            w.views[o] = cot_operand_view(args, (cot_operand)o);
    cot_status status = desc->element == COT_F64 ? run_all_d(&w, desc) : run_all_f(&w, desc);
    return status ? cot_fail(error, status, COT_NO_OPERAND, 0, 0, "out of memory") : COT_OK;
}

const cot_backend_api *cot_backend_ref(void)
{
    static const cot_backend_api api = {
        .abi = COT_BACKEND_ABI,
        .size = sizeof api,
        .name = "ref",
        .capabilities = capabilities,
        .run = run,
    };
    return &api;
}
