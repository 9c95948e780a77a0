/* The table of mutants, and the backend that each of them is. */
#include "mutant_call.h"
#include "mutant_defects.h"
#include "conformance/clause/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUTANT(name_, clause_, ops_, also_, about_, ...) \
    { .name = #name_, .clause = clause_, .ops = ops_, .also = also_, .about = about_, __VA_ARGS__ },
#define WITH(bits) .with = (bits),
#define WORKSPACE(bytes) .workspace = (bytes),
#define SLOW .slow = 1,
#define WHERE(function) .where = function,
#define ASK(function) .ask = function,
#define FEED(function) .feed = function,
#define FORMULAS "SUM, MEAN, MAX, PROD, NORM2, LSE, VAR, STD, CUMSUM, CUMPROD, CUMMAX, LCSE, SOFTMAX, LOGSOFTMAX"
#define UNITS "BOUND, ARITH-STORE, ARITH-COMPUTE, ARITH-ORDER, ARITH-MATH, FOLD-ORDER, SCAN-ORDER"
#define CELL(function) .cell = function,
#define LINE(function) .line = function,
#define SKIP(function) .skip = function,
#define SCRIBBLE(function) .scribble = function,
#define REFUSE(function) .refuse = function,
#define SETTLE(function) .settle = function,
#define PROMISE(function) .promise = function,
#define ALLOC(function) .alloc = function,
#define CHECK(function) .check = function,
#define REPAIR(function) .repair = function,
#define FORWARD(function) .forward = function,
static const mutant mutants[] = {
#include "mutants.def"
};

/* Mutants without a defect: the reference, and the machinery of some mutants where it has nothing to break. */
// clang-format off
static const mutant controls[] = {
    MUTANT(none, "LAYOUT-ONLY-CELLS", "all", "", "the reference", WITH(0))
    MUTANT(none_fold, "FOLD-ORDER", "var, std, softmax, log_softmax", "", "", LINE(refold))
    MUTANT(none_scan, "SCAN-ORDER", "cumsum, cumprod", "", "", LINE(rescan))
    MUTANT(none_winners, "SCAN-SEGMENTED", "cummax, cummin", "", "", LINE(rewin))
    MUTANT(none_recurrence, "SCAN-RECURRENCE", "logcumsumexp", "", "", LINE(lcse_recurrence))
};
// clang-format on

const mutant *mutant_at(int index)
{
    return index >= 0 && index < (int)(sizeof mutants / sizeof *mutants) ? &mutants[index] : NULL;
}

const mutant *control_at(int index)
{
    return index >= 0 && index < (int)(sizeof controls / sizeof *controls) ? &controls[index] : NULL;
}

const mutant *mutant_of_all(int index)
{
    const mutant *(*const tables[])(int) = { mutant_at, control_at, vacuous_at, rare_at };
    const mutant *m = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !m; i++)
        for (int row = 0; !m && tables[i](row); row++)
            m = index-- ? NULL : tables[i](row);
    return m;
}

const mutant *mutant_find(const char *name)
{
    const mutant *m;
    for (int i = 0; (m = mutant_of_all(i)); i++)
        if (!strcmp(m->name, name))
            return m;
    return NULL;
}

cot_status mutant_fail(cot_error *error, cot_status code, cot_operand operand, int64_t needed, int64_t got,
                       const char *message)
{
    if (error) {
        *error = (cot_error){ .code = code, .operand = operand, .needed = needed, .got = got };
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    return code;
}

/* ---- the backend ----------------------------------------------------------------------------- */

/* Options are "mutant=NAME" and, after a comma, what the reference is to get. */
static cot_status open_mutant(const char *options, void **out, cot_error *error)
{
    char name[64] = "";
    const char *rest = strchr(options, ',');
    mutant_self *self = calloc(1, sizeof *self);
    if (!self)
        return mutant_fail(error, COT_INTERNAL, COT_NO_OPERAND, sizeof *self, 0, "out of memory");
    sscanf(options, "mutant=%63[^,]", name);
    self->m = mutant_find(name);
    if (rest)
        sscanf(rest, ",threads=%u", &self->threads);
    cot_status status = cot_backend_open("ref", rest ? rest + 1 : NULL, &self->reference, error);
    if (status)
        free(self);
    else
        *out = self;
    return status;
}

static void close_mutant(void *opened)
{
    mutant_self *self = opened;
    cot_backend_close(self->reference);
    free(self);
}

static int affects(const mutant *m, const cot_desc *desc)
{
    const cot_op_info *op = cot_op_get(desc->op);
    return op && scope_names(m->ops, op) && (!m->where || m->where(m, desc));
}

static cot_status capabilities(void *opened, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    mutant_self *self = opened;
    cot_plan *plan = NULL;
    cot_status status = cot_select(self->reference, desc, NULL, &plan, error);
    if (!status) { /* else `check` has let it pass */
        sku->layouts = cot_plan_sku(plan)->layouts;
        sku->guarantee = cot_plan_sku(plan)->guarantee;
    }
    cot_plan_free(plan);
    return self->m->promise && affects(self->m, desc) ? self->m->promise(self, desc, sku, error) : COT_OK;
}

static size_t workspace_size(void *opened, const cot_desc *desc)
{
    const mutant_self *self = opened;
    return affects(self->m, desc) ? self->m->workspace : 0;
}

cot_status check_unbroken(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    cot_plan *plan = NULL;
    cot_status status = cot_select(self->reference, desc, NULL, &plan, error);
    if (!status && args)
        status = cot_can_implement(plan, args, error);
    cot_plan_free(plan);
    return status;
}

static cot_status validate(void *opened, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    mutant_self *self = opened;
    return self->m->check ? self->m->check(self, desc, args, error) : check_unbroken(self, desc, args, error);
}

static cot_status run_numbers(mutant_call *c, cot_error *error)
{
    cot_status status = COT_OK;
    if (c->m->ask)
        c->m->ask(c);
    if (call_read(c))
        return mutant_fail(error, COT_INTERNAL, COT_NO_OPERAND, 0, 0, "out of memory");
    if (c->m->feed)
        c->m->feed(c);
    status = call_run(c, error);
    if (!status) {
        call_apply(c);
        call_write(c);
        if (c->m->scribble)
            c->m->scribble(c);
    }
    return status;
}

static cot_status run(void *opened, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)stream;
    mutant_self *self = opened;
    mutant_call c = { .m = affects(self->m, desc) ? self->m : control_at(0),
                      .self = self,
                      .desc = *desc,
                      .args = args,
                      .workspace = workspace,
                      .workspace_bytes = workspace_bytes };
    if (check_unbroken(self, desc, args, NULL)) /* `check` let it pass: it is enough to have done so */
        return COT_OK;
    cot_status status = c.m->refuse ? c.m->refuse(&c, error) : COT_OK;
    if (!status)
        status = run_numbers(&c, error);
    call_free(&c);
    self->runs++;
    return status;
}

static cot_status synchronize(void *opened, cot_stream stream, cot_error *error)
{
    mutant_self *self = opened;
    (void)stream;
    return self->m->settle ? self->m->settle(self, error) : COT_OK;
}

/* ---- memory: the host's own ------------------------------------------------------------------ */

static cot_status alloc_host(void *opened, size_t bytes, void **memory, cot_error *error)
{
    const mutant_self *self = opened;
    if (self->m->alloc)
        return self->m->alloc(bytes, memory, error);
    return cot_alloc(self->reference, bytes, memory, error);
}

static void free_host(void *opened, void *memory) { cot_free(((mutant_self *)opened)->reference, memory); }

static cot_status copy_in(void *opened, void *to, const void *from_host, size_t bytes, cot_error *error)
{
    return cot_copy_in(((mutant_self *)opened)->reference, to, from_host, bytes, error);
}

static cot_status copy_out(void *opened, void *to_host, const void *from, size_t bytes, cot_error *error)
{
    return cot_copy_out(((mutant_self *)opened)->reference, to_host, from, bytes, error);
}

cot_status mutant_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    // clang-format off
    static const cot_backend_api api = {
        .abi = COT_BACKEND_ABI, .size = sizeof api, .name = "mutant",
        .open = open_mutant, .close = close_mutant, .capabilities = capabilities, .workspace_size = workspace_size,
        .run = run, .synchronize = synchronize,
        .alloc = alloc_host, .free = free_host, .copy_in = copy_in, .copy_out = copy_out, .validate = validate,
    };
    // clang-format on
    const mutant *m = mutant_find(name);
    char text[256];
    *backend = NULL;
    if (!m)
        return mutant_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0,
                           "there is no such mutant: `cotangent spec --mutants` lists them");
    if (m->forward)
        return mutant_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0,
                           "this mutant breaks a forward operation, which no backend computes: "
                           "conformance/run/test_mutants judges it");
    snprintf(text, sizeof text, "mutant=%s%s%s", name, options ? "," : "", options ? options : "");
    return cot_backend_from(&api, text, backend, error);
}
