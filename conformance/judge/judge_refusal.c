/* Judging calls that must be refused: the status, the operand, what was needed and got, and that nothing was written.
 */
#include "judge_refusal.h"
#include "conformance/case/device_run.h"
#include "conformance/case/refusal.h"

#include <stdlib.h>
#include <string.h>

/* Where an allocator is watched, one that fails must still be one that says so. */
COT_API const char *__asan_default_options(void); /* the runtime looks for it by name */
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

/* Bytes that a bad call could reach behind an operand, and what is in all of them. */
enum { BEHIND = 512, FILLING = 0x5A };

/* Memory full of the filling, on the host and where the backend reaches it. */
static cot_status place_filling(device_run *r, int block, size_t bytes, cot_error *error)
{
    void *filling = malloc(bytes);
    if (!filling)
        return COT_INTERNAL;
    memset(filling, FILLING, bytes);
    return device_place(r, block, (device_block){ filling, bytes, DEVICE_IN | DEVICE_OUT, NULL }, error);
}

/* A good call, contiguous. */
static cot_status prepare(device_run *r, const test_case *c, const cot_plan *plan, bad_call *to, cot_error *error)
{
    cot_status status = COT_OK;
    bad_call_begin(to, &c->desc);
    to->workspace_needed = to->workspace_bytes = cot_workspace_size(plan);
    to->promise = cot_precision_guarantee(plan);
    for (int o = COT_DY; o < OPERANDS && !status; o++) {
        if (!to->views[o].rank)
            continue;
        size_t bytes = (size_t)to->views[o].length * cot_element_size(c->desc.element) + BEHIND;
        status = place_filling(r, o, bytes, error);
        to->views[o].data = r->block[o].memory;
    }
    if (!status)
        status = place_filling(r, COT_WORKSPACE, to->workspace_needed + BEHIND, error);
    to->workspace = r->block[COT_WORKSPACE].memory;
    return status;
}

/* The allocation that cannot be had; one that can is as good. */
static cot_error ask_memory(cot_backend *backend, const bad_call *c)
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
static cot_error make_call(cot_backend *backend, const bad_call *c, int *late)
{
    cot_error error = { 0 };
    cot_plan *plan = NULL;
    cot_status status = cot_select(backend, c->no_desc ? NULL : &c->desc.known,
                                   c->prefers ? &c->preference.known : NULL, &plan, &error);
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
static int64_t written(const device_run *r, int64_t *looked_at)
{
    int64_t count = 0;
    if (device_fetch(r, NULL))
        return 0;
    for (int o = COT_DY; o < OPERANDS; o++)
        for (size_t i = 0; r->block[o].memory && i < r->block[o].bytes; i++, ++*looked_at)
            count += ((const unsigned char *)r->block[o].host)[i] != FILLING;
    return count;
}

static int is_alike(const cot_error *got, const bad_call *c)
{
    return c->any_detail || !c->wanted.code || (got->needed == c->wanted.needed && got->got == c->wanted.got);
}

/* A single mistake is its own clause's, but for what is asked of problems without cells. */
static const char *clause_of(const test_case *c)
{
    const refusal *r = refusal_at(c->bad[0].row - 1);
    int zeros = 0;
    for (int d = 0; d < c->desc.rank; d++)
        zeros += c->desc.shape[d] == 0;
    if (c->bad[1].row)
        return "VALID-ORDER";
    if (!zeros || r->kind == REFUSAL_DESC || r->kind == REFUSAL_PREFERENCE || r->kind == REFUSAL_ARGS)
        return r->clause;
    return zeros == 1 && cot_op_get(c->desc.op)->family == COT_REDUCE && c->desc.shape[c->desc.axis] == 0 ? "EMPTY-AXIS"
                                                                                                          : "EMPTY-RUN";
}

static void compare(const test_case *c, const bad_call *made, const cot_error *got, verdict *v)
{
    const cot_error *want = &made->wanted;
    int misnamed = got->code == want->code && want->code && got->operand != want->operand && !c->bad[1].row;
    v->statuses++;
    if (got->code != want->code || (want->code && got->operand != want->operand))
        verdict_fail_call(v, REASON_REFUSAL, misnamed ? "ERROR-DETAIL" : clause_of(c), got, want);
    else if (!is_alike(got, made))
        verdict_fail_call(v, REASON_REFUSAL_DETAIL, c->bad[1].row ? "VALID-ORDER" : "ERROR-DETAIL", got, want);
    else if (want->code && !*got->message && !made->memory)
        verdict_fail_call(v, REASON_REFUSAL_SILENT, "ERROR-DETAIL", got, want);
}

static void judge_call(const device_run *r, const test_case *c, const bad_call *made, verdict *v)
{
    int late = 0;
    cot_error got = made->memory ? ask_memory(r->backend, made) : make_call(r->backend, made, &late);
    if (late)
        verdict_fail_call(v, REASON_REFUSAL_LATE, "ASYNC", &got, NULL);
    compare(c, made, &got, v);
    int64_t damage = made->wanted.code ? written(r, &v->guard_bytes) : 0;
    if (damage)
        verdict_fail_count(v, REASON_REFUSAL_WROTE, refusal_at(c->bad[0].row - 1)->clause, damage);
}

static void clear(device_run *r)
{
    device_free(r);
    for (int i = 0; i < DEVICE_BLOCKS; i++)
        free(r->block[i].host);
}

cot_status judge_refusal(const court *seat, const test_case *c, verdict *v)
{
    device_run r = { .backend = seat->backend };
    bad_call to;
    cot_plan *plan = NULL;
    cot_error error = { 0 };
    cot_status status = cot_select(seat->backend, &c->desc, NULL, &plan, &error);
    if (!status)
        status = prepare(&r, c, plan, &to, &error);
    if (!status && !refusal_apply(c, &to)) {
        judge_call(&r, c, &to, v);
        v->reached = seat->level;
    } else if (status != COT_UNSUPPORTED) {
        error.code = status;
        verdict_fail_call(v, REASON_REFUSAL_UNREADY, "ERROR-INTERNAL", &error, NULL);
    } else {
        v->said = error;
    }
    clear(&r);
    cot_plan_free(plan);
    return status;
}
