/* Binary operations: contiguous operands by vectors, any others cell by cell. */
#include "strategy.h"

enum { THREADS = 256 };

/* The operands in use, at their fixed places; the rest are NULL. */
enum { OPERANDS = 5 };
static void operands_of(const cuda_launch *k, const cuda_operand *list[OPERANDS])
{
    const cuda_operand *const all[OPERANDS] = { &k->dy, &k->a, &k->b, &k->da, &k->db };
    for (int i = 0; i < OPERANDS; i++)
        list[i] = all[i]->data ? all[i] : NULL;
}

/* One line of neighbouring cells, and every operand as far from an aligned address as the others. */
static bool is_flat(const cuda_problem *p)
{
    const cuda_operand *list[OPERANDS];
    if (p->lines > 1)
        return false;
    operands_of(&p->launch, list);
    for (int i = 0; i < OPERANDS; i++)
        if (list[i]
            && ((list[i]->along != 1 && p->launch.n > 1)
                || ((uintptr_t)list[i]->data ^ (uintptr_t)list[0]->data) % VECTOR_BYTES))
            return false;
    return true;
}

static void advance(cuda_operand *o, int64_t bytes)
{
    if (o->data)
        o->data = (char *)o->data + bytes;
}

/* The blocks that take a whole run; one more takes what is left, and what comes before the first aligned cell. */
static cuda_grid flat_shape(const cuda_problem *p, cuda_launch *k)
{
    int64_t size = VECTOR_BYTES / p->vector, past = (int64_t)((uintptr_t)k->dy.data % VECTOR_BYTES);
    int64_t head = past ? (VECTOR_BYTES - past) / size : 0;
    head = head < k->n ? head : k->n;
    int64_t run = THREADS * p->vector * (p->op->roundings >= 4 ? 1 : 2);
    cuda_operand *const all[] = { &k->dy, &k->a, &k->b, &k->da, &k->db };
    for (int i = 0; i < OPERANDS; i++)
        advance(all[i], head * size);
    k->head = (uint32_t)head;
    k->count = k->n - head;
    return (cuda_grid){ (uint32_t)(k->count / run + (k->count % run || head)), THREADS };
}

const cuda_strategy cot_cuda_elementwise[] = {
    { "elementwise", is_flat, { { "flat", flat_shape } }, NULL },
    { "elementwise", is_narrow, { { "general32", cell_by_cell } }, NULL },
    { "elementwise", always, { { "general64", cell_by_cell } }, NULL },
    { 0 },
};

const cuda_strategy cot_cuda_policy_binary[] = {
    { "policy_binary", always, { { "under", cell_by_cell } }, NULL },
    { 0 },
};
