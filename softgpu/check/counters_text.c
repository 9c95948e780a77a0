/* Counters as a table and as JSON, under Nsight's names where it has them. */
#include "checkers.h"
#include "text.h"

static const char *const class_names[SOFTGPU_CLASSES] = {
    "integer", "fp16",  "fp32",   "fp64", "convert", "move",    "compare", "special",
    "load",    "store", "atomic", "warp", "barrier", "control", "matrix",
};
_Static_assert((int)CL_COUNT == (int)SOFTGPU_CLASSES, "one name per class");

EXPORT const char *softgpuClassName(int cls) { return cls >= 0 && cls < SOFTGPU_CLASSES ? class_names[cls] : "?"; }

// clang-format off
#define COUNTER(name, field) { name, offsetof(softgpuCounters, field) }
static const struct { const char *name; size_t at; } rows[] = {
    COUNTER("launches", launches), COUNTER("ctas", ctas), COUNTER("warps", warps), COUNTER("threads", threads),
    COUNTER("ptx_warp_instructions", warp_instructions), COUNTER("ptx_thread_instructions", thread_instructions),
    COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", global_load_requests),
    COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", global_load_sectors),
    COUNTER("ideal_sectors_global_op_ld", global_load_ideal_sectors),
    COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", global_store_requests),
    COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", global_store_sectors),
    COUNTER("ideal_sectors_global_op_st", global_store_ideal_sectors),
    COUNTER("requests_shared_op_ld", shared_load_requests),
    COUNTER("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", shared_load_conflicts),
    COUNTER("requests_shared_op_st", shared_store_requests),
    COUNTER("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", shared_store_conflicts),
    COUNTER("requests_local_op_ld", local_load_requests), COUNTER("requests_local_op_st", local_store_requests),
    COUNTER("branches", branches), COUNTER("smsp__sass_branch_targets_threads_divergent.sum", divergent_branches),
    COUNTER("barriers", barriers), COUNTER("global_atomics", global_atomics), COUNTER("shared_atomics", shared_atomics),
    COUNTER("async_copies", async_copies), COUNTER("async_bytes_read", async_bytes_read),
    COUNTER("async_bytes_written", async_bytes_written),
    COUNTER("matrix_instructions_f16", matrix[0]), COUNTER("matrix_instructions_bf16", matrix[1]),
    COUNTER("matrix_instructions_tf32", matrix[2]), COUNTER("matrix_instructions_f64", matrix[3]),
    COUNTER("matrix_instructions_fp8", matrix[4]), COUNTER("matrix_instructions_int8", matrix[5]),
    COUNTER("matrix_instructions_int4", matrix[6]), COUNTER("matrix_instructions_b1", matrix[7]),
};
// clang-format on

static u64 value(const softgpuCounters *c, size_t at) { return *(const u64 *)(const void *)((const char *)c + at); }

static double ratio(const softgpuCounters *c)
{
    return c->warp_instructions ? (double)c->thread_instructions / (double)c->warp_instructions : 0.0;
}

static void put_json(text *t, const char *kernel_name, const softgpuCounters *c)
{
    put(t, "{\"kernel\": \"%s\"", kernel_name);
    for (size_t i = 0; i < COUNT(rows); i++)
        put(t, ", \"%s\": %llu", rows[i].name, (unsigned long long)value(c, rows[i].at));
    put(t, ", \"smsp__thread_inst_executed_per_inst_executed.ratio\": %.4f, \"classes\": {", ratio(c));
    for (int i = 0; i < SOFTGPU_CLASSES; i++)
        put(t, "%s\"%s\": {\"warp\": %llu, \"thread\": %llu}", i ? ", " : "", class_names[i],
            (unsigned long long)c->warp_by_class[i], (unsigned long long)c->thread_by_class[i]);
    put(t, "}}");
}

EXPORT size_t softgpuCountersJson(char *out, size_t size)
{
    text t = { out, size, 0 };
    softgpuCounters total;
    const char *name;
    softgpuGetCounters(&total);
    put(&t, "{\"note\": \"instructions are PTX, not SASS\", \"total\": ");
    put_json(&t, "*", &total);
    put(&t, ", \"launches\": [");
    softgpuCounters c;
    for (size_t i = 0; !softgpuGetLaunch(i, &name, &c); i++) {
        put(&t, i ? ",\n  " : "\n  ");
        put_json(&t, name, &c);
    }
    put(&t, "\n]}\n");
    return t.used;
}

EXPORT size_t softgpuCountersTable(char *out, size_t size)
{
    text t = { out, size, 0 };
    softgpuCounters c;
    softgpuGetCounters(&c);
    for (size_t i = 0; i < COUNT(rows); i++)
        put(&t, "%-62s %16llu\n", rows[i].name, (unsigned long long)value(&c, rows[i].at));
    put(&t, "%-62s %16.4f\n", "smsp__thread_inst_executed_per_inst_executed.ratio", ratio(&c));
    for (int i = 0; i < SOFTGPU_CLASSES; i++)
        put(&t, "ptx_thread_instructions_%-38s %16llu\n", class_names[i], (unsigned long long)c.thread_by_class[i]);
    return t.used;
}
