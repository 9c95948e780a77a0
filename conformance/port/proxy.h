/* A backend in a process of its own: what it does to itself (crash, hang, exit, a broken heap) costs the call that did
 * it, and the next call finds it started again. */
#ifndef COT_PROXY_H
#define COT_PROXY_H

#include "core/cotangent.h"

enum { PROXY_WORDS = 8 };

/* The seconds that a case may take unless its user says otherwise (--timeout). */
enum { CASE_PATIENCE = 60 };
void call_patience_for(double seconds);

/* Seconds that calls which did not come back have cost in this process. */
double calls_lost(void);

/* Starts the program, which speaks the protocol of doc/porting.md, and opens the backend behind it. `name` is for
 * messages. A call may take a third of what a case may, a tenth of that after one that took longer. */
cot_status proxy_open(const char *name, const char *const argv[], const char *options, cot_backend **backend,
                      cot_error *error);

#endif
