/* The table of innocents, and the backend that each of them is. */
#include "innocent_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ops with a sum over the line, with one running sum, with both. */
#define FOLDS "var, std, softmax, log_softmax"
#define RUNS "cumsum, cumprod, cummax, cummin, logcumsumexp"
#define ALL_SUMS FOLDS ", " RUNS
#define FUNCTIONS "logsumexp, logcumsumexp, pow, hypot, log_softmax"

/* Clauses of the order in which terms are added, of where sums start, of ranges. */
#define FOLDED "FOLD-ORDER, FOLD-TILES"
#define SCANNED "SCAN-ORDER, SCAN-SEGMENTED, SCAN-RECURRENCE, LCSE-LINEAR"
#define ORDERS FOLDED ", " SCANNED
#define SIGNS "FOLD-MISSING, ARITH-ZERO"
#define RANGES "DIV-OVERFLOW, ATAN2-ZERO, HYPOT-ZERO"

#define INNOCENT(name_, ops_, promise_, clauses_, about_, ...) \
    { .name = #name_, .ops = ops_, .promise = #promise_, .clauses = clauses_, .about = about_, __VA_ARGS__ },
static const innocent innocents[] = {
#include "innocents.def"
};

const innocent *innocent_at(int index)
{
    return index >= 0 && index < (int)(sizeof innocents / sizeof *innocents) ? &innocents[index] : NULL;
}

const innocent *innocent_find(const char *name)
{
    const innocent *v;
    for (int i = 0; (v = innocent_at(i)); i++)
        if (!strcmp(v->name, name))
            return v;
    return NULL;
}

static cot_status refuse(cot_error *error, cot_status code, const char *message)
{
    if (error) {
        *error = (cot_error){ .code = code };
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    return code;
}

/* ---- the backend ----------------------------------------------------------------------------- */

/* An open innocent. */
typedef struct opened {
    const innocent *v;
    uint64_t runs; /* so far */
} opened;

/* The options are the name. */
static cot_status open_innocent(const char *name, void **self, cot_error *error)
{
    opened *o = calloc(1, sizeof *o);
    if (!o)
        return refuse(error, COT_INTERNAL, "out of memory");
    o->v = innocent_find(name);
    *self = o;
    return COT_OK;
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    const opened *o = self;
    if (!cot_uses_spec_policies(desc->op, &desc->policies))
        return refuse(error, COT_UNSUPPORTED, "innocents know the spec's own policies");
    sku->layouts = COT_LAYOUT_ALL;
    sku->device = o->v->name;
    sku->guarantee.deterministic = sku->guarantee.bit_stable = strcmp(o->v->promise, "B") != 0;
    return COT_OK;
}

static innocent_call call_of(opened *o, const cot_desc *desc, const cot_args *args)
{
    const cot_op_info *op = cot_op_get(desc->op);
    line_shape l = lines_of(desc);
    innocent_call call = { o->v, .desc = desc, .op = op, .axis = l.axis, .n = l.n, .inner = l.inner, .lines = l.count };
    call.seed = innocent_hash((uint64_t)(o->v - innocents), o->v->flags & UNORDERED ? ++o->runs : 0);
    for (int i = COT_DY; i < OPERANDS; i++)
        if (cot_operand_used(op, (cot_operand)i) && !(i == COT_Y && op->needs & COT_Y_UNREAD))
            call.views[i] = args_view(args, (cot_operand)i);
    return call;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)stream, (void)workspace, (void)workspace_bytes;
    innocent_call call = call_of(self, desc, args);
    int in_double = desc->element == COT_F64, wide = (call.v->flags & WIDE_WORK) != 0;
    int (*const evaluate[])(const innocent_call *) = { innocent_run_f, innocent_run_d, innocent_run_l };
    return evaluate[in_double + wide](&call) ? refuse(error, COT_INTERNAL, "out of memory") : COT_OK;
}

cot_status innocent_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    // clang-format off
    static const cot_backend_api api = {
        .abi = COT_BACKEND_ABI, .size = sizeof api, .name = "innocent",
        .open = open_innocent, .close = free, .capabilities = capabilities, .run = run,
    };
    // clang-format on
    *backend = NULL;
    if (!innocent_find(name))
        return refuse(error, COT_UNSUPPORTED, "there is no such innocent: `cotangent spec --innocents` lists them");
    if (options && *options)
        return refuse(error, COT_UNSUPPORTED, "an innocent has no options");
    return cot_backend_from(&api, name, backend, error);
}
