/* Running a problem with guards and a fill pattern around the cells, and what came back of it. */
#include "trial.h"
#include "conformance/case/device_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int owns(const problem *p, int operand)
{
    return p->tensors[operand].memory && p->tensors[operand].owner == (cot_operand)operand;
}

static cot_status out_of_memory(cot_error *error)
{
    *error = (cot_error){ .code = COT_INTERNAL, .message = "out of memory" };
    return COT_INTERNAL;
}

/* How much of a tensor's memory the backend gets. */
static size_t reach_of(const trial *t, int operand)
{
    return t->p->tensors[operand].bytes - (t->fill.bare ? GUARD : 0);
}

/* Paints the memory of an operand, and places a copy of it on the backend. */
static cot_status place_operand(device_run *r, trial *t, int operand, cot_error *error)
{
    size_t bytes = t->p->tensors[operand].bytes;
    t->sent[operand] = problem_image(t->p, (cot_operand)operand, t->fill);
    t->memory[operand] = malloc(bytes);
    if (!t->sent[operand] || !t->memory[operand])
        return out_of_memory(error);
    memcpy(t->memory[operand], t->sent[operand], bytes);
    device_block block = { t->memory[operand], reach_of(t, operand), DEVICE_IN | DEVICE_OUT, NULL };
    return device_place(r, operand, block, error);
}

/* What a backend asks for is given, within reason: every byte is painted, and looked at afterwards. */
static const size_t most_workspace = (size_t)1 << 30;

static cot_status place_workspace(device_run *r, trial *t, size_t bytes, cot_error *error)
{
    if (!bytes)
        return COT_OK;
    if (bytes > most_workspace) {
        *error = (cot_error){ .code = COT_INTERNAL, .operand = COT_WORKSPACE };
        snprintf(error->message, sizeof error->message, "it asks for %zu bytes of workspace, and the suite gives %zu",
                 bytes, most_workspace);
        return COT_INTERNAL;
    }
    t->workspace_bytes = bytes + 2 * GUARD + COT_WORKSPACE_ALIGNMENT;
    t->workspace = malloc(t->workspace_bytes);
    if (!t->workspace)
        return out_of_memory(error);
    memset(t->workspace, t->fill.guard, t->workspace_bytes);
    device_block block = { t->workspace, t->workspace_bytes, DEVICE_IN | DEVICE_OUT, NULL };
    if (t->fill.bare)
        block = (device_block){ t->workspace, t->workspace_bytes - GUARD, DEVICE_IN, NULL };
    return device_place(r, COT_WORKSPACE, block, error);
}

/* Nonsense in every field: whoever looks at it refuses the call, or faults. */
static const cot_view nonsense = { .element = (cot_element)77, .rank = -1, .data = (void *)1, .length = -1 };

static void point_operands(const device_run *r, const trial *t, cot_view view[OPERANDS], cot_args *args)
{
    const problem *p = t->p;
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!p->tensors[o].memory)
            continue;
        view[o] = trial_view(t, (cot_operand)o);
        view[o].data = device_address(r, p->tensors[o].owner, view[o].data);
    }
    point_args(args, view);
    for (int o = COT_X; o < COT_DX && t->fill.junk; o++)
        if (!p->tensors[o].memory)
            *args_slot(args, (cot_operand)o) = &nonsense; /* SAVE-IGNORED */
}

static cot_status run_plan(device_run *r, const cot_plan *plan, trial *t, cot_error *error)
{
    cot_view view[OPERANDS] = { 0 };
    cot_args args;
    size_t bytes = cot_workspace_size(plan), before = GUARD + (t->fill.junk ? COT_WORKSPACE_ALIGNMENT : 0);
    cot_status status = place_workspace(r, t, bytes, error);
    if (status)
        return status;
    point_operands(r, t, view, &args);
    void *workspace = bytes ? (char *)r->block[COT_WORKSPACE].memory + before : NULL;
    return device_call(r, plan, NULL, workspace, bytes, &args, error);
}

cot_status trial_run(trial *t, cot_backend *backend, const problem *p, fill_pattern fill, cot_error *error)
{
    device_run r = { .backend = backend };
    cot_plan *plan = NULL;
    *t = (trial){ .p = p, .fill = fill };
    cot_status status = cot_select(backend, &p->c.desc, NULL, &plan, error);
    if (!status)
        t->claim = *cot_precision_guarantee(plan);
    for (int o = COT_DY; o < OPERANDS && !status; o++)
        if (owns(p, o))
            status = place_operand(&r, t, o, error);
    if (!status)
        status = run_plan(&r, plan, t, error);
    if (!status)
        status = device_fetch(&r, error);
    device_free(&r);
    cot_plan_free(plan);
    return status;
}

void trial_free(trial *t)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        free(t->memory[o]);
        free(t->sent[o]);
    }
    free(t->workspace);
    *t = (trial){ 0 };
}

cot_view trial_view(const trial *t, cot_operand operand)
{
    const tensor *from = &t->p->tensors[operand];
    cot_view view = from->view;
    view.data = t->memory[from->owner] + ((unsigned char *)from->view.data - from->memory);
    return view;
}

static int64_t workspace_damage(const trial *t)
{
    int64_t damage = 0;
    for (size_t i = 0; t->workspace && i < GUARD; i++)
        damage += (t->workspace[i] != t->fill.guard) + (t->workspace[t->workspace_bytes - 1 - i] != t->fill.guard);
    return damage;
}

int64_t trial_damage(const trial *t, int64_t *looked_at)
{
    int64_t damage = workspace_damage(t);
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!t->memory[o])
            continue;
        damage += problem_damage(t->p, (cot_operand)o, t->sent[o], t->memory[o]);
        *looked_at += (int64_t)t->p->tensors[o].bytes;
    }
    return damage;
}
