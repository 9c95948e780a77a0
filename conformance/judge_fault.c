#include "judge_fault.h"
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where an allocator is watched, one that fails must still be one that says so. */
COT_API const char *__asan_default_options(void); /* the runtime looks for it by name */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

enum { ROOM = 512, FILLING = 0x5A }; /* bytes that a bad call could reach behind an operand, and what is in all of them */

/* The operands of a call, in the backend's memory. */
typedef struct scene {
    cot_backend *backend;
    void *memory[OPERANDS], *workspace;
    size_t bytes[OPERANDS];
} scene;

static cot_status fill(cot_backend *backend, size_t bytes, void **memory, cot_error *error)
{
    unsigned char *filling = malloc(bytes);
    cot_status status = filling ? cot_alloc(backend, bytes, memory, error) : COT_INTERNAL;
    if (!status) {
        memset(filling, FILLING, bytes);
        status = cot_copy_in(backend, *memory, filling, bytes, error);
    }
    free(filling);
    return status;
}

/* A good call, contiguous. */
static cot_status prepare(scene *s, const test_case *c, const cot_plan *plan, call *to, cot_error *error)
{
    cot_status status = COT_OK;
    call_begin(to, &c->desc);
    to->workspace_needed = to->workspace_bytes = cot_workspace_size(plan);
    to->promise = cot_precision_guarantee(plan);
    for (int o = COT_DY; o < OPERANDS && !status; o++) {
        if (!to->views[o].rank)
            continue;
        s->bytes[o] = (size_t)to->views[o].length * cot_element_size(c->desc.element) + ROOM;
        status = fill(s->backend, s->bytes[o], &s->memory[o], error);
        to->views[o].data = s->memory[o];
    }
    if (!status)
        status = fill(s->backend, to->workspace_needed + ROOM, &s->workspace, error);
    to->workspace = s->workspace;
    return status;
}

/* The allocation that cannot be had; one that can is as good. */
static cot_error ask_memory(cot_backend *backend, const call *c)
{
    cot_error error = { 0 };
    void *memory = NULL;
    error.code = cot_alloc(backend, c->memory, &memory, &error);
    if (error.code)
        return error;
    cot_free(backend, memory);
    return c->wanted;
}

/* `late`: it was refused, but not before synchronise. */
static cot_error make_call(cot_backend *backend, const call *c, int *late)
{
    cot_error error = { 0 };
    cot_plan *plan = NULL;
    cot_status status = cot_select(backend, c->no_desc ? NULL : &c->desc.known, c->prefers ? &c->preference.known : NULL, &plan, &error);
    if (!status)
        status = cot_run(plan, NULL, c->workspace, c->workspace_bytes, c->no_args ? NULL : &c->args.known, &error);
    *late = !status;
    if (!status)
        status = cot_synchronize(backend, NULL, &error);
    *late &= status != COT_OK;
    cot_plan_free(plan);
    error.code = status;
    return error;
}

/* Bytes that a refused call has written. */
static int64_t written(const scene *s, int64_t *looked_at)
{
    int64_t count = 0;
    cot_error error;
    for (int o = COT_DY; o < OPERANDS; o++) {
        unsigned char *back = s->memory[o] ? malloc(s->bytes[o]) : NULL;
        if (back && !cot_copy_out(s->backend, back, s->memory[o], s->bytes[o], &error))
            for (size_t i = 0; i < s->bytes[o]; i++, ++*looked_at)
                count += back[i] != FILLING;
        free(back);
    }
    return count;
}

static int is_alike(const cot_error *got, const call *c)
{
    return c->any_detail || !c->wanted.code || (got->needed == c->wanted.needed && got->got == c->wanted.got);
}

/* A single fault is its own clause's, but for what is asked of problems without cells. */
static const char *clause_of(const test_case *c)
{
    const fault *f = fault_at(c->bad[0].row - 1);
    int zeros = 0;
    for (int d = 0; d < c->desc.rank; d++)
        zeros += c->desc.shape[d] == 0;
    if (c->bad[1].row)
        return "VALID-ORDER";
    if (!zeros || f->kind == FAULT_DESC || f->kind == FAULT_PREFERENCE || f->kind == FAULT_ARGS)
        return f->clause;
    return zeros == 1 && cot_op_get(c->desc.op)->family == COT_REDUCE && c->desc.shape[c->desc.axis] == 0 ? "EMPTY-AXIS" : "EMPTY-RUN";
}

static void compare(const test_case *c, const call *made, const cot_error *got, verdict *v)
{
    const cot_error *want = &made->wanted;
    int misnamed = got->code == want->code && want->code && got->operand != want->operand && !c->bad[1].row;
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s of %s, needed %lld, got %lld", cot_status_name(want->code), cot_operand_name(want->operand),
             (long long)want->needed, (long long)want->got);
    v->statuses++;
    if (got->code != want->code || (want->code && got->operand != want->operand))
        verdict_fail(v, LEVEL_E, misnamed ? "ERROR-DETAIL" : clause_of(c), "wanted %s; it said %s of %s, needed %lld, got %lld: %s", wanted, cot_status_name(got->code),
                     cot_operand_name(got->operand), (long long)got->needed, (long long)got->got, got->message);
    else if (!is_alike(got, made))
        verdict_fail(v, LEVEL_E, c->bad[1].row ? "VALID-ORDER" : "ERROR-DETAIL", "wanted %s; it said needed %lld, got %lld: %s", wanted, (long long)got->needed,
                     (long long)got->got, got->message);
    else if (want->code && !*got->message && !made->memory)
        verdict_fail(v, LEVEL_E, "ERROR-DETAIL", "refused as it should be (%s), but without a message", wanted);
}

static void judge_call(const scene *s, const test_case *c, const call *made, verdict *v)
{
    int late = 0;
    cot_error got = made->memory ? ask_memory(s->backend, made) : make_call(s->backend, made, &late);
    if (late)
        verdict_fail(v, LEVEL_E, "ASYNC", "run said nothing, and synchronise then %s: %s", cot_status_name(got.code), got.message);
    compare(c, made, &got, v);
    int64_t damage = made->wanted.code ? written(s, &v->guard_bytes) : 0;
    if (damage)
        verdict_fail(v, LEVEL_E, fault_at(c->bad[0].row - 1)->clause, "a refused call has written %lld bytes", (long long)damage);
}

static void clear(const scene *s)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (s->memory[o])
            cot_free(s->backend, s->memory[o]);
    if (s->workspace)
        cot_free(s->backend, s->workspace);
}

cot_status judge_fault(const court *seat, const test_case *c, verdict *v)
{
    scene s = { .backend = seat->backend };
    call to;
    cot_plan *plan = NULL;
    cot_error error = { 0 };
    cot_status status = cot_select(seat->backend, &c->desc, NULL, &plan, &error);
    if (!status)
        status = prepare(&s, c, plan, &to, &error);
    if (!status && !fault_apply(c, &to)) {
        judge_call(&s, c, &to, v);
        v->reached = seat->level;
    } else if (status != COT_UNSUPPORTED) {
        verdict_fail(v, LEVEL_E, "ERROR-INTERNAL", "%s: %s", cot_status_name(status), error.message);
    }
    clear(&s);
    cot_plan_free(plan);
    return status;
}
