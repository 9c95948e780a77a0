/* Problems for measurements: operands in device memory, plans, counters. */
#define _GNU_SOURCE
#include "bench.h"
#include "conformance/run/device_checks.h"
#include "conformance/case/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

cot_status bench_memory_make(bench_memory *memory, cot_backend *backend, cot_error *error)
{
    *memory = (bench_memory){ .backend = backend };
    cot_status status = COT_OK;
    for (int o = COT_DY; o <= COT_DB && !status; o++)
        status = cot_alloc(backend, 8 * (size_t)BENCH_CELLS, &memory->operand[o], error);
    return status;
}

void bench_memory_free(bench_memory *memory)
{
    for (int o = COT_DY; o <= COT_DB; o++)
        if (memory->operand[o])
            cot_free(memory->backend, memory->operand[o]);
}

/* Numbers of either sign below 1, from a generator of Lehmer's. */
static void fill(cot_element element, unsigned char *cells)
{
    uint64_t state = 1;
    size_t size = cot_element_size(element);
    for (size_t i = 0; i < BENCH_CELLS; i++) {
        state = state * 48271 % 2147483647;
        cot_cell_set(element, cells + i * size, (double)state / 1073741824.0 - 1.0);
    }
}

cot_status bench_memory_fill(bench_memory *memory, cot_element element, cot_error *error)
{
    if (memory->element == element)
        return COT_OK;
    size_t bytes = cot_element_size(element) * BENCH_CELLS;
    unsigned char *cells = malloc(bytes);
    if (!cells) {
        *error = (cot_error){ .code = COT_INTERNAL, .message = "out of memory" };
        return COT_INTERNAL;
    }
    fill(element, cells);
    cot_status status = COT_OK;
    for (int o = COT_DY; o <= COT_DB && !status; o++)
        status = cot_copy_in(memory->backend, memory->operand[o], cells, bytes, error);
    free(cells);
    memory->element = status ? (cot_element)0 : element;
    return status;
}

/* ---- a problem ------------------------------------------------------------------------------- */

static void take_operand(bench_problem *b, cot_operand o)
{
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&b->desc, o, shape);
    b->views[o] = cot_contiguous(b->desc.element, b->desc.rank, shape, b->memory->operand[o]);
    if (!(o == COT_Y && b->op->needs & COT_Y_UNREAD))
        b->minimal_sectors += ((uint64_t)b->views[o].length * cot_element_size(b->desc.element) + 31) / 32;
}

cot_status bench_make(bench_problem *b, bench_memory *memory, const cot_op_info *op, cot_element element,
                      const char *shape, int axis, cot_error *error)
{
    *b = (bench_problem){ .memory = memory, .op = op, .shape = shape };
    b->desc = (cot_desc){ COT_SIZED(cot_desc), .op = op->op,  .element = element,          .axis = axis,
                          .correction = 1,     .param = 0.25, .policies = memory->policies };
    parse_shape(shape, &b->desc.rank, b->desc.shape);
    for (int o = COT_DY; o <= COT_DB; o++)
        if (cot_operand_used(op, (cot_operand)o))
            take_operand(b, (cot_operand)o);
    point_args(&b->args, b->views);
    b->cells = BENCH_CELLS;
    cot_status status = bench_memory_fill(memory, element, error);
    if (!status)
        status = cot_select(memory->backend, &b->desc, NULL, &b->plan, error);
    if (status)
        return status;
    b->workspace_bytes = cot_workspace_size(b->plan);
    return b->workspace_bytes ? cot_alloc(memory->backend, b->workspace_bytes, &b->workspace, error) : COT_OK;
}

void bench_free(bench_problem *b)
{
    if (b->workspace)
        cot_free(b->memory->backend, b->workspace);
    cot_plan_free(b->plan);
}

/* ---- counters -------------------------------------------------------------------------------- */

int device_counters_find(device_counters *device)
{
    return device_function("softgpuSetChecks", &device->set) && device_function("softgpuResetCounters", &device->reset)
           && device_function("softgpuGetCounters", &device->get);
}
