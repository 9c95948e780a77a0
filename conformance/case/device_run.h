/* One way to run a problem on a backend: memory of the host is copied to where kernels reach it, the plan runs, and the
 * memory is copied back.
 *
 * device_execute does all of it for operands in the host's memory, device_execute_args for operands that kernels reach.
 * Those who put guards around operands, let operands share memory or make calls that are wrong on purpose take the
 * steps one by one: device_place each block, device_call, device_fetch, and device_free in any case. */
#ifndef COT_DEVICE_RUN_H
#define COT_DEVICE_RUN_H

#include "operand.h"

enum { DEVICE_IN = 1, DEVICE_OUT = 2, DEVICE_BLOCKS = 16 };

/* Memory of the host, and as much again where kernels reach it. */
typedef struct device_block {
    void *host;
    size_t bytes;
    unsigned copied; /* DEVICE_IN: by device_place; DEVICE_OUT: by device_fetch */
    void *memory;    /* the kernels'; NULL until it is placed */
} device_block;

typedef struct device_run {
    cot_backend *backend;
    void *(*alloc)(size_t bytes); /* NULL: the backend's own */
    void (*release)(void *memory, size_t bytes);
    device_block block[DEVICE_BLOCKS]; /* in whatever order the caller likes: by operand, mostly, COT_WORKSPACE too */
} device_run;

cot_status device_place(device_run *r, int block, device_block what, cot_error *error);
void *device_address(const device_run *r, int block, const void *host); /* the kernels', of an address in the block */

/* Runs and waits. */
cot_status device_call(const device_run *r, const cot_plan *plan, cot_stream stream, void *workspace, size_t bytes,
                       const cot_args *args, cot_error *error);

cot_status device_fetch(const device_run *r, cot_error *error);
void device_free(device_run *r);

/* Selects, copies the inputs that the op uses, runs, waits, and copies the outputs back. `host` has a view for every
 * operand that the op uses; its outputs are contiguous. */
cot_status device_execute(cot_backend *backend, const cot_desc *desc, const cot_view host[OPERANDS], cot_error *error);

/* The same with operands that are where kernels reach them: only a workspace is made. */
cot_status device_execute_args(cot_backend *backend, const cot_desc *desc, const cot_args *args, cot_error *error);

#endif
