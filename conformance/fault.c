#include "fault.h"

#include <limits.h>
#include <string.h>

static int want(call *c, cot_status code, cot_operand operand, int64_t needed, int64_t got)
{
    c->wanted = (cot_error){ .code = code, .operand = operand, .needed = needed, .got = got };
    c->any_detail = 0;
    return 1;
}

static int want_roughly(call *c, cot_status code, cot_operand operand)
{
    want(c, code, operand, 0, 0);
    return c->any_detail = 1;
}

static int want_success(call *c)
{
    return want(c, COT_OK, COT_NO_OPERAND, 0, 0);
}

/* ---- structs (VALID-SIZE) ------------------------------------------------------------------------------------------- */

enum { DESC = sizeof(cot_desc), ARGS = sizeof(cot_args), PREFERENCE = sizeof(cot_preference), NEWER = 8 };

static int desc_null(call *c, cot_operand o) { return c->no_desc = 1, (void)o, want(c, COT_INVALID_PROBLEM, COT_DESC, DESC, 0); }
static int size_zero(call *c, cot_operand o) { return c->desc.known.size = 0, (void)o, want(c, COT_INVALID_PROBLEM, COT_DESC, DESC, 0); }
static int size_small(call *c, cot_operand o) { return c->desc.known.size = DESC - 8, (void)o, want(c, COT_INVALID_PROBLEM, COT_DESC, DESC, DESC - 8); }
static int args_null(call *c, cot_operand o) { return c->no_args = 1, (void)o, want(c, COT_INVALID_PROBLEM, COT_ARGS, ARGS, 0); }
static int args_small(call *c, cot_operand o) { return c->args.known.size = ARGS - 8, (void)o, want(c, COT_INVALID_PROBLEM, COT_ARGS, ARGS, ARGS - 8); }

static int size_newer(call *c, cot_operand o)
{
    c->desc.known.size = DESC + NEWER;
    c->desc.newer[3] = 1;
    return (void)o, want(c, COT_UNSUPPORTED, COT_DESC, DESC, DESC + NEWER);
}

static int size_larger(call *c, cot_operand o) /* a newer struct that sets nothing new is good */
{
    c->desc.known.size = DESC + NEWER;
    c->args.known.size = ARGS + NEWER;
    return (void)o, want_success(c);
}

static int args_newer(call *c, cot_operand o)
{
    c->args.known.size = ARGS + NEWER;
    c->args.newer[7] = 1;
    return (void)o, want(c, COT_UNSUPPORTED, COT_ARGS, ARGS, ARGS + NEWER);
}

/* ---- the descriptor ------------------------------------------------------------------------------------------------- */

static int set(int32_t *field, int32_t value) { return *field = value, 1; }
static int elementwise(const call *c) { return !has_axis(cot_op_get(c->good.op)); }

static int rank_zero(call *c, cot_operand o) { return set(&c->desc.known.rank, 0), (void)o, want(c, COT_INVALID_PROBLEM, COT_DESC, 1, 0); }
static int rank_negative(call *c, cot_operand o) { return set(&c->desc.known.rank, -3), (void)o, want(c, COT_INVALID_PROBLEM, COT_DESC, 1, -3); }
static int rank_nine(call *c, cot_operand o) { return set(&c->desc.known.rank, 9), (void)o, want(c, COT_UNSUPPORTED, COT_DESC, 8, 9); }
static int element_zero(call *c, cot_operand o) { return c->desc.known.element = 0, (void)o, want(c, COT_UNSUPPORTED, COT_DESC, COT_F64, 0); }
static int element_unknown(call *c, cot_operand o) { return c->desc.known.element = 99, (void)o, want(c, COT_UNSUPPORTED, COT_DESC, COT_F64, 99); }

static int bad_axis(call *c, int32_t axis)
{
    c->desc.known.axis = axis;
    return !elementwise(c) && want(c, COT_INVALID_PROBLEM, COT_DESC, c->desc.known.rank, axis);
}

static int axis_negative(call *c, cot_operand o) { return (void)o, bad_axis(c, -1); }
static int axis_rank(call *c, cot_operand o) { return (void)o, bad_axis(c, c->desc.known.rank); }
static int axis_unused(call *c, cot_operand o) { return set(&c->desc.known.axis, -7), (void)o, elementwise(c) && want_success(c); }
static int extent_negative(call *c, cot_operand o) { return set(&c->desc.known.shape[0], -4), (void)o, want(c, COT_INVALID_PROBLEM, COT_DESC, 0, -4); }

static int extent_overflow(call *c, cot_operand o)
{
    c->desc.known.shape[0] = c->desc.known.shape[1] = INT32_MAX;
    c->desc.known.shape[2] = 8;
    c->desc.known.rank = 3;
    return (void)o, want(c, COT_INVALID_PROBLEM, COT_DESC, INT64_MAX, INT64_MAX);
}

static int64_t op_count(void)
{
    int64_t count = 0;
    while (cot_op_at((size_t)count))
        count++;
    return count;
}

static int op_zero(call *c, cot_operand o) { return c->desc.known.op = 0, (void)o, want(c, COT_UNSUPPORTED, COT_DESC, op_count(), 0); }
static int op_unknown(call *c, cot_operand o) { return c->desc.known.op = 999, (void)o, want(c, COT_UNSUPPORTED, COT_DESC, op_count(), 999); }

static int family_other(call *c, cot_operand o)
{
    static const cot_family others[] = { [COT_REDUCE] = COT_SCAN, [COT_SCAN] = COT_REDUCE, [COT_BINARY] = COT_BINARY_PARAM,
                                         [COT_BINARY_PARAM] = COT_BINARY, [COT_SOFTMAX_FAMILY] = COT_SCAN };
    cot_family own = cot_op_get(c->good.op)->family;
    c->desc.known.family = others[own];
    return (void)o, want(c, COT_UNSUPPORTED, COT_DESC, own, others[own]);
}

static int policy_unknown(call *c, cot_operand o) { return c->desc.known.policies.zeros = 7, (void)o, want(c, COT_UNSUPPORTED, COT_DESC, 1, 7); }
static int policy_reserved(call *c, cot_operand o) { return c->desc.known.policies.reserved[2] = 1, (void)o, want(c, COT_UNSUPPORTED, COT_DESC, 0, 1); }

/* ---- preferences: what the plan itself has said decides -------------------------------------------------------------- */

static int prefer(call *c, int kept)
{
    c->prefers = 1;
    return kept ? want_success(c) : want_roughly(c, COT_UNSUPPORTED, COT_PREFERENCE);
}

static int pref_size(call *c, cot_operand o)
{
    c->prefers = 1;
    c->preference.known.size = 3;
    return (void)o, want(c, COT_INVALID_PROBLEM, COT_PREFERENCE, PREFERENCE, 3);
}

static int pref_workspace(call *c, cot_operand o) { return c->preference.known.max_workspace_bytes = 1, (void)o, prefer(c, c->workspace_needed <= 1); }
static int pref_same_bits(call *c, cot_operand o) { return c->preference.known.need_bit_identical = 1, (void)o, prefer(c, c->promise->bit_identical); }
static int pref_every_run(call *c, cot_operand o) { return c->preference.known.need_deterministic = 1, (void)o, prefer(c, c->promise->deterministic); }

/* ---- one operand ---------------------------------------------------------------------------------------------------- */

static int64_t cells_of(const cot_view *view)
{
    int64_t cells = 1;
    for (int d = 0; d < view->rank; d++)
        cells *= view->shape[d];
    return cells;
}

static int64_t span_of(const cot_view *view) /* elements from the first cell to the last */
{
    int64_t span = 1;
    for (int d = 0; d < view->rank; d++)
        span += (view->shape[d] - 1) * view->strides[d];
    return cells_of(view) ? span : 0;
}

static const cot_view **slot(call *c, cot_operand o)
{
    cot_args *a = &c->args.known;
    const cot_view **const slots[] = { &a->dy, &a->x, &a->y, &a->a, &a->b, &a->dx, &a->da, &a->db };
    return slots[o - COT_DY];
}

static int absent(call *c, cot_operand o) { return *slot(c, o) = NULL, want(c, COT_INVALID_PROBLEM, o, 1, 0); }

static int no_data(call *c, cot_operand o)
{
    cot_view right = { .rank = c->good.rank };
    operand_shape(&c->good, o, right.shape);
    int64_t cells = cells_of(&right);
    c->views[o].data = NULL;
    return cells > 0 && want(c, COT_INVALID_PROBLEM, o, cells, 0);
}

static int other_element(call *c, cot_operand o)
{
    cot_element other = c->good.element == COT_F32 ? COT_F16 : COT_F32;
    c->views[o].element = other;
    return want(c, COT_UNSUPPORTED, o, c->good.element, other);
}

static int no_element(call *c, cot_operand o) { return c->views[o].element = 77, want(c, COT_UNSUPPORTED, o, c->good.element, 77); }
static int rank_less(call *c, cot_operand o) { return set(&c->views[o].rank, c->good.rank - 1), want(c, COT_INVALID_PROBLEM, o, c->good.rank, c->good.rank - 1); }
static int rank_endless(call *c, cot_operand o) { return set(&c->views[o].rank, 100), want(c, COT_INVALID_PROBLEM, o, c->good.rank, 100); }

static int other_shape(call *c, cot_operand o)
{
    int32_t right = c->views[o].shape[0]++;
    return want(c, COT_INVALID_PROBLEM, o, right, right + 1);
}

static int other_extent(call *c, cot_operand o) /* along the last axis, as if it were reduced, or not */
{
    int32_t *extent = &c->views[o].shape[c->good.rank - 1], right = *extent;
    *extent = right == 1 ? 6 : 1;
    return want(c, COT_INVALID_PROBLEM, o, right, *extent);
}

static int stride_negative(call *c, cot_operand o) { return c->views[o].strides[c->good.rank - 1] = -1, want(c, COT_INVALID_PROBLEM, o, 0, -1); }

static int stride_overflow(call *c, cot_operand o)
{
    c->views[o].strides[0] = INT64_MAX / 2;
    return cells_of(&c->views[o]) && c->views[o].shape[0] > 1 && want(c, COT_INVALID_PROBLEM, o, INT64_MAX, INT64_MAX);
}

static int too_short(call *c, cot_operand o)
{
    int64_t span = span_of(&c->views[o]);
    c->views[o].length = span - 1;
    return span > 0 && want(c, COT_BUFFER_TOO_SMALL, o, span, span - 1);
}

static int length_negative(call *c, cot_operand o) { return c->views[o].length = -1, want(c, COT_BUFFER_TOO_SMALL, o, span_of(&c->views[o]), -1); }

static int misaligned(call *c, cot_operand o)
{
    c->views[o].data = (char *)c->views[o].data + 1;
    return want(c, COT_MISALIGNED, o, (int64_t)cot_element_size(c->good.element), 1);
}

/* ---- overlap: of two dimensions, both with cells to step over -------------------------------------------------------- */

static int has_room(const call *c, cot_operand o)
{
    return c->good.rank == 2 && c->views[o].shape[0] > 1 && c->views[o].shape[1] > 2;
}

static int self_overlap(call *c, cot_operand o) /* rows that begin on the last cell of the row before */
{
    int64_t row = c->views[o].shape[1];
    c->views[o].strides[0] = row - 1;
    return has_room(c, o) && want(c, COT_INVALID_PROBLEM, o, row, row - 1);
}

static int repeats(call *c, cot_operand o) { return c->views[o].strides[0] = 0, has_room(c, o) && want(c, COT_INVALID_PROBLEM, o, 1, 0); }

static int overlaps_shifted(call *c, cot_operand o) /* dy, but for a cell */
{
    size_t size = cot_element_size(c->good.element);
    c->views[o].data = (char *)c->views[COT_DY].data + size;
    return has_room(c, o) && want(c, COT_INVALID_PROBLEM, o, 0, (span_of(&c->views[COT_DY]) - 1) * (int64_t)size);
}

static int overlaps_layout(call *c, cot_operand o) /* dy, in another order */
{
    c->views[o].data = c->views[COT_DY].data;
    c->views[o].strides[0] = 1;
    c->views[o].strides[1] = c->views[o].shape[0];
    return has_room(c, o) && want(c, COT_INVALID_PROBLEM, o, 0, span_of(&c->views[COT_DY]) * (int64_t)cot_element_size(c->good.element));
}

static int same_output(call *c, cot_operand o)
{
    c->views[o].data = c->views[COT_DA].data;
    return o == COT_DB && has_room(c, o) && want(c, COT_INVALID_PROBLEM, o, 0, span_of(&c->views[COT_DA]) * (int64_t)cot_element_size(c->good.element));
}

/* ---- the workspace: where none is needed, it is ignored --------------------------------------------------------------- */

static int want_workspace(call *c, cot_status code, int64_t needed, int64_t got)
{
    int ignored = !c->workspace_needed || !cells_of(&c->views[elementwise(c) ? COT_DA : COT_DX]);
    return ignored ? want_success(c) : want(c, code, COT_WORKSPACE, needed, got);
}

static int ws_small(call *c, cot_operand o)
{
    c->workspace_bytes = c->workspace_needed ? c->workspace_needed - 1 : 0;
    return (void)o, want_workspace(c, COT_WORKSPACE_TOO_SMALL, (int64_t)c->workspace_needed, (int64_t)c->workspace_needed - 1);
}

static int ws_null(call *c, cot_operand o) { return c->workspace = NULL, (void)o, want_workspace(c, COT_INVALID_PROBLEM, (int64_t)c->workspace_needed, 0); }
static int ws_misaligned(call *c, cot_operand o) { return c->workspace += 8, (void)o, want_workspace(c, COT_MISALIGNED, COT_WORKSPACE_ALIGNMENT, 8); }

static int ws_overlap(call *c, cot_operand o) /* with dy, which begins on an aligned address */
{
    int64_t bytes = span_of(&c->views[COT_DY]) * (int64_t)cot_element_size(c->good.element), needed = (int64_t)c->workspace_needed;
    c->workspace = c->views[COT_DY].data;
    return (void)o, bytes > 0 && want_workspace(c, COT_INVALID_PROBLEM, 0, bytes < needed ? bytes : needed);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

/* ---- what there is not enough of ------------------------------------------------------------------------------------ */

static int memory(call *c, cot_operand o) { return c->memory = SIZE_MAX / 4, (void)o, want_roughly(c, COT_INTERNAL, COT_NO_OPERAND); }

static const fault faults[] = {
    { "desc_null", "VALID-SIZE", FAULT_DESC, desc_null },
    { "size_zero", "VALID-SIZE", FAULT_DESC, size_zero },
    { "size_small", "VALID-SIZE", FAULT_DESC, size_small },
    { "size_newer", "VALID-SIZE", FAULT_DESC, size_newer },
    { "size_larger", "VALID-SIZE", FAULT_DESC, size_larger },
    { "rank_zero", "VALID-RANK", FAULT_DESC, rank_zero },
    { "rank_negative", "VALID-RANK", FAULT_DESC, rank_negative },
    { "rank_nine", "VALID-RANK", FAULT_DESC, rank_nine },
    { "element_zero", "VALID-ELEMENT", FAULT_DESC, element_zero },
    { "element_unknown", "VALID-ELEMENT", FAULT_DESC, element_unknown },
    { "axis_negative", "VALID-AXIS", FAULT_DESC, axis_negative },
    { "axis_rank", "VALID-AXIS", FAULT_DESC, axis_rank },
    { "axis_unused", "VALID-AXIS", FAULT_DESC, axis_unused },
    { "extent_negative", "VALID-EXTENT", FAULT_DESC, extent_negative },
    { "extent_overflow", "VALID-EXTENT", FAULT_DESC, extent_overflow },
    { "op_zero", "VALID-OP", FAULT_DESC, op_zero },
    { "op_unknown", "VALID-OP", FAULT_DESC, op_unknown },
    { "family_other", "VALID-OP", FAULT_DESC, family_other },
    { "policy_unknown", "VALID-POLICY", FAULT_DESC, policy_unknown },
    { "policy_reserved", "VALID-POLICY", FAULT_DESC, policy_reserved },
    { "pref_size", "VALID-SIZE", FAULT_PREFERENCE, pref_size },
    { "pref_workspace", "VALID-PREFERENCE", FAULT_PREFERENCE, pref_workspace },
    { "pref_every_run", "VALID-PREFERENCE", FAULT_PREFERENCE, pref_every_run },
    { "pref_same_bits", "VALID-PREFERENCE", FAULT_PREFERENCE, pref_same_bits },
    { "args_null", "VALID-SIZE", FAULT_ARGS, args_null },
    { "args_small", "VALID-SIZE", FAULT_ARGS, args_small },
    { "args_newer", "VALID-SIZE", FAULT_ARGS, args_newer },
    { "absent", "VALID-PRESENCE", FAULT_OPERAND, absent },
    { "no_data", "VALID-PRESENCE", FAULT_OPERAND, no_data },
    { "other_element", "VALID-VIEW-ELEMENT", FAULT_OPERAND, other_element },
    { "no_element", "VALID-VIEW-ELEMENT", FAULT_OPERAND, no_element },
    { "rank_less", "VALID-SHAPE", FAULT_OPERAND, rank_less },
    { "rank_endless", "VALID-SHAPE", FAULT_OPERAND, rank_endless },
    { "other_shape", "VALID-SHAPE", FAULT_OPERAND, other_shape },
    { "other_extent", "VALID-SHAPE", FAULT_OPERAND, other_extent },
    { "stride_negative", "VALID-STRIDE", FAULT_OPERAND, stride_negative },
    { "stride_overflow", "VALID-STRIDE", FAULT_OPERAND, stride_overflow },
    { "short", "VALID-LENGTH", FAULT_OPERAND, too_short },
    { "length_negative", "VALID-LENGTH", FAULT_OPERAND, length_negative },
    { "misaligned", "VALID-ALIGNMENT", FAULT_OPERAND, misaligned },
    { "self_overlap", "VALID-SELF-OVERLAP", FAULT_OUTPUT, self_overlap },
    { "repeats", "VALID-SELF-OVERLAP", FAULT_OUTPUT, repeats },
    { "overlaps_shifted", "VALID-OVERLAP", FAULT_OUTPUT, overlaps_shifted },
    { "overlaps_layout", "VALID-OVERLAP", FAULT_OUTPUT, overlaps_layout },
    { "same_output", "VALID-OVERLAP", FAULT_OUTPUT, same_output },
    { "ws_small", "VALID-WORKSPACE", FAULT_WORKSPACE, ws_small },
    { "ws_null", "VALID-WORKSPACE", FAULT_WORKSPACE, ws_null },
    { "ws_misaligned", "VALID-WORKSPACE", FAULT_WORKSPACE, ws_misaligned },
    { "ws_overlap", "VALID-WORKSPACE", FAULT_WORKSPACE, ws_overlap },
    { "memory", "ERROR-INTERNAL", FAULT_MEMORY, memory },
};

const fault *fault_at(int row)
{
    return row >= 0 && row < (int)(sizeof faults / sizeof *faults) ? &faults[row] : NULL;
}

int fault_find(const char *name)
{
    for (int row = 0; fault_at(row); row++)
        if (!strcmp(faults[row].name, name))
            return row;
    return -1;
}

int fault_is_of(const fault *f, const cot_op_info *op, cot_operand operand)
{
    switch (f->kind) {
    case FAULT_OPERAND: return operand >= COT_DY && operand_used(op, operand);
    case FAULT_OUTPUT: return operand >= COT_DX && operand_used(op, operand);
    default: return operand == COT_NO_OPERAND;
    }
}

void call_begin(call *to, const cot_desc *desc)
{
    *to = (call){ .good = *desc, .desc.known = *desc, .preference.known = { COT_SIZED(cot_preference) } };
    for (int o = COT_DY; o < OPERANDS; o++) {
        int32_t shape[COT_MAX_RANK];
        if (!operand_used(cot_op_get(desc->op), (cot_operand)o))
            continue;
        operand_shape(desc, (cot_operand)o, shape);
        to->views[o] = cot_contiguous(desc->element, desc->rank, shape, NULL);
    }
    point_args(&to->args.known, to->views);
}

/* The fault that is found first is made last, so that what it wants stands. */
int fault_apply(const test_case *c, call *to)
{
    for (int i = CASE_FAULTS - 1; i >= 0; i--)
        if (c->bad[i].row && !faults[c->bad[i].row - 1].spoil(to, c->bad[i].operand))
            return -1;
    return 0;
}

int fault_fits(const test_case *c)
{
    static const cot_guarantee none;
    static double somewhere[2];
    call alone, both;
    test_case first = *c;
    first.bad[1].row = 0;
    call_begin(&alone, &c->desc);
    call_begin(&both, &c->desc);
    alone.promise = both.promise = &none;
    alone.workspace = both.workspace = (char *)somewhere;
    for (int o = COT_DY; o < OPERANDS; o++)
        alone.views[o].data = both.views[o].data = somewhere;
    if (fault_apply(&first, &alone) || fault_apply(c, &both))
        return 0;
    const fault *a = fault_at(c->bad[0].row - 1), *b = c->bad[1].row ? fault_at(c->bad[1].row - 1) : NULL;
    int same_place = b && a->kind == FAULT_OUTPUT && b->kind == FAULT_OUTPUT && c->bad[0].operand == c->bad[1].operand;
    return !b || (alone.wanted.code && a->kind != FAULT_PREFERENCE && b->kind != FAULT_MEMORY && !same_place);
}
