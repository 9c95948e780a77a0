/* A backend behind the protocol: answers the suite's messages until there are no more. */
#ifndef COT_SERVE_H
#define COT_SERVE_H

#include "cotangent.h"

/* `find_api` gives the table of an open backend, or NULL where it cannot be known. 0 once `in` ends; else the other side has broken
 * the protocol. */
int serve(const char *name, const cot_backend_api *(*find_api)(const char *name), int in, int out);

#endif
