/* Gradients on one thread, in nanoseconds a cell, "op ns" a line: built for the host and for WebAssembly, and run in
 * turns by bench/wasm_speed.sh. The operands fit the second-level cache, so that arithmetic is compared and not memory.
 */
#include "core/cotangent.h"
#include "conformance/case/operand.h"
#include "conformance/case/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLS = 1024 };
static const cot_op ops[] = { COT_SOFTMAX, COT_VAR, COT_POW, COT_CUMSUM };

static void fill(const cot_view *view, uint32_t state)
{
    float *cells = view->data;
    for (int64_t i = 0; i < view->length; i++) {
        state = state * 1664525u + 1013904223u;
        cells[i] = 0.25f + (float)(state >> 8) * 0x1p-24f;
    }
}

/* The best of as many runs as fit into a fraction of a second. */
static double best_time(const cot_plan *plan, const cot_args *args)
{
    double best = 1e9, end = clock_now() + 0.25;
    while (clock_now() < end) {
        double start = clock_now();
        if (cot_run(plan, NULL, NULL, 0, args, NULL))
            exit(1);
        double taken = clock_now() - start;
        best = taken < best ? taken : best;
    }
    return best;
}

static int measure(cot_backend *backend, const cot_op_info *op)
{
    cot_desc desc = { COT_SIZED(cot_desc),     .op = op->op, .element = COT_F32, .rank = 2,
                      .shape = { ROWS, COLS }, .axis = 1,    .correction = 1 };
    cot_view views[OPERANDS] = { { .rank = 0 } };
    cot_args args;
    cot_plan *plan;
    cot_error error;
    for (int o = COT_DY; o < OPERANDS; o++)
        if (cot_operand_used(op, (cot_operand)o)) {
            if (operand_make(&desc, (cot_operand)o, &views[o]))
                return 1;
            fill(&views[o], (uint32_t)o);
        }
    point_args(&args, views);
    if (cot_select(backend, &desc, NULL, &plan, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    printf("%s %.4f\n", op->name, 1e9 * best_time(plan, &args) / (ROWS * COLS));
    cot_plan_free(plan);
    for (int o = COT_DY; o < OPERANDS; o++)
        free(views[o].data);
    return 0;
}

int main(void)
{
    cot_backend *backend;
    cot_error error;
    int failed = 0;
    if (cot_backend_open("ref", "threads=1,isa=baseline", &backend, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        failed |= measure(backend, cot_op_get(ops[i]));
    cot_backend_close(backend);
    return failed;
}
