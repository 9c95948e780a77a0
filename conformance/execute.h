/* A gradient on a backend, from and to the host's memory. */
#ifndef COT_EXECUTE_H
#define COT_EXECUTE_H

#include "operand.h"

/* Copies the inputs that the op uses into the backend's memory, runs, waits, and copies the outputs back. `host` has a view for
 * every operand that the op uses; its outputs are contiguous. */
cot_status execute(cot_backend *backend, const cot_desc *desc, const cot_view host[OPERANDS], cot_error *error);

#endif
