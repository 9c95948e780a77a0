/* A backend behind the protocol: answers the suite's messages until there are no more. */
#ifndef COT_SERVE_H
#define COT_SERVE_H

#include "core/cotangent.h"

/* How the backend is opened, in this very process: cot_backend_open, or the suite's own. */
typedef cot_status serve_open(const char *name, const char *options, cot_backend **backend, cot_error *error);

/* 0 once `in` ends; else the other side has broken the protocol. */
int serve(const char *name, serve_open *open, int in, int out);

#endif
