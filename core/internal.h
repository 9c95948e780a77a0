/* What the core's files share; not installed. */
#ifndef COT_INTERNAL_H
#define COT_INTERNAL_H

#include <stdbool.h>

#include "cotangent.h"

struct cot_backend {
    const cot_backend_api *api;
    void *self;
    void *library; /* dlopen's handle, or NULL */
    cot_backend_info info;
};

struct cot_plan {
    cot_backend *backend;
    cot_desc desc;
    cot_sku sku;
    size_t workspace;
};

/* error.c: fills the caller's error, where there is one, and returns the code. */
cot_status cot_fail(cot_error *error, cot_status code, cot_operand operand, int64_t needed, int64_t got,
                    const char *format, ...) __attribute__((format(printf, 6, 7)));
cot_status cot_good(cot_error *error);

/* table.c */
size_t cot_op_count(void);

/* view.c: the geometry of views. */
const cot_view *cot_operand_view(const cot_args *args, cot_operand operand);
bool cot_span(const cot_view *view, int64_t *elements); /* from the first to the last; false: too large */
bool cot_is_contiguous(const cot_view *view);
bool cot_is_broadcast(const cot_view *view);                /* some cell of the view repeats another */
bool cot_same_layout(const cot_view *a, const cot_view *b); /* the same cells in the same order */

/* validate.c and overlap.c: every rule of the spec, in its order. */
cot_status cot_take_desc(const cot_desc *from, cot_desc *to, cot_error *error); /* copies across header versions */
cot_status cot_take_args(const cot_args *from, cot_args *to, cot_error *error);
cot_status cot_take_preference(const cot_preference *from, cot_preference *to, cot_error *error);
cot_status cot_check_desc(const cot_desc *desc, cot_error *error);
cot_status cot_check_args(const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status cot_check_forward(const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status cot_check_written(cot_operand out, const cot_args *args, const cot_operand *others, int count,
                             cot_error *error);
cot_status cot_check_overlap(const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status cot_check_layouts(const cot_sku *sku, const cot_args *args, cot_error *error);
cot_status cot_check_workspace(const cot_plan *plan, const void *workspace, size_t bytes, const cot_args *args,
                               cot_error *error);

/* The operands of a call, in the order of checks. */
#define COT_FIRST_OPERAND COT_DY
#define COT_LAST_OPERAND (COT_OPERANDS - 1)

#endif
