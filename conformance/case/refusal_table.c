/* What can be wrong with a call: how a good one is spoilt, and what the library must then say. */
#include "refusal.h"

#include <limits.h>
#include <string.h>

static int want(bad_call *c, cot_status code, cot_operand operand, int64_t needed, int64_t got)
{
    c->wanted = (cot_error){ .code = code, .operand = operand, .needed = needed, .got = got };
    c->any_detail = 0;
    return 1;
}

static int want_roughly(bad_call *c, cot_status code, cot_operand operand)
{
    want(c, code, operand, 0, 0);
    return c->any_detail = 1;
}

static int want_success(bad_call *c) { return want(c, COT_OK, COT_NO_OPERAND, 0, 0); }

/* ---- structs (VALID-SIZE) -------------------------------------------------------------------- */

enum { DESC = sizeof(cot_desc), ARGS = sizeof(cot_args), PREFERENCE = sizeof(cot_preference), NEWER = 8 };

static int desc_null(bad_call *c)
{
    c->no_desc = 1;
    return want(c, COT_INVALID_PROBLEM, COT_DESC, DESC, 0);
}

static int size_zero(bad_call *c)
{
    c->desc.known.size = 0;
    return want(c, COT_INVALID_PROBLEM, COT_DESC, DESC, 0);
}

static int size_small(bad_call *c)
{
    c->desc.known.size = DESC - 8;
    return want(c, COT_INVALID_PROBLEM, COT_DESC, DESC, DESC - 8);
}

static int args_null(bad_call *c)
{
    c->no_args = 1;
    return want(c, COT_INVALID_PROBLEM, COT_ARGS, ARGS, 0);
}

static int args_small(bad_call *c)
{
    c->args.known.size = ARGS - 8;
    return want(c, COT_INVALID_PROBLEM, COT_ARGS, ARGS, ARGS - 8);
}

static int size_newer(bad_call *c)
{
    c->desc.known.size = DESC + NEWER;
    c->desc.newer[3] = 1;
    return want(c, COT_UNSUPPORTED, COT_DESC, DESC, DESC + NEWER);
}

static int size_larger(bad_call *c) /* a newer struct that sets nothing new is good */
{
    c->desc.known.size = DESC + NEWER;
    c->args.known.size = ARGS + NEWER;
    return want_success(c);
}

static int args_newer(bad_call *c)
{
    c->args.known.size = ARGS + NEWER;
    c->args.newer[7] = 1;
    return want(c, COT_UNSUPPORTED, COT_ARGS, ARGS, ARGS + NEWER);
}

/* ---- the descriptor -------------------------------------------------------------------------- */

static int elementwise(const bad_call *c) { return !cot_has_axis(cot_op_get(c->good.op)); }

static int rank_zero(bad_call *c)
{
    c->desc.known.rank = 0;
    return want(c, COT_INVALID_PROBLEM, COT_DESC, 1, 0);
}

static int rank_negative(bad_call *c)
{
    c->desc.known.rank = -3;
    return want(c, COT_INVALID_PROBLEM, COT_DESC, 1, -3);
}

static int rank_nine(bad_call *c)
{
    c->desc.known.rank = 9;
    return want(c, COT_UNSUPPORTED, COT_DESC, 8, 9);
}

static int element_zero(bad_call *c)
{
    c->desc.known.element = 0;
    return want(c, COT_UNSUPPORTED, COT_DESC, COT_F64, 0);
}

static int element_unknown(bad_call *c)
{
    c->desc.known.element = 99;
    return want(c, COT_UNSUPPORTED, COT_DESC, COT_F64, 99);
}

static int bad_axis(bad_call *c, int32_t axis)
{
    c->desc.known.axis = axis;
    return !elementwise(c) && want(c, COT_INVALID_PROBLEM, COT_DESC, c->desc.known.rank, axis);
}

static int axis_negative(bad_call *c) { return bad_axis(c, -1); }
static int axis_rank(bad_call *c) { return bad_axis(c, c->desc.known.rank); }
static int axis_unused(bad_call *c)
{
    c->desc.known.axis = -7;
    return elementwise(c) && want_success(c);
}

/* Whether there is an axis is the op's to say, not the family's that the caller names. */
static int axis_family(bad_call *c)
{
    c->desc.known.family = COT_BINARY;
    return bad_axis(c, -7);
}

static int axis_op(bad_call *c)
{
    c->desc.known.op = 999;
    c->desc.known.family = COT_BINARY;
    return bad_axis(c, -7);
}

static int extent_negative(bad_call *c)
{
    c->desc.known.shape[0] = -4;
    return want(c, COT_INVALID_PROBLEM, COT_DESC, 0, -4);
}

static int extent_overflow(bad_call *c)
{
    c->desc.known.shape[0] = c->desc.known.shape[1] = INT32_MAX;
    c->desc.known.shape[2] = 8;
    c->desc.known.rank = 3;
    return want(c, COT_INVALID_PROBLEM, COT_DESC, INT64_MAX, INT64_MAX);
}

static int64_t op_count(void)
{
    int64_t count = 0;
    while (cot_op_at((size_t)count))
        count++;
    return count;
}

static int op_zero(bad_call *c)
{
    c->desc.known.op = 0;
    return want(c, COT_UNSUPPORTED, COT_DESC, op_count(), 0);
}

static int op_unknown(bad_call *c)
{
    c->desc.known.op = 999;
    return want(c, COT_UNSUPPORTED, COT_DESC, op_count(), 999);
}

static int family_other(bad_call *c)
{
    static const cot_family others[] = { [COT_REDUCE] = COT_SCAN,
                                         [COT_SCAN] = COT_REDUCE,
                                         [COT_BINARY] = COT_BINARY_PARAM,
                                         [COT_BINARY_PARAM] = COT_BINARY,
                                         [COT_SOFTMAX_FAMILY] = COT_SCAN };
    cot_family own = cot_op_get(c->good.op)->family;
    c->desc.known.family = others[own];
    return want(c, COT_UNSUPPORTED, COT_DESC, own, others[own]);
}

static int policy_unknown(bad_call *c)
{
    c->desc.known.policies.zeros = 7;
    return want(c, COT_UNSUPPORTED, COT_DESC, COT_ZEROS_WHERE_ZERO, 7);
}

static int policy_reserved(bad_call *c)
{
    c->desc.known.policies.reserved[0] = 1;
    return want(c, COT_UNSUPPORTED, COT_DESC, 0, 1);
}

/* ---- preferences: what the plan itself has said decides -------------------------------------- */

static int prefer(bad_call *c, int kept)
{
    c->prefers = 1;
    return kept ? want_success(c) : want_roughly(c, COT_UNSUPPORTED, COT_PREFERENCE);
}

static int pref_size(bad_call *c)
{
    c->prefers = 1;
    c->preference.known.size = 3;
    return want(c, COT_INVALID_PROBLEM, COT_PREFERENCE, PREFERENCE, 3);
}

static int pref_workspace(bad_call *c)
{
    c->preference.known.max_workspace_bytes = 1;
    return prefer(c, c->workspace_needed <= 1);
}

static int pref_same_bits(bad_call *c)
{
    c->preference.known.need_bit_identical = 1;
    return prefer(c, c->promise->bit_identical);
}

static int pref_every_run(bad_call *c)
{
    c->preference.known.need_deterministic = 1;
    return prefer(c, c->promise->deterministic);
}

/* ---- one operand ----------------------------------------------------------------------------- */

static int64_t cells_of(const cot_view *view) { return cot_cell_count(view->rank, view->shape); }

static int64_t span_of(const cot_view *view) /* elements from the first cell to the last */
{
    int64_t span = 1;
    for (int d = 0; d < view->rank; d++)
        span += (view->shape[d] - 1) * view->strides[d];
    return cells_of(view) ? span : 0;
}

static int absent(bad_call *c, cot_operand o)
{
    *args_slot(&c->args.known, o) = NULL;
    return want(c, COT_INVALID_PROBLEM, o, 1, 0);
}

static int no_data(bad_call *c, cot_operand o)
{
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&c->good, o, shape);
    int64_t cells = cot_cell_count(c->good.rank, shape);
    c->views[o].data = NULL;
    return cells > 0 && want(c, COT_INVALID_PROBLEM, o, cells, 0);
}

static int no_data_in_none(bad_call *c, cot_operand o) /* and the view says that there is no cell to have any */
{
    c->views[o].shape[0] = 0;
    return no_data(c, o);
}

static int other_element(bad_call *c, cot_operand o)
{
    cot_element other = c->good.element == COT_F32 ? COT_F16 : COT_F32;
    c->views[o].element = other;
    return want(c, COT_UNSUPPORTED, o, c->good.element, other);
}

static int no_element(bad_call *c, cot_operand o)
{
    c->views[o].element = 77;
    return want(c, COT_UNSUPPORTED, o, c->good.element, 77);
}

static int rank_less(bad_call *c, cot_operand o)
{
    c->views[o].rank = c->good.rank - 1;
    return want(c, COT_INVALID_PROBLEM, o, c->good.rank, c->good.rank - 1);
}

static int rank_endless(bad_call *c, cot_operand o)
{
    c->views[o].rank = 100;
    return want(c, COT_INVALID_PROBLEM, o, c->good.rank, 100);
}

static int other_shape(bad_call *c, cot_operand o)
{
    int32_t right = c->views[o].shape[0]++;
    return want(c, COT_INVALID_PROBLEM, o, right, right + 1);
}

static int other_extent(bad_call *c, cot_operand o) /* along the last axis, as if it were reduced, or not */
{
    int32_t *extent = &c->views[o].shape[c->good.rank - 1], right = *extent;
    *extent = right == 1 ? 6 : 1;
    return want(c, COT_INVALID_PROBLEM, o, right, *extent);
}

static int stride_negative(bad_call *c, cot_operand o)
{
    c->views[o].strides[c->good.rank - 1] = -1;
    return want(c, COT_INVALID_PROBLEM, o, 0, -1);
}

static int stride_overflow(bad_call *c, cot_operand o)
{
    c->views[o].strides[0] = INT64_MAX / 2;
    return cells_of(&c->views[o]) && c->views[o].shape[0] > 1 && want(c, COT_INVALID_PROBLEM, o, INT64_MAX, INT64_MAX);
}

static int too_short(bad_call *c, cot_operand o)
{
    int64_t span = span_of(&c->views[o]);
    c->views[o].length = span - 1;
    return span > 0 && want(c, COT_BUFFER_TOO_SMALL, o, span, span - 1);
}

static int length_negative(bad_call *c, cot_operand o)
{
    c->views[o].length = -1;
    return want(c, COT_BUFFER_TOO_SMALL, o, span_of(&c->views[o]), -1);
}

static int misaligned(bad_call *c, cot_operand o)
{
    c->views[o].data = (char *)c->views[o].data + 1;
    return want(c, COT_MISALIGNED, o, (int64_t)cot_element_size(c->good.element), 1);
}

/* ---- overlap: of two dimensions, both with cells to step over -------------------------------- */

static int can_overlap(const bad_call *c, cot_operand o)
{
    return c->good.rank == 2 && c->views[o].shape[0] > 1 && c->views[o].shape[1] > 2;
}

static int self_overlap(bad_call *c, cot_operand o) /* rows that begin on the last cell of the row before */
{
    int64_t row = c->views[o].shape[1];
    c->views[o].strides[0] = row - 1;
    return can_overlap(c, o) && want(c, COT_INVALID_PROBLEM, o, row, row - 1);
}

static int repeats(bad_call *c, cot_operand o)
{
    c->views[o].strides[0] = 0;
    return can_overlap(c, o) && want(c, COT_INVALID_PROBLEM, o, 1, 0);
}

static int overlaps_shifted(bad_call *c, cot_operand o) /* dy, but for a cell */
{
    size_t size = cot_element_size(c->good.element);
    c->views[o].data = (char *)c->views[COT_DY].data + size;
    return can_overlap(c, o) && want(c, COT_INVALID_PROBLEM, o, 0, (span_of(&c->views[COT_DY]) - 1) * (int64_t)size);
}

static int overlaps_layout(bad_call *c, cot_operand o) /* dy, in another order */
{
    c->views[o].data = c->views[COT_DY].data;
    c->views[o].strides[0] = 1;
    c->views[o].strides[1] = c->views[o].shape[0];
    return can_overlap(c, o)
           && want(c, COT_INVALID_PROBLEM, o, 0,
                   span_of(&c->views[COT_DY]) * (int64_t)cot_element_size(c->good.element));
}

static int same_output(bad_call *c, cot_operand o)
{
    c->views[o].data = c->views[COT_DA].data;
    return o == COT_DB && can_overlap(c, o)
           && want(c, COT_INVALID_PROBLEM, o, 0,
                   span_of(&c->views[COT_DA]) * (int64_t)cot_element_size(c->good.element));
}

/* ---- the workspace: where none is needed, it is ignored -------------------------------------- */

static int want_workspace(bad_call *c, cot_status code, int64_t needed, int64_t got)
{
    int ignored = !c->workspace_needed || !cells_of(&c->views[elementwise(c) ? COT_DA : COT_DX]);
    return ignored ? want_success(c) : want(c, code, COT_WORKSPACE, needed, got);
}

static int ws_small(bad_call *c)
{
    c->workspace_bytes = c->workspace_needed ? c->workspace_needed - 1 : 0;
    return want_workspace(c, COT_WORKSPACE_TOO_SMALL, (int64_t)c->workspace_needed, (int64_t)c->workspace_needed - 1);
}

static int ws_null(bad_call *c)
{
    c->workspace = NULL;
    return want_workspace(c, COT_INVALID_PROBLEM, (int64_t)c->workspace_needed, 0);
}

static int ws_misaligned(bad_call *c)
{
    c->workspace += 8;
    return want_workspace(c, COT_MISALIGNED, COT_WORKSPACE_ALIGNMENT, 8);
}

static int ws_overlap(bad_call *c) /* with dy, which begins on an aligned address */
{
    int64_t bytes = span_of(&c->views[COT_DY]) * (int64_t)cot_element_size(c->good.element),
            needed = (int64_t)c->workspace_needed;
    c->workspace = c->views[COT_DY].data;
    return bytes > 0 && want_workspace(c, COT_INVALID_PROBLEM, 0, bytes < needed ? bytes : needed);
}

/* ---- what there is not enough of ------------------------------------------------------------- */

static int memory(bad_call *c)
{
    c->memory = SIZE_MAX / 4;
    return want_roughly(c, COT_INTERNAL, COT_NO_OPERAND);
}

/* ---- the table ------------------------------------------------------------------------------- */

// clang-format off
static const refusal refusals[] = {
    { "desc_null",         "VALID-SIZE",          REFUSAL_DESC,        .spoil = desc_null },
    { "size_zero",         "VALID-SIZE",          REFUSAL_DESC,        .spoil = size_zero },
    { "size_small",        "VALID-SIZE",          REFUSAL_DESC,        .spoil = size_small },
    { "size_newer",        "VALID-SIZE",          REFUSAL_DESC,        .spoil = size_newer },
    { "size_larger",       "VALID-SIZE",          REFUSAL_DESC,        .spoil = size_larger },
    { "rank_zero",         "VALID-RANK",          REFUSAL_DESC,        .spoil = rank_zero },
    { "rank_negative",     "VALID-RANK",          REFUSAL_DESC,        .spoil = rank_negative },
    { "rank_nine",         "VALID-RANK",          REFUSAL_DESC,        .spoil = rank_nine },
    { "element_zero",      "VALID-ELEMENT",       REFUSAL_DESC,        .spoil = element_zero },
    { "element_unknown",   "VALID-ELEMENT",       REFUSAL_DESC,        .spoil = element_unknown },
    { "axis_negative",     "VALID-AXIS",          REFUSAL_DESC,        .spoil = axis_negative },
    { "axis_rank",         "VALID-AXIS",          REFUSAL_DESC,        .spoil = axis_rank },
    { "axis_unused",       "VALID-AXIS",          REFUSAL_DESC,        .spoil = axis_unused },
    { "axis_family",       "VALID-AXIS",          REFUSAL_DESC,        .spoil = axis_family },
    { "axis_op",           "VALID-AXIS",          REFUSAL_DESC,        .spoil = axis_op },
    { "extent_negative",   "VALID-EXTENT",        REFUSAL_DESC,        .spoil = extent_negative },
    { "extent_overflow",   "VALID-EXTENT",        REFUSAL_DESC,        .spoil = extent_overflow },
    { "op_zero",           "VALID-OP",            REFUSAL_DESC,        .spoil = op_zero },
    { "op_unknown",        "VALID-OP",            REFUSAL_DESC,        .spoil = op_unknown },
    { "family_other",      "VALID-OP",            REFUSAL_DESC,        .spoil = family_other },
    { "policy_unknown",    "VALID-POLICY",        REFUSAL_DESC,        .spoil = policy_unknown },
    { "policy_reserved",   "VALID-POLICY",        REFUSAL_DESC,        .spoil = policy_reserved },
    { "pref_size",         "VALID-SIZE",          REFUSAL_PREFERENCE,  .spoil = pref_size },
    { "pref_workspace",    "VALID-PREFERENCE",    REFUSAL_PREFERENCE,  .spoil = pref_workspace },
    { "pref_every_run",    "VALID-PREFERENCE",    REFUSAL_PREFERENCE,  .spoil = pref_every_run },
    { "pref_same_bits",    "VALID-PREFERENCE",    REFUSAL_PREFERENCE,  .spoil = pref_same_bits },
    { "args_null",         "VALID-SIZE",          REFUSAL_ARGS,        .spoil = args_null },
    { "args_small",        "VALID-SIZE",          REFUSAL_ARGS,        .spoil = args_small },
    { "args_newer",        "VALID-SIZE",          REFUSAL_ARGS,        .spoil = args_newer },
    { "absent",            "VALID-PRESENCE",      REFUSAL_OPERAND,     .spoil_operand = absent },
    { "no_data",           "VALID-PRESENCE",      REFUSAL_OPERAND,     .spoil_operand = no_data },
    { "no_data_in_none",   "VALID-PRESENCE",      REFUSAL_OPERAND,     .spoil_operand = no_data_in_none },
    { "other_element",     "VALID-VIEW-ELEMENT",  REFUSAL_OPERAND,     .spoil_operand = other_element },
    { "no_element",        "VALID-VIEW-ELEMENT",  REFUSAL_OPERAND,     .spoil_operand = no_element },
    { "rank_less",         "VALID-SHAPE",         REFUSAL_OPERAND,     .spoil_operand = rank_less },
    { "rank_endless",      "VALID-SHAPE",         REFUSAL_OPERAND,     .spoil_operand = rank_endless },
    { "other_shape",       "VALID-SHAPE",         REFUSAL_OPERAND,     .spoil_operand = other_shape },
    { "other_extent",      "VALID-SHAPE",         REFUSAL_OPERAND,     .spoil_operand = other_extent },
    { "stride_negative",   "VALID-STRIDE",        REFUSAL_OPERAND,     .spoil_operand = stride_negative },
    { "stride_overflow",   "VALID-STRIDE",        REFUSAL_OPERAND,     .spoil_operand = stride_overflow },
    { "short",             "VALID-LENGTH",        REFUSAL_OPERAND,     .spoil_operand = too_short },
    { "length_negative",   "VALID-LENGTH",        REFUSAL_OPERAND,     .spoil_operand = length_negative },
    { "misaligned",        "VALID-ALIGNMENT",     REFUSAL_OPERAND,     .spoil_operand = misaligned },
    { "self_overlap",      "VALID-SELF-OVERLAP",  REFUSAL_OUTPUT,      .spoil_operand = self_overlap },
    { "repeats",           "VALID-SELF-OVERLAP",  REFUSAL_OUTPUT,      .spoil_operand = repeats },
    { "overlaps_shifted",  "VALID-OVERLAP",       REFUSAL_OUTPUT,      .spoil_operand = overlaps_shifted },
    { "overlaps_layout",   "VALID-OVERLAP",       REFUSAL_OUTPUT,      .spoil_operand = overlaps_layout },
    { "same_output",       "VALID-OVERLAP",       REFUSAL_OUTPUT,      .spoil_operand = same_output },
    { "ws_small",          "VALID-WORKSPACE",     REFUSAL_WORKSPACE,   .spoil = ws_small },
    { "ws_null",           "VALID-WORKSPACE",     REFUSAL_WORKSPACE,   .spoil = ws_null },
    { "ws_misaligned",     "VALID-WORKSPACE",     REFUSAL_WORKSPACE,   .spoil = ws_misaligned },
    { "ws_overlap",        "VALID-WORKSPACE",     REFUSAL_WORKSPACE,   .spoil = ws_overlap },
    { "memory",            "ERROR-INTERNAL",      REFUSAL_MEMORY,      .spoil = memory },
};
// clang-format on

const refusal *refusal_at(int row)
{
    return row >= 0 && row < (int)(sizeof refusals / sizeof *refusals) ? &refusals[row] : NULL;
}
