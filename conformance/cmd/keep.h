/* Results of cases that a check was asked for, once more from its backend, for a submission. */
#ifndef COT_KEEP_H
#define COT_KEEP_H

#include "conformance/archive/members.h"

enum { KEPT_CASES = 8 };

/* Adds "cells/NAME/1" and so on, of as many cases that are drawn anew each time; `text` is the JSON of the check. Where
 * there is no backend it says so, and adds nothing. 0, or an exit code, and everything has been said. */
int keep_cells(members *m, const char *name, const char *text);

#endif
