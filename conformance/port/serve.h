/* A backend behind the protocol: answers the suite's messages until there are no more. */
#ifndef COT_SERVE_H
#define COT_SERVE_H

#include "core/cotangent.h"

/* How the backend is opened, in this very process: cot_backend_open, or the suite's own. */
typedef cot_status serve_open(const char *name, const char *options, cot_backend **backend, cot_error *error);

/* What watches the device that a backend runs on. */
typedef struct serve_watch {
    int (*software)(void);                      /* not 0: it is loaded, and no silicon */
    void (*before)(const cot_sku *plan);        /* a run of it */
    int (*report)(char *message, size_t bytes); /* after it: a code for native, and what was wrong; 0: nothing */
} serve_watch;

/* 0 once `in` ends; else the other side has broken the protocol. `watch` may be NULL: nobody does. */
int serve(const char *name, serve_open *open, const serve_watch *watch, int in, int out);

#endif
