/* The backends that are linked into the library. */
#ifndef COT_BUILTIN_H
#define COT_BUILTIN_H

#include "cotangent.h"

const cot_backend_api *cot_backend_ref(void);

#endif
