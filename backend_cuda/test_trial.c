/* Runs a gradient on a backend from the host's memory, and compares it with another's bits. */
#include "test_trial.h"
#include "conformance/tap/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static _Thread_local uint64_t state = 1;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static double value(int kind)
{
    static const double special[] = { 0.0,     -0.0, __builtin_inf(), -__builtin_inf(), __builtin_nan(""), 1e-42,
                                      65504.0, 1.0 };
    double plain = (double)draw() / 0x1p30 - 1;
    switch (kind) {
    case 0: return plain * 3;
    case 1: return (double)(draw() % 5) - 2; /* ties, exact quotients */
    case 2: return draw() % 4 ? plain : special[draw() % 8];
    default: return plain * 1e-7; /* subnormals in f16 */
    }
}

/* Any pattern at all, once in a while. */
static void set_cell(const trial *t, char *cell)
{
    uint64_t bits = (uint64_t)draw() << 32 ^ (uint64_t)draw() << 13 ^ draw();
    if (t->values == 2 && draw() % 8 == 0)
        memcpy(cell, &bits, cot_element_size(t->desc.element));
    else
        cot_cell_set(t->desc.element, cell, value(t->values));
}

/* ---- operands -------------------------------------------------------------------------------- */

static void lay_out(const trial *t, cot_operand o, cot_view *v)
{
    int last = v->rank - 1;
    int64_t next = t->layout == GAPPED ? 2 : 1;
    for (int i = 0; i <= last; i++) {
        int d = t->layout == TURNED ? i : last - i;
        v->strides[d] = next;
        next = next * (v->shape[d] ? v->shape[d] : 1) + (t->layout == PADDED && i == 0 ? 3 : 0);
    }
    if (t->layout == REPEATED && !cot_is_output(o))
        v->strides[0] = 0;
}

static bool make_operand(trial *t, cot_operand o)
{
    size_t size = cot_element_size(t->desc.element);
    int64_t cells, first = t->layout == SHIFTED;
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&t->desc, o, shape);
    cot_view *v = &t->views[o];
    *v = cot_contiguous(t->desc.element, t->desc.rank, shape, NULL);
    lay_out(t, o, v);
    cot_span(v, &cells);
    v->length = cells;
    t->bytes[o] = (size_t)(cells + first) * size;
    t->memory[o] = malloc(t->bytes[o] + 1);
    for (size_t i = 0; t->memory[o] && i + size <= t->bytes[o]; i += size)
        set_cell(t, t->memory[o] + i);
    return t->memory[o] != NULL;
}

/* An input of the first output's shape. */
static cot_operand alias_of(const trial *t)
{
    const cot_op_info *op = cot_op_get(t->desc.op);
    const cot_operand wanted[] = { COT_X, COT_A, op->family == COT_REDUCE ? COT_NO_OPERAND : COT_DY };
    for (int i = 0; i < 3 && t->layout == ALIASED; i++)
        if (wanted[i] && cot_operand_used(op, wanted[i]))
            return wanted[i];
    return COT_NO_OPERAND;
}

bool trial_make(trial *t)
{
    const cot_op_info *op = cot_op_get(t->desc.op);
    bool good = true;
    memset(t->memory, 0, sizeof t->memory);
    for (int o = COT_DY; o <= COT_DB && good; o++)
        if (cot_operand_used(op, (cot_operand)o))
            good = make_operand(t, (cot_operand)o);
    t->alias = alias_of(t);
    return good;
}

void trial_free(trial *t)
{
    for (int o = COT_DY; o <= COT_DB; o++)
        free(t->memory[o]);
}

const char *trial_name(const trial *t)
{
    static const char *const layouts[] = { "dense", "shifted", "turned", "padded", "gapped", "repeated", "aliased" };
    static _Thread_local char text[128];
    int used = snprintf(text, sizeof text, "%s %s %s values %d axis %d shape", cot_op_get(t->desc.op)->name,
                        cot_element_name(t->desc.element), layouts[t->layout], t->values, t->desc.axis);
    for (int d = 0; d < t->desc.rank; d++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %d", t->desc.shape[d]);
    return text;
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct run {
    const trial *t;
    cot_backend *backend;
    void *memory[COT_DB + 1], *workspace;
    cot_view views[COT_DB + 1];
    cot_args args;
    cot_plan *plan;
} run;

static bool stands_in(const trial *t, int o) { return t->alias != COT_NO_OPERAND && (o == COT_DX || o == COT_DA); }

static cot_status place(run *r, int o, cot_error *error)
{
    const trial *t = r->t;
    const cot_view **const slots[] = { &r->args.dy, &r->args.x,  &r->args.y,  &r->args.a,
                                       &r->args.b,  &r->args.dx, &r->args.da, &r->args.db };
    size_t first = t->layout == SHIFTED ? cot_element_size(t->desc.element) : 0;
    cot_status status = COT_OK;
    if (!stands_in(t, o))
        status = cot_alloc(r->backend, t->bytes[o], &r->memory[o], error);
    if (!status && !stands_in(t, o))
        status = cot_copy_in(r->backend, r->memory[o], t->memory[o], t->bytes[o], error);
    if (status)
        return status;
    r->views[o] = t->views[o];
    r->views[o].data = (char *)r->memory[stands_in(t, o) ? t->alias : (cot_operand)o] + first;
    *slots[o - COT_DY] = &r->views[o];
    return COT_OK;
}

static cot_status compute(run *r, void *stream, cot_error *error)
{
    size_t bytes = cot_workspace_size(r->plan);
    cot_status status = bytes ? cot_alloc(r->backend, bytes, &r->workspace, error) : COT_OK;
    if (!status)
        status = cot_run(r->plan, stream, r->workspace, bytes, &r->args, error);
    return status ? status : cot_synchronize(r->backend, stream, error);
}

static cot_status fetch(run *r, char *results[COT_DB + 1], cot_error *error)
{
    cot_status status = COT_OK;
    for (int o = COT_DX; o <= COT_DB && !status; o++) {
        size_t bytes = r->t->bytes[o];
        if (!r->t->memory[o])
            continue;
        results[o] = malloc(bytes + 1);
        status = cot_copy_out(r->backend, results[o], r->memory[stands_in(r->t, o) ? r->t->alias : (cot_operand)o],
                              bytes, error);
    }
    return status;
}

cot_status trial_run(const trial *t, cot_backend *backend, void *stream, char *results[COT_DB + 1], cot_error *error)
{
    run r = { .t = t, .backend = backend, .args = { COT_SIZED(cot_args) } };
    memset(results, 0, (COT_DB + 1) * sizeof *results);
    cot_status status = cot_select(backend, &t->desc, NULL, &r.plan, error);
    for (int o = COT_DY; o <= COT_DB && !status; o++)
        if (t->memory[o])
            status = place(&r, o, error);
    if (!status)
        status = compute(&r, stream, error);
    if (!status)
        status = fetch(&r, results, error);
    for (int o = COT_DY; o <= COT_DB; o++)
        cot_free(backend, r.memory[o]);
    cot_free(backend, r.workspace);
    cot_plan_free(r.plan);
    if (status)
        results_free(results);
    return status;
}

void results_free(char *results[COT_DB + 1])
{
    for (int o = COT_DX; o <= COT_DB; o++) {
        free(results[o]);
        results[o] = NULL;
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

int64_t trial_differences(const trial *t, char *const expected[COT_DB + 1], char *const got[COT_DB + 1])
{
    size_t size = cot_element_size(t->desc.element);
    int64_t different = 0;
    for (int o = COT_DX; o <= COT_DB; o++)
        for (size_t i = 0; t->memory[o] && i + size <= t->bytes[o]; i += size) {
            double want = cot_cell_get(t->desc.element, expected[o] + i),
                   have = cot_cell_get(t->desc.element, got[o] + i);
            if (!memcmp(expected[o] + i, got[o] + i, size) || (want != want && have != have))
                continue;
            if (!different++)
                diag("%s: %s[%zu] is %.17g, expected %.17g", trial_name(t), cot_operand_name((cot_operand)o), i / size,
                     have, want);
        }
    return different;
}
