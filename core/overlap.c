/* Which operands may share memory, which layouts a backend takes, and what a workspace must be (clauses OVERLAP-*). */
#include "internal.h"

typedef struct range {
    uintptr_t begin, end; /* bytes */
} range;

static range bytes_of(const cot_view *view)
{
    int64_t span;
    cot_span(view, &span);
    uintptr_t begin = (uintptr_t)view->data;
    return (range){ begin, begin + (uintptr_t)span * cot_element_size(view->element) };
}

static int64_t shared_bytes(range a, range b)
{
    uintptr_t begin = a.begin > b.begin ? a.begin : b.begin;
    uintptr_t end = a.end < b.end ? a.end : b.end;
    return end > begin ? (int64_t)(end - begin) : 0;
}

/* Dimensions that are walked at all, by stride, smallest first. */
static int sort_dims(const cot_view *view, int *dims)
{
    int count = 0;
    for (int d = 0; d < view->rank; d++) {
        if (view->shape[d] < 2)
            continue;
        int i = count++;
        for (; i > 0 && view->strides[dims[i - 1]] > view->strides[d]; i--)
            dims[i] = dims[i - 1];
        dims[i] = d;
    }
    return count;
}

/* Two cells of an output must not be one element: each stride steps over all that the smaller ones reach. */
static cot_status check_self(cot_operand operand, const cot_view *view, cot_error *error)
{
    int dims[COT_MAX_RANK];
    int count = sort_dims(view, dims);
    int64_t reach = 0;
    for (int i = 0; i < count; i++) {
        int64_t stride = view->strides[dims[i]];
        if (stride <= reach)
            return cot_fail(error, COT_INVALID_PROBLEM, operand, reach + 1, stride,
                            "%s overlaps itself: stride %lld in dimension %d must be at least %lld",
                            cot_operand_name(operand), (long long)stride, dims[i], (long long)(reach + 1));
        reach += (view->shape[dims[i]] - 1) * stride;
    }
    return COT_OK;
}

/* An output may be exactly an input; it may not touch another output at all. */
static cot_status check_pair(cot_operand out, const cot_view *written, cot_operand other, const cot_view *view,
                             cot_error *error)
{
    int64_t shared = shared_bytes(bytes_of(written), bytes_of(view));
    if (!shared || (!cot_is_output(other) && written->data == view->data && cot_same_layout(written, view)))
        return COT_OK;
    return cot_fail(error, COT_INVALID_PROBLEM, out, 0, shared, "%s shares %lld bytes with %s%s", cot_operand_name(out),
                    (long long)shared, cot_operand_name(other),
                    cot_is_output(other) ? ", and both are written"
                                         : "; only the same pointer and layout may be shared");
}

cot_status cot_check_written(cot_operand out, const cot_args *args, const cot_operand *others, int count,
                             cot_error *error)
{
    const cot_view *written = cot_operand_view(args, out);
    if (cot_cell_count(written->rank, written->shape) == 0)
        return COT_OK;
    cot_status status = check_self(out, written, error);
    for (int i = 0; i < count && !status; i++)
        status = check_pair(out, written, others[i], cot_operand_view(args, others[i]), error);
    return status;
}

/* The op's inputs or outputs, in their order; returns how many. */
static int list(const cot_op_info *op, int outputs, cot_operand *found)
{
    int count = 0;
    for (int o = COT_FIRST_OPERAND; o <= COT_LAST_OPERAND; o++)
        if (cot_operand_used(op, (cot_operand)o) && cot_is_output((cot_operand)o) == outputs)
            found[count++] = (cot_operand)o;
    return count;
}

/* An output is looked at against every input, wherever that stands, and the outputs before it. */
cot_status cot_check_overlap(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    const cot_op_info *op = cot_op_get(desc->op);
    cot_operand before[COT_OPERANDS];
    int count = list(op, 0, before);
    cot_operand outputs[COT_OPERANDS];
    int written = list(op, 1, outputs);
    cot_status status = COT_OK;
    for (int i = 0; i < written && !status; i++) {
        status = cot_check_written(outputs[i], args, before, count, error);
        before[count++] = outputs[i];
    }
    return status;
}

/* ---- what a backend takes -------------------------------------------------------------------- */

static bool is_aliased(const cot_op_info *op, const cot_args *args, cot_operand out)
{
    const void *data = cot_operand_view(args, out)->data;
    for (int o = COT_FIRST_OPERAND; o <= COT_LAST_OPERAND; o++)
        if (data && !cot_is_output((cot_operand)o) && cot_operand_used(op, (cot_operand)o)
            && cot_operand_view(args, (cot_operand)o)->data == data)
            return true;
    return false;
}

static uint32_t layout_of(const cot_op_info *op, const cot_args *args, cot_operand operand)
{
    const cot_view *view = cot_operand_view(args, operand);
    uint32_t layout = cot_is_contiguous(view)  ? COT_LAYOUT_CONTIGUOUS
                      : cot_is_broadcast(view) ? COT_LAYOUT_BROADCAST
                                               : COT_LAYOUT_STRIDED;
    return cot_is_output(operand) && is_aliased(op, args, operand) ? layout | COT_LAYOUT_ALIASED : layout;
}

cot_status cot_check_layouts(const cot_sku *sku, const cot_args *args, cot_error *error)
{
    const cot_op_info *op = cot_op_get(sku->op);
    for (int o = COT_FIRST_OPERAND; o <= COT_LAST_OPERAND; o++) {
        if (!cot_operand_used(op, (cot_operand)o))
            continue;
        uint32_t missing = layout_of(op, args, (cot_operand)o) & ~sku->layouts;
        if (missing)
            return cot_fail(error, COT_UNSUPPORTED, (cot_operand)o, sku->layouts, missing | sku->layouts,
                            "backend %s does not take %s as it is laid out (%s)", sku->backend,
                            cot_operand_name((cot_operand)o),
                            missing & COT_LAYOUT_ALIASED     ? "aliased"
                            : missing & COT_LAYOUT_BROADCAST ? "broadcast"
                            : missing & COT_LAYOUT_STRIDED   ? "strided"
                                                             : "contiguous");
    }
    return COT_OK;
}

/* ---- the workspace --------------------------------------------------------------------------- */

cot_status cot_check_workspace(const cot_plan *plan, const void *workspace, size_t bytes, const cot_args *args,
                               cot_error *error)
{
    size_t needed = plan->workspace;
    if (needed == 0)
        return COT_OK;
    if (bytes < needed)
        return cot_fail(error, COT_WORKSPACE_TOO_SMALL, COT_WORKSPACE, (int64_t)needed, (int64_t)bytes,
                        "the workspace has %zu bytes, expected at least %zu (cot_workspace_size)", bytes, needed);
    if (!workspace)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_WORKSPACE, (int64_t)needed, 0,
                        "the workspace is NULL, and %zu bytes of it are needed", needed);
    size_t off = (uintptr_t)workspace % COT_WORKSPACE_ALIGNMENT;
    if (off)
        return cot_fail(error, COT_MISALIGNED, COT_WORKSPACE, COT_WORKSPACE_ALIGNMENT, (int64_t)off,
                        "the workspace lies %zu bytes past a multiple of %d", off, COT_WORKSPACE_ALIGNMENT);
    range scratch = { (uintptr_t)workspace, (uintptr_t)workspace + needed };
    const cot_op_info *op = cot_op_get(plan->desc.op);
    for (int o = COT_FIRST_OPERAND; o <= COT_LAST_OPERAND; o++) {
        if (!cot_operand_used(op, (cot_operand)o))
            continue;
        int64_t shared = shared_bytes(scratch, bytes_of(cot_operand_view(args, (cot_operand)o)));
        if (shared)
            return cot_fail(error, COT_INVALID_PROBLEM, COT_WORKSPACE, 0, shared,
                            "the workspace shares %lld bytes with %s", (long long)shared,
                            cot_operand_name((cot_operand)o));
    }
    return COT_OK;
}
