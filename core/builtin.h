/* The backends that are linked into the library, and what they and the core call of each other. */
#ifndef COT_BUILTIN_H
#define COT_BUILTIN_H

#include "cotangent.h"

const cot_backend_api *cot_backend_ref(void);
const cot_backend_api *cot_backend_cuda(void); /* where HAVE_CUDA says so */

/* The reference's forward operations, for valid calls: 0, or -1 where memory ran out. */
int cot_ref_forward(const cot_desc *desc, const cot_args *args);

/* backend.c: hands the parts of "a=1,b=2" to a backend, up to the first that it refuses. */
typedef cot_status cot_take_option(void *self, const char *option, cot_error *error);
cot_status cot_take_options(const char *backend, const char *options, cot_take_option *take, void *self,
                            cot_error *error);

#endif
