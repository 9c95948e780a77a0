/* A good call of any op, for tests that break it. Its backend accepts everything and computes nothing. */
#ifndef COT_TEST_CALL_H
#define COT_TEST_CALL_H

#include "internal.h"
#include "conformance/tap/tap.h"

#include <stdio.h>
#include <string.h>

enum { TEST_ROWS = 4, TEST_COLUMNS = 6 };

typedef struct call {
    cot_desc desc;
    unsigned char newer_fields[8]; /* stands where a later header's fields would */
    cot_desc good;
    cot_args args;
    cot_view views[COT_OPERANDS];
    cot_error wanted;
    int bent[COT_OPERANDS]; /* how many spoilers changed what the operand reaches */
    _Alignas(16) float memory[COT_OPERANDS][2 * TEST_ROWS * TEST_COLUMNS];
} call;

static inline cot_status accept(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)desc, (void)error;
    sku->layouts = COT_LAYOUT_ALL;
    return COT_OK;
}

static inline cot_status compute_nothing(void *self, cot_stream stream, void *workspace, size_t bytes,
                                         const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)self, (void)stream, (void)workspace, (void)bytes, (void)desc, (void)args, (void)error;
    return COT_OK;
}

static const cot_backend_api accepting = { .abi = COT_BACKEND_ABI,
                                           .size = sizeof accepting,
                                           .name = "accepting",
                                           .capabilities = accept,
                                           .run = compute_nothing };

static inline const cot_view **slot(call *c, cot_operand operand)
{
    const cot_view **const slots[] = { &c->args.dy, &c->args.x,  &c->args.y,  &c->args.a,
                                       &c->args.b,  &c->args.dx, &c->args.da, &c->args.db };
    return slots[operand - COT_DY];
}

static inline int64_t cells(const call *c, cot_operand operand)
{
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&c->good, operand, shape);
    return cot_cell_count(c->good.rank, shape);
}

static inline void good_call(call *c, const cot_op_info *op)
{
    memset(c, 0, sizeof *c);
    c->desc = (cot_desc){ COT_SIZED(cot_desc),
                          .op = op->op,
                          .element = COT_F32,
                          .rank = 2,
                          .shape = { TEST_ROWS, TEST_COLUMNS },
                          .axis = 1 };
    c->good = c->desc;
    c->args.size = sizeof c->args;
    for (int o = COT_DY; o <= COT_DB; o++) {
        int32_t shape[COT_MAX_RANK];
        if (!cot_operand_used(op, (cot_operand)o))
            continue;
        cot_operand_shape(&c->desc, (cot_operand)o, shape);
        c->views[o] = cot_contiguous(COT_F32, 2, shape, c->memory[o]);
        *slot(c, (cot_operand)o) = &c->views[o];
    }
}

static inline void want(call *c, cot_status code, cot_operand operand, int64_t needed, int64_t got)
{
    c->wanted = (cot_error){ .code = code, .operand = operand, .needed = needed, .got = got };
}

/* Select and run: the error, or COT_OK. Views may have been copied together with the call, so pointers are set anew. */
static inline cot_error make_call(call *c)
{
    cot_backend backend = { .api = &accepting };
    cot_error error = { 0 };
    cot_plan *plan = NULL;
    for (int o = COT_DY; o <= COT_DB; o++)
        if (*slot(c, (cot_operand)o))
            *slot(c, (cot_operand)o) = &c->views[o];
    cot_status status = cot_select(&backend, &c->desc, NULL, &plan, &error);
    if (!status)
        status = cot_run(plan, NULL, NULL, 0, &c->args, &error);
    cot_plan_free(plan);
    error.code = status == error.code ? status : COT_INTERNAL; /* the two must say the same */
    return error;
}

static inline bool as_wanted(const call *c, const cot_error *e)
{
    const cot_error *w = &c->wanted;
    return e->code == w->code && e->operand == w->operand && e->needed == w->needed && e->got == w->got;
}

static inline const char *describe(const cot_error *e)
{
    static char text[2][160];
    static int turn;
    turn = !turn;
    snprintf(text[turn], sizeof text[turn], "%s of %s, needed %lld, got %lld", cot_status_name(e->code),
             cot_operand_name(e->operand), (long long)e->needed, (long long)e->got);
    return text[turn];
}

#endif
