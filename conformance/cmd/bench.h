/* What a measurement needs: memory on the device, problems in it, and the software device's counters. */
#ifndef COT_BENCH_H
#define COT_BENCH_H

#include "conformance/case/operand.h"
#include "softgpu/softgpu.h"

/* What problems share: memory for every operand of up to BENCH_CELLS cells, filled once, and policies. */
enum { BENCH_CELLS = 1 << 20 };

typedef struct bench_memory {
    cot_backend *backend;
    cot_element element; /* of the numbers in it */
    void *operand[OPERANDS];
    cot_policies policies;
} bench_memory;

cot_status bench_memory_make(bench_memory *memory, cot_backend *backend, cot_error *error);
cot_status bench_memory_fill(bench_memory *memory, cot_element element, cot_error *error);
void bench_memory_free(bench_memory *memory);

typedef struct bench_problem {
    const bench_memory *memory;
    const cot_op_info *op;
    const char *shape;
    cot_desc desc;
    cot_plan *plan;
    cot_view views[OPERANDS];
    cot_args args;
    void *workspace;
    size_t workspace_bytes;
    uint64_t cells, minimal_sectors; /* of 32 bytes, for every operand that is read or written, once */
} bench_problem;

/* `axis` is -1 for an op without one. */
cot_status bench_make(bench_problem *b, bench_memory *memory, const cot_op_info *op, cot_element element,
                      const char *shape, int axis, cot_error *error);
void bench_free(bench_problem *b);

typedef struct device_counters {
    void (*set)(uint32_t checks);
    void (*reset)(void);
    void (*get)(softgpuCounters *total);
} device_counters;

int device_counters_find(device_counters *device); /* 0 where no software device is loaded */

#endif
