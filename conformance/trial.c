#include "trial.h"

#include <stdlib.h>
#include <string.h>

/* The same memory again, where the backend can reach it. */
typedef struct stage {
    cot_backend *backend;
    void *memory[OPERANDS], *workspace;
    cot_view view[OPERANDS];
} stage;

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
    return t->p->tensors[operand].bytes - (t->colour.bare ? GUARD : 0);
}

static cot_status set_out(stage *s, trial *t, cot_error *error)
{
    cot_status status = COT_OK;
    for (int o = COT_DY; o < OPERANDS && !status; o++) {
        size_t bytes = reach_of(t, o);
        if (!owns(t->p, o))
            continue;
        t->memory[o] = problem_image(t->p, (cot_operand)o, t->colour);
        status = t->memory[o] ? cot_alloc(s->backend, bytes, &s->memory[o], error) : out_of_memory(error);
        if (!status)
            status = cot_copy_in(s->backend, s->memory[o], t->memory[o], bytes, error);
    }
    return status;
}

/* Nonsense in every field: whoever looks at it refuses the call, or faults. */
static const cot_view nonsense = { .element = (cot_element)77, .rank = -1, .data = (void *)1, .length = -1 };

static void point_stage(stage *s, const trial *t, cot_args *args)
{
    const problem *p = t->p;
    for (int o = COT_DY; o < OPERANDS; o++) {
        const tensor *from = &p->tensors[o];
        if (!from->memory)
            continue;
        s->view[o] = from->view;
        s->view[o].data = (char *)s->memory[from->owner] + ((unsigned char *)from->view.data - from->memory);
    }
    point_args(args, s->view);
    const cot_view **const saves[] = { &args->x, &args->y, &args->a, &args->b };
    for (int o = COT_X; o < COT_DX && t->colour.junk; o++)
        if (!p->tensors[o].memory)
            *saves[o - COT_X] = &nonsense; /* SAVE-IGNORED */
}

static cot_status set_workspace(stage *s, trial *t, size_t bytes, cot_error *error)
{
    if (!bytes)
        return COT_OK;
    t->workspace_bytes = bytes + 2 * GUARD + COT_WORKSPACE_ALIGNMENT;
    size_t reach = t->colour.bare ? bytes + GUARD + COT_WORKSPACE_ALIGNMENT : t->workspace_bytes;
    t->workspace = malloc(t->workspace_bytes);
    if (!t->workspace)
        return out_of_memory(error);
    memset(t->workspace, t->colour.guard, t->workspace_bytes);
    cot_status status = cot_alloc(s->backend, reach, &s->workspace, error);
    return status ? status : cot_copy_in(s->backend, s->workspace, t->workspace, reach, error);
}

static cot_status run_plan(stage *s, const cot_plan *plan, trial *t, cot_error *error)
{
    cot_args args;
    size_t bytes = cot_workspace_size(plan), before = GUARD + (t->colour.junk ? COT_WORKSPACE_ALIGNMENT : 0);
    point_stage(s, t, &args);
    cot_status status = set_workspace(s, t, bytes, error);
    if (!status)
        status = cot_run(plan, NULL, bytes ? (char *)s->workspace + before : NULL, bytes, &args, error);
    return status ? status : cot_synchronize(s->backend, NULL, error);
}

static cot_status take_back(const stage *s, trial *t, cot_error *error)
{
    cot_status status = COT_OK;
    for (int o = COT_DY; o < OPERANDS && !status; o++)
        if (s->memory[o])
            status = cot_copy_out(s->backend, t->memory[o], s->memory[o], reach_of(t, o), error);
    return status || !s->workspace || t->colour.bare ? status : cot_copy_out(s->backend, t->workspace, s->workspace, t->workspace_bytes, error);
}

static void strike(stage *s)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (s->memory[o])
            cot_free(s->backend, s->memory[o]);
    if (s->workspace)
        cot_free(s->backend, s->workspace);
}

cot_status trial_run(trial *t, cot_backend *backend, const problem *p, paint colour, cot_error *error)
{
    stage s = { .backend = backend };
    cot_plan *plan = NULL;
    *t = (trial){ .p = p, .colour = colour };
    cot_status status = cot_select(backend, &p->c.desc, NULL, &plan, error);
    if (!status)
        status = set_out(&s, t, error);
    if (!status)
        status = run_plan(&s, plan, t, error);
    if (!status)
        status = take_back(&s, t, error);
    strike(&s);
    cot_plan_free(plan);
    return status;
}

void trial_free(trial *t)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(t->memory[o]);
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
        damage += (t->workspace[i] != t->colour.guard) + (t->workspace[t->workspace_bytes - 1 - i] != t->colour.guard);
    return damage;
}

int64_t trial_damage(const trial *t, int64_t *looked_at)
{
    int64_t damage = workspace_damage(t);
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!t->memory[o])
            continue;
        damage += problem_damage(t->p, (cot_operand)o, t->colour, t->memory[o]);
        *looked_at += (int64_t)t->p->tensors[o].bytes;
    }
    return damage;
}
