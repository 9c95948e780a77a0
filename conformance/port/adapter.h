/* Frameworks as backends: Python processes that are installed with the suite (conformance/adapter). */
#ifndef COT_ADAPTER_H
#define COT_ADAPTER_H

#include "core/cotangent.h"

const char *adapter_name(int index); /* "torch"; NULL past the last */
int adapter_is(const char *name);    /* not 0: it is one of them */

/* Starts `file`, the adapter's program. Python is COTANGENT_PYTHON, `python`, where that is a program, or python3. */
cot_status adapter_open(const char *name, const char *file, const char *python, const char *options,
                        cot_backend **backend, cot_error *error);

#endif
