/* A backend in a process of its own: what it does to itself (crash, hang, exit, a broken heap) costs the call that did it, and the next
 * call finds it started again. */
#ifndef COT_PROXY_H
#define COT_PROXY_H

#include "cotangent.h"

enum { PROXY_WORDS = 8 };

/* Starts the program, which speaks the protocol of doc/porting.md, and opens the backend behind it. `name` is for messages. A
 * call may take as many seconds as COTANGENT_TIMEOUT in the environment says (20), a tenth of them after one that took longer. */
cot_status proxy_open(const char *name, const char *const argv[], const char *options, cot_backend **backend, cot_error *error);

#endif
