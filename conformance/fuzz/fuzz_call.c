/* A descriptor and operands from bytes, on the reference. Views stay within one piece of memory, for which a caller
 * answers; everything else may be anything. A call that is refused writes nothing, and one that runs writes cells of
 * its outputs and nothing else. */
#include "targets.h"
#include "conformance/case/operand.h"

#include <string.h>

enum { ARENA = 1 << 14, SCRATCH = 1 << 16, MOST_CELLS = 1 << 12 };

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint8_t next(input *b) { return b->at < b->end ? *b->at++ : 0; }

static uint64_t wide(input *b)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | next(b);
    return value;
}

/* Mostly small, and sometimes any number. */
static int64_t number(input *b)
{
    uint8_t kind = next(b);
    return kind < 250 ? kind % 9 : kind < 253 ? (int8_t)next(b) : (int64_t)wide(b);
}

static cot_desc read_desc(input *b)
{
    cot_desc d = { COT_SIZED(cot_desc) };
    d.op = (cot_op)(next(b) % 28);
    d.element = (cot_element)(next(b) % 6);
    d.rank = (int32_t)number(b);
    for (int i = 0; i < COT_MAX_RANK; i++)
        d.shape[i] = (int32_t)number(b);
    d.axis = (int32_t)number(b);
    d.reverse = next(b) & 1;
    d.correction = (int32_t)number(b);
    uint64_t param = wide(b);
    memcpy(&d.param, &param, sizeof param);
    for (size_t i = 0; i < sizeof d.policies; i++)
        ((uint8_t *)&d.policies)[i] = next(b) % 32 ? 0 : next(b) % 5;
    d.family = next(b) % 32 ? 0 : (cot_family)next(b);
    return d;
}

/* A descriptor of a caller who is older, or newer: its size is how much of it there is. */
typedef struct any_desc {
    cot_desc desc;
    uint8_t more[16];
} any_desc;

static void resize(input *b, any_desc *d)
{
    if (next(b) % 32)
        return;
    d->desc.size = next(b) % (sizeof *d + 1);
    d->more[next(b) % sizeof d->more] = next(b);
}

/* What the operand should be; then, for a byte that asks for it, something else. */
static cot_view read_view(input *b, const cot_desc *d, cot_operand operand, uint8_t *arena)
{
    cot_view v = { .element = d->element, .rank = d->rank };
    if (d->rank >= 0 && d->rank <= COT_MAX_RANK && cot_op_get(d->op))
        cot_operand_shape(d, operand, v.shape);
    v = cot_contiguous(v.element, v.rank, v.shape, arena + (wide(b) % ARENA) / 8 * 8);
    uint8_t what = next(b);
    if (what & 1)
        v.rank = (int32_t)number(b);
    if (what & 2)
        v.shape[next(b) % COT_MAX_RANK] = (int32_t)number(b);
    for (int i = 0; what & 4 && i < COT_MAX_RANK; i++)
        v.strides[i] = number(b);
    if (what & 8)
        v.length = number(b);
    if (what & 16)
        v.data = (uint8_t *)v.data + next(b) % 8;
    if (what & 32)
        v.element = (cot_element)next(b);
    if ((what & 192) == 192)
        v.data = NULL;
    return v;
}

/* The caller's part: what a view says may be touched is memory. */
static int is_memory(const cot_view *v, const uint8_t *arena)
{
    size_t size = cot_element_size(v->element);
    if (!v->data || !size)
        return 1;
    size_t room = (size_t)(arena + ARENA - (const uint8_t *)v->data) / size;
    return v->length <= 0 || (uint64_t)v->length <= room;
}

static void mark(const cot_view *v, const uint8_t *arena, uint8_t *may)
{
    size_t size = cot_element_size(v->element);
    int64_t count = cot_cell_count(v->rank, v->shape);
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *cell = (const uint8_t *)v->data + (size_t)cot_cell_offset(v, i) * size;
        must(cell >= arena && cell + size <= arena + ARENA);
        memset(may + (cell - arena), 1, size);
    }
}

static void check_written(const uint8_t *before, const uint8_t *arena, const uint8_t *may)
{
    for (int i = 0; i < ARENA; i++)
        must(before[i] == arena[i] || may[i]);
}

static void run(cot_backend *backend, const cot_desc *d, cot_args *args, uint8_t *arena)
{
    static uint8_t before[ARENA], may[ARENA];
    cot_plan *plan = NULL;
    cot_error error;
    memcpy(before, arena, ARENA);
    memset(may, 0, ARENA);
    cot_status status = cot_select(backend, d, NULL, &plan, &error);
    must(!status == (plan != NULL));
    if (status || cot_cell_count(d->rank, d->shape) > MOST_CELLS || cot_workspace_size(plan) > SCRATCH) {
        cot_plan_free(plan);
        return;
    }
    size_t bytes = cot_workspace_size(plan);
    void *workspace = malloc(bytes ? bytes : 1);
    cot_status can = cot_can_implement(plan, args, &error);
    check_written(before, arena, may);
    status = cot_run(plan, NULL, workspace, bytes, args, &error);
    must(status == can);
    for (int o = COT_DX; o < OPERANDS; o++)
        if (!status && cot_operand_used(cot_op_get(d->op), (cot_operand)o) && args_view(args, (cot_operand)o))
            mark(args_view(args, (cot_operand)o), arena, may);
    check_written(before, arena, may);
    free(workspace);
    cot_plan_free(plan);
}

static uint8_t *fill(input *b)
{
    uint8_t *arena = malloc(ARENA);
    uint64_t state = wide(b) | 1;
    must(arena != NULL);
    for (int i = 0; i < ARENA; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        arena[i] = (uint8_t)(state >> 56);
    }
    return arena;
}

void fuzz_call(const uint8_t *data, size_t size)
{
    static cot_backend *backend;
    input b = { data, data + size };
    if (!backend)
        must(!cot_backend_open("ref", "threads=1", &backend, NULL));
    any_desc d = { .desc = read_desc(&b) };
    resize(&b, &d);
    uint8_t *arena = fill(&b);
    cot_view views[OPERANDS] = { { .rank = 0 } };
    cot_args args = { COT_SIZED(cot_args) };
    int memory = 1;
    uint8_t given = next(&b);
    for (int o = COT_DY; o < OPERANDS; o++) {
        views[o] = read_view(&b, &d.desc, (cot_operand)o, arena);
        memory &= is_memory(&views[o], arena);
        if (!(given >> (o - COT_DY) & 1))
            *args_slot(&args, (cot_operand)o) = &views[o];
    }
    if (memory)
        run(backend, &d.desc, &args, arena);
    free(arena);
}
