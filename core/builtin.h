/* What the core calls of the backends that are linked into the library. */
#ifndef COT_BUILTIN_H
#define COT_BUILTIN_H

#include "cotangent.h"

const cot_backend_api *cot_backend_ref(void);
const cot_backend_api *cot_backend_cuda(void); /* where HAVE_CUDA says so */

/* The reference's forward operations, for valid calls: 0, or -1 where memory ran out. */
int cot_ref_forward(const cot_desc *desc, const cot_args *args);

#endif
