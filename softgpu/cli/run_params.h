/* The parameters that `softgpu run` gives to a kernel. */
#ifndef SG_RUN_PARAMS_H
#define SG_RUN_PARAMS_H

#include "array_file.h"
#include "softgpu/api/api_proto.h"

enum { MAX_ARGS = 64 };

/* One kernel parameter: a buffer that goes in, comes out, or both; or a scalar. */
typedef struct param {
    bool is_buffer, goes_in, comes_out;
    array a;          /* a scalar's type too */
    const char *text; /* as it was given */
    const char *file; /* where it goes, NULL to print it */
    CUdeviceptr device;
    u64 scalar;
} param;

typedef struct params {
    param list[MAX_ARGS];
    int n;
} params;

/* Each takes the option's value; false with a message that says what is wrong. */
bool add_in(params *p, const char *text);
bool add_inout(params *p, const char *text);
bool add_out(params *p, const char *text);
bool add_scalar(params *p, const char *text);

/* run_explain.c: is the entry there, and do these parameters fit it? Else a message with what there is. */
bool explain_entry(const char *ptx_name, const char *ptx, const char *entry, const params *given);

#endif
