/* A backend whose sums are added in a named order, a term at a time; all else is the reference's. */
#include "ordered.h"
#include "named.h"
#include "conformance/case/device_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct opened {
    named_order order;
    cot_backend *reference;
} opened;

static cot_status refuse(cot_error *error, cot_status code, const char *message)
{
    if (error) {
        *error = (cot_error){ .code = code };
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    return code;
}

/* ---- a call ---------------------------------------------------------------------------------- */

typedef struct call {
    const opened *o;
    const cot_desc *desc;
    const cot_view *view[OPERANDS];
    int64_t n, inner, lines;
    sum_tree tree;      /* of n terms; of a scan's prefix, in turn */
    double *term, *sum; /* the terms of a sum, in its direction; nodes of the tree */
} call;

/* To the compute type. A double holds more than twice a float's bits, so that what is rounded to it first is right. */
static double rounded(const call *c, double number)
{
    return c->desc->element == COT_F64 ? number : (double)(float)number;
}

static void *cell(const call *c, cot_operand o, int64_t line, int64_t i)
{
    const cot_view *v = c->view[o];
    int64_t extent = v->shape[c->desc->axis], first = line / c->inner * c->inner * extent + line % c->inner;
    int64_t at = cot_cell_offset(v, first) + (extent == 1 ? 0 : i * v->strides[c->desc->axis]);
    return (char *)v->data + at * (int64_t)cot_element_size(v->element);
}

static double get(const call *c, cot_operand o, int64_t line, int64_t i)
{
    return cot_cell_get(c->desc->element, cell(c, o, line, i));
}

/* The sum of the tree's terms. */
static double add_up(const call *c, const sum_tree *t)
{
    memcpy(c->sum, c->term, (size_t)t->terms * sizeof *c->sum);
    for (int i = t->terms; i < t->nodes; i++) {
        const int *of = t->of[i - t->terms];
        c->sum[i] = rounded(c, c->sum[of[0]] + c->sum[of[1]]);
    }
    return c->sum[t->root];
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* What a line gives, into `out`. */
typedef int line_of(call *c, int64_t line, double *out);

static int softmax(call *c, int64_t line, double *out)
{
    for (int64_t i = 0; i < c->n; i++)
        c->term[i] = rounded(c, get(c, COT_Y, line, i) * get(c, COT_DY, line, i));
    double sum = add_up(c, &c->tree);
    for (int64_t i = 0; i < c->n; i++)
        out[i] = rounded(c, get(c, COT_Y, line, i) * rounded(c, get(c, COT_DY, line, i) - sum));
    return 0;
}

static double mean_of(call *c, int64_t line)
{
    for (int64_t i = 0; i < c->n; i++)
        c->term[i] = get(c, COT_X, line, i);
    return rounded(c, add_up(c, &c->tree) / rounded(c, (double)c->n));
}

static double divisor(const call *c)
{
    int64_t m = c->n - c->desc->correction;
    if (m <= 0)
        return 1;
    return c->desc->element == COT_F64 ? (double)m : (double)(float)m;
}

static int var(call *c, int64_t line, double *out)
{
    double mean = mean_of(c, line), twice = rounded(c, get(c, COT_DY, line, 0) * 2);
    for (int64_t i = 0; i < c->n; i++) {
        double product = rounded(c, twice * rounded(c, get(c, COT_X, line, i) - mean));
        out[i] = rounded(c, product / divisor(c));
    }
    return 0;
}

static int std(call *c, int64_t line, double *out)
{
    double mean = mean_of(c, line), g = get(c, COT_DY, line, 0);
    double scale = rounded(c, divisor(c) * get(c, COT_Y, line, 0));
    for (int64_t i = 0; i < c->n; i++)
        out[i] = rounded(c, rounded(c, g * rounded(c, get(c, COT_X, line, i) - mean)) / scale);
    return 0;
}

/* Each cell is a sum of its own: of as many terms as come before it. */
static int scan(call *c, int64_t line, double *out)
{
    int along = !c->desc->reverse, products = c->desc->op == COT_CUMPROD;
    for (int64_t k = 0; k < c->n; k++) {
        int64_t i = along ? c->n - 1 - k : k;
        double g = get(c, COT_DY, line, i);
        c->term[k] = products ? rounded(c, g * get(c, COT_Y, line, i)) : g;
    }
    for (int64_t k = 0; k < c->n; k++) {
        int64_t i = along ? c->n - 1 - k : k;
        sum_tree t;
        int missing = named_make(c->o->order, (int)k + 1, &t);
        double sum = missing ? 0 : add_up(c, &t);
        sum_tree_free(&t);
        if (missing)
            return -1;
        out[i] = products ? rounded(c, sum / get(c, COT_X, line, i)) : sum;
    }
    return 0;
}

static const struct {
    cot_op op;
    line_of *line;
    int64_t most; /* terms */
} ops[] = { { COT_VAR, var, 1 << 21 },
            { COT_STD, std, 1 << 21 },
            { COT_SOFTMAX, softmax, 1 << 21 },
            { COT_CUMSUM, scan, 1024 },
            { COT_CUMPROD, scan, 1024 } };

enum { OPS = sizeof ops / sizeof *ops };

static int row_of(cot_op op)
{
    int i = 0;
    while (i < OPS && ops[i].op != op)
        i++;
    return i;
}

/* ---- the backend ----------------------------------------------------------------------------- */

static cot_status open_ordered(const char *name, void **self, cot_error *error)
{
    opened *o = calloc(1, sizeof *o);
    if (!o)
        return refuse(error, COT_INTERNAL, "out of memory");
    named_find(name, &o->order);
    cot_status status = cot_backend_open("ref", NULL, &o->reference, error);
    if (status)
        free(o);
    else
        *self = o;
    return status;
}

static void close_ordered(void *self)
{
    opened *o = self;
    cot_backend_close(o->reference);
    free(o);
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    const cot_op_info *op = cot_op_get(desc->op);
    int row = row_of(desc->op);
    (void)self;
    if (op->order != COT_ORDER_NONE && row == OPS)
        return refuse(error, COT_UNSUPPORTED, "under another order var, std, softmax, cumsum and cumprod are known");
    if (row < OPS && desc->shape[desc->axis] > ops[row].most)
        return refuse(error, COT_UNSUPPORTED, "such long lines are not added in another order");
    if (row < OPS && !cot_uses_spec_policies(desc->op, &desc->policies))
        return refuse(error, COT_UNSUPPORTED, "another order is known with the spec's own policies");
    sku->layouts = COT_LAYOUT_ALL;
    sku->device = "another order of sums";
    sku->guarantee.deterministic = sku->guarantee.bit_stable = 1;
    sku->guarantee.order = COT_ORDER_ANOTHER;
    return COT_OK;
}

static call call_of(const opened *o, const cot_desc *desc, const cot_args *args)
{
    line_shape l = lines_of(desc);
    call c = { .o = o, .desc = desc, .n = l.n, .inner = l.inner, .lines = l.count };
    for (int i = COT_DY; i < OPERANDS; i++)
        if (cot_operand_used(cot_op_get(desc->op), (cot_operand)i))
            c.view[i] = args_view(args, (cot_operand)i);
    return c;
}

/* All lines before the first is written: an output may be an input. */
static int compute(call *c)
{
    double *out = calloc((size_t)(c->n * c->lines) + 1, sizeof *out);
    line_of *line = ops[row_of(c->desc->op)].line;
    c->term = calloc((size_t)c->n + 1, sizeof *c->term);
    c->sum = calloc(2 * (size_t)c->n + 1, sizeof *c->sum);
    int missing = !out || !c->term || !c->sum || named_make(c->o->order, (int)c->n, &c->tree);
    for (int64_t l = 0; l < c->lines && !missing; l++)
        missing = line(c, l, out + l * c->n);
    for (int64_t l = 0; l < c->lines && !missing; l++)
        for (int64_t i = 0; i < c->n; i++)
            cot_cell_set(c->desc->element, cell(c, COT_DX, l, i), out[l * c->n + i]);
    sum_tree_free(&c->tree);
    free(out);
    free(c->term);
    free(c->sum);
    return missing;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)stream, (void)workspace, (void)workspace_bytes;
    if (row_of(desc->op) == OPS)
        return device_execute_args(((opened *)self)->reference, desc, args, error);
    call c = call_of(self, desc, args);
    return c.n && c.lines && compute(&c) ? refuse(error, COT_INTERNAL, "out of memory") : COT_OK;
}

cot_status ordered_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    // clang-format off
    static const cot_backend_api api = {
        .abi = COT_BACKEND_ABI, .size = sizeof api, .name = "order",
        .open = open_ordered, .close = close_ordered, .capabilities = capabilities, .run = run,
    };
    // clang-format on
    named_order order;
    *backend = NULL;
    if (named_find(name, &order))
        return refuse(error, COT_UNSUPPORTED,
                      "no order has that name: sequential, reverse, pairwise, lanes(8) and others, as cotangent "
                      "fingerprint prints them");
    if (options && *options)
        return refuse(error, COT_UNSUPPORTED, "an order has no options");
    return cot_backend_from(&api, name, backend, error);
}
