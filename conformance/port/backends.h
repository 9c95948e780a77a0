/* Backends by the names that the command line knows: those of the library, and the suite's own. */
#ifndef COT_BACKENDS_H
#define COT_BACKENDS_H

#include "core/cotangent.h"

/* "ref" and the library's other names; "mutant:NAME" (mutant.h) and "innocent:NAME" (innocent.h); "order:NAME"
 * (ordered.h); "./lib.so", "process:COMMAND", "wasm", "wasm-nosimd", "numpy", "torch" and "jax", in a process of their
 * own. */
cot_status suite_backend_open(const char *name, const char *options, cot_backend **backend, cot_error *error);

/* A library by its path, once more: on the software device its blocks and warps run in another order. */
cot_status suite_library_open_shuffled(const char *path, const char *options, cot_backend **backend, cot_error *error);
int suite_is_library(const char *name);

/* As suite_backend_open, without a further process: a library is loaded into this one. */
cot_status suite_backend_open_here(const char *name, const char *options, cot_backend **backend, cot_error *error);

/* What a report about this backend must not leave out, such as "software device: no silicon was tested"; "" for
 * nothing. */
void suite_backend_remark(const cot_backend *backend, char *text, size_t size);

#endif
