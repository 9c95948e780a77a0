/* A block of each kind of pair on the reference: its results pass, as they are and as somebody has kept them, and one
 * that is spoilt is found, at its pair. */
#include "run.h"
#include "conformance/judge/judge.h"
#include "conformance/tap/tap.h"

#include <stdlib.h>
#include <string.h>

enum { A = 0x3555, B = 0x3800 }; /* in f16 a third and a half */

typedef struct exhibit {
    sweep s;
    cot_backend *backend;
    block_result own; /* of the results as they are */
    char *raw;
} exhibit;

static int same_verdict(const block_result *l, const block_result *r)
{
    return l->digest == r->digest && l->cells == r->cells && l->edges == r->edges && l->failed == r->failed;
}

static block_result judged(const exhibit *x, int bits)
{
    block_result r = { .failed = -1 };
    sweep_judge(&x->s, bits, A, x->raw, &r);
    return r;
}

/* Adds to the bits of pair B's result `out`, and takes that back. */
static block_result judged_with(const exhibit *x, int out, uint16_t off, int bits)
{
    uint16_t *cell = (uint16_t *)(void *)x->raw + (size_t)out * BLOCK + B;
    *cell = (uint16_t)(*cell + off);
    block_result r = judged(x, bits);
    *cell = (uint16_t)(*cell - off);
    return r;
}

static int is_found(const exhibit *x, const block_result *r, int out)
{
    char name = "xab"[results_of(x->s.desc.op) == 1 ? 0 : 1 + out];
    return r->failed == 1 && r->first.out == name && r->first.a == A && r->first.b == B
           && (uint16_t)(r->first.got - r->first.want) < 4;
}

static void test_spoilt(const exhibit *x, const char *name)
{
    for (int out = 0; out < results_of(x->s.desc.op); out++) {
        block_result bound = judged_with(x, out, 3, 0), bits = judged_with(x, out, 1, 1);
        ok(is_found(x, &bound, out), "%s, result %d: three places off are beyond the bound, at that pair", name, out);
        ok(is_found(x, &bits, out), "%s, result %d: one is not the spec's bits", name, out);
    }
}

static void test_op(cot_backend *backend, cot_op op)
{
    exhibit x = { .backend = backend,
                  .s = { .dys = 1, .dy = { 0.7 }, .blocks = BLOCK, .last = BLOCK - 1, .shard = 1, .shards = 1 } };
    const char *name = cot_op_get(op)->name;
    cot_error error = { .message = "" };
    x.s.desc = pairs_desc(op, COT_F16);
    x.s.desc.param = 0.25;
    x.raw = malloc(sweep_raw_size(&x.s));
    if (!x.raw || sweep_one(backend, &x.s, A, &x.own, x.raw, &error)) {
        ok(0, "%s: %s", name, error.message);
        free(x.raw);
        return;
    }
    block_result bits = judged(&x, 1), bound = judged(&x, 0);
    ok(!x.own.failed && x.own.cells == (int64_t)results_of(op) * BLOCK, "%s: %d results a pair, and none is wrong",
       name, results_of(op));
    ok(same_verdict(&x.own, &bits) && same_verdict(&x.own, &bound), "%s: nor are they when somebody has kept them",
       name);
    test_spoilt(&x, name);
    free(x.raw);
}

int main(void)
{
    cot_backend *backend;
    cot_error error;
    plan(NO_PLAN);
    if (cot_backend_open("ref", NULL, &backend, &error))
        BAIL_OUT("%s", error.message);
    test_op(backend, COT_DIV);
    test_op(backend, COT_LERP);
    test_op(backend, COT_PROD);
    test_op(backend, COT_LOGSUMEXP);
    test_op(backend, COT_SOFTMAX);
    test_op(backend, COT_LOG_SOFTMAX);
    cot_backend_close(backend);
    judge_end();
    return done_testing();
}
