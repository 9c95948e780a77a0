/* Every rejection of the spec, in the spec's order, for every backend alike (clauses VALID-*). */
#include "internal.h"

#include <string.h>

/* ---- structs from other versions of the header ----------------------------------------------- */

/* Copies a caller's struct of `size` bytes into ours of `known` bytes. `first` is its size in the first release. */
static cot_status take(void *to, size_t known, size_t first, const void *from, cot_operand operand, cot_error *error)
{
    const char *name = cot_operand_name(operand);
    if (!from)
        return cot_fail(error, COT_INVALID_PROBLEM, operand, (int64_t)known, 0, "%s is NULL", name);
    size_t size;
    memcpy(&size, from, sizeof size);
    if (size < first)
        return cot_fail(error, COT_INVALID_PROBLEM, operand, (int64_t)first, (int64_t)size,
                        "%s.size is %zu, expected at least %zu: initialise it with COT_SIZED", name, size, first);
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i])
            return cot_fail(error, COT_UNSUPPORTED, operand, (int64_t)known, (int64_t)size,
                            "%s is from a newer header and sets a field at byte %zu that this library does not know",
                            name, i);
    memset(to, 0, known);
    memcpy(to, from, size < known ? size : known);
    memcpy(to, &known, sizeof known); /* a copy is as large as it is: a backend may hand it on */
    return COT_OK;
}

cot_status cot_take_desc(const cot_desc *from, cot_desc *to, cot_error *error)
{
    return take(to, sizeof *to, sizeof *to, from, COT_DESC, error);
}

cot_status cot_take_args(const cot_args *from, cot_args *to, cot_error *error)
{
    return take(to, sizeof *to, sizeof *to, from, COT_ARGS, error);
}

cot_status cot_take_preference(const cot_preference *from, cot_preference *to, cot_error *error)
{
    return take(to, sizeof *to, sizeof *to, from, COT_PREFERENCE, error);
}

/* ---- the descriptor -------------------------------------------------------------------------- */

static cot_status check_rank(const cot_desc *desc, cot_error *error)
{
    if (desc->rank < 1)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_DESC, 1, desc->rank, "rank is %d, expected 1 to %d", desc->rank,
                        COT_MAX_RANK);
    if (desc->rank > COT_MAX_RANK)
        return cot_fail(error, COT_UNSUPPORTED, COT_DESC, COT_MAX_RANK, desc->rank,
                        "rank is %d, at most %d is supported", desc->rank, COT_MAX_RANK);
    return COT_OK;
}

static cot_status check_element(const cot_desc *desc, cot_error *error)
{
    if (cot_element_name(desc->element))
        return COT_OK;
    return cot_fail(error, COT_UNSUPPORTED, COT_DESC, COT_F64, desc->element,
                    "element type %d is unknown, expected COT_F16, COT_BF16, COT_F32 or COT_F64", (int)desc->element);
}

/* VALID-AXIS: an op that is not known is taken to have an axis; the family that the caller names does not count. */
static bool has_axis(const cot_desc *desc)
{
    const cot_op_info *op = cot_op_get(desc->op);
    return !op || cot_has_axis(op);
}

static cot_status check_axis(const cot_desc *desc, cot_error *error)
{
    if (!has_axis(desc) || (desc->axis >= 0 && desc->axis < desc->rank))
        return COT_OK;
    return cot_fail(error, COT_INVALID_PROBLEM, COT_DESC, desc->rank, desc->axis,
                    "axis is %d, expected 0 to %d for rank %d", desc->axis, desc->rank - 1, desc->rank);
}

static cot_status check_dims(const cot_desc *desc, cot_error *error)
{
    for (int d = 0; d < desc->rank; d++)
        if (desc->shape[d] < 0)
            return cot_fail(error, COT_INVALID_PROBLEM, COT_DESC, 0, desc->shape[d],
                            "shape[%d] is %d, an extent cannot be negative", d, desc->shape[d]);
    int64_t bytes = (int64_t)cot_element_size(desc->element);
    for (int d = 0; d < desc->rank; d++)
        if (__builtin_mul_overflow(bytes, desc->shape[d] ? (int64_t)desc->shape[d] : 1, &bytes))
            return cot_fail(error, COT_INVALID_PROBLEM, COT_DESC, INT64_MAX, INT64_MAX,
                            "the extents up to shape[%d] make more than 2^63 - 1 bytes", d);
    return COT_OK;
}

static cot_status check_op(const cot_desc *desc, cot_error *error)
{
    const cot_op_info *op = cot_op_get(desc->op);
    if (!op)
        return cot_fail(error, COT_UNSUPPORTED, COT_DESC, (int64_t)cot_op_count(), desc->op,
                        "op %d is unknown, expected one of enum cot_op, 1 to %zu", (int)desc->op, cot_op_count());
    if (desc->family && desc->family != op->family) {
        const char *family = cot_family_name(desc->family);
        return cot_fail(error, COT_UNSUPPORTED, COT_DESC, op->family, desc->family,
                        "%s belongs to family %s, not to %s", op->name, cot_family_name(op->family),
                        family ? family : "one that is unknown");
    }
    return COT_OK;
}

static cot_status check_policies(const cot_desc *desc, cot_error *error)
{
    const uint8_t *values = (const uint8_t *)&desc->policies;
    const cot_policy_info *policy;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        int count = 0;
        while (policy->values[count])
            count++;
        if (values[policy->offset] >= count)
            return cot_fail(error, COT_UNSUPPORTED, COT_DESC, count - 1, values[policy->offset],
                            "policy %s is %d, expected 0 to %d", policy->name, values[policy->offset], count - 1);
    }
    for (size_t i = 0; i < sizeof desc->policies.reserved; i++)
        if (desc->policies.reserved[i])
            return cot_fail(error, COT_UNSUPPORTED, COT_DESC, 0, desc->policies.reserved[i],
                            "policies.reserved[%zu] is %d, expected 0", i, desc->policies.reserved[i]);
    return COT_OK;
}

cot_status cot_check_desc(const cot_desc *desc, cot_error *error)
{
    cot_status (*const checks[])(const cot_desc *, cot_error *) = { check_rank, check_element, check_axis,
                                                                    check_dims, check_op,      check_policies };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        cot_status status = checks[i](desc, error);
        if (status)
            return status;
    }
    return COT_OK;
}

/* ---- one operand ----------------------------------------------------------------------------- */

typedef struct subject {
    const cot_desc *desc;
    cot_operand operand;
    const char *name;
    const cot_view *view;
    int32_t shape[COT_MAX_RANK]; /* what it must be */
} subject;

static cot_status check_presence(const subject *s, cot_error *error)
{
    const char *op = cot_op_get(s->desc->op)->name;
    if (!s->view)
        return cot_fail(error, COT_INVALID_PROBLEM, s->operand, 1, 0, "%s needs %s, and args.%s is NULL", op, s->name,
                        s->name);
    int64_t cells = cot_cell_count(s->desc->rank, s->shape);
    if (!s->view->data && cells > 0)
        return cot_fail(error, COT_INVALID_PROBLEM, s->operand, cells, 0,
                        "%s.data is NULL, and %s needs %lld cells of it", s->name, op, (long long)cells);
    return COT_OK;
}

static cot_status check_view_element(const subject *s, cot_error *error)
{
    if (s->view->element == s->desc->element)
        return COT_OK;
    const char *got = cot_element_name(s->view->element);
    return cot_fail(error, COT_UNSUPPORTED, s->operand, s->desc->element, s->view->element,
                    "%s holds %s, expected the descriptor's %s", s->name, got ? got : "an unknown element type",
                    cot_element_name(s->desc->element));
}

static cot_status check_shape(const subject *s, cot_error *error)
{
    if (s->view->rank != s->desc->rank)
        return cot_fail(error, COT_INVALID_PROBLEM, s->operand, s->desc->rank, s->view->rank,
                        "%s has rank %d, expected %d", s->name, s->view->rank, s->desc->rank);
    for (int d = 0; d < s->desc->rank; d++)
        if (s->view->shape[d] != s->shape[d])
            return cot_fail(error, COT_INVALID_PROBLEM, s->operand, s->shape[d], s->view->shape[d],
                            "%s has extent %d in dimension %d, expected %d%s", s->name, s->view->shape[d], d,
                            s->shape[d],
                            s->shape[d] != s->desc->shape[d] ? " (the reduced axis is kept, with extent 1)" : "");
    return COT_OK;
}

static cot_status check_strides(const subject *s, cot_error *error)
{
    for (int d = 0; d < s->desc->rank; d++)
        if (s->view->strides[d] < 0)
            return cot_fail(error, COT_INVALID_PROBLEM, s->operand, 0, s->view->strides[d],
                            "%s has stride %lld in dimension %d, a stride cannot be negative", s->name,
                            (long long)s->view->strides[d], d);
    int64_t span;
    if (!cot_span(s->view, &span))
        return cot_fail(error, COT_INVALID_PROBLEM, s->operand, INT64_MAX, INT64_MAX,
                        "the strides of %s reach further than 2^63 - 1 bytes", s->name);
    return COT_OK;
}

static cot_status check_length(const subject *s, cot_error *error)
{
    int64_t span;
    cot_span(s->view, &span);
    if (s->view->length >= span)
        return COT_OK;
    return cot_fail(error, COT_BUFFER_TOO_SMALL, s->operand, span, s->view->length,
                    "%s has %lld elements, and its last cell is element %lld", s->name, (long long)s->view->length,
                    (long long)span - 1);
}

static cot_status check_alignment(const subject *s, cot_error *error)
{
    size_t size = cot_element_size(s->desc->element);
    size_t off = (uintptr_t)s->view->data % size;
    if (!off)
        return COT_OK;
    return cot_fail(error, COT_MISALIGNED, s->operand, (int64_t)size, (int64_t)off,
                    "%s.data lies %zu bytes past a multiple of %zu, the size of its element", s->name, off, size);
}

static cot_status check_operand(const subject *s, cot_error *error)
{
    cot_status (*const checks[])(const subject *,
                                 cot_error *) = { check_presence, check_view_element, check_shape,
                                                  check_strides,  check_length,       check_alignment };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        cot_status status = checks[i](s, error);
        if (status)
            return status;
    }
    return COT_OK;
}

static cot_status check_one(const cot_desc *desc, const cot_args *args, cot_operand operand, cot_error *error)
{
    subject s = { desc, operand, cot_operand_name(operand), cot_operand_view(args, operand), { 0 } };
    cot_operand_shape(desc, operand, s.shape);
    return check_operand(&s, error);
}

cot_status cot_check_args(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    const cot_op_info *op = cot_op_get(desc->op);
    cot_status status = COT_OK;
    for (int o = COT_FIRST_OPERAND; o <= COT_LAST_OPERAND && !status; o++)
        if (cot_operand_used(op, (cot_operand)o))
            status = check_one(desc, args, (cot_operand)o, error);
    return status ? status : cot_check_overlap(desc, args, error);
}

static int list_inputs(const cot_op_info *op, cot_operand *inputs)
{
    int count = 0;
    for (int o = COT_FIRST_OPERAND; o <= COT_LAST_OPERAND; o++)
        if (cot_family_get(op->family)->inputs & COT_BIT(o))
            inputs[count++] = (cot_operand)o;
    return count;
}

cot_status cot_check_forward(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    const cot_op_info *op = cot_op_get(desc->op);
    cot_operand inputs[COT_OPERANDS];
    int count = list_inputs(op, inputs);
    cot_status status = COT_OK;
    for (int i = 0; i < count && !status; i++)
        status = check_one(desc, args, inputs[i], error);
    if (!status)
        status = check_one(desc, args, COT_Y, error);
    if (!status && op->traits & COT_OP_NONEMPTY && desc->shape[desc->axis] == 0
        && cot_cell_count(args->y->rank, args->y->shape) > 0)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_X, 1, 0, "%s of no cells is not defined: the axis has extent 0",
                        op->name);
    return status ? status : cot_check_written(COT_Y, args, inputs, count, error);
}
