/* The cases that the run of a result was asked for, by what its JSON says of it. */
#ifndef COT_PLANNED_H
#define COT_PLANNED_H

#include "conformance/html/tree.h"
#include "selection.h"

typedef struct planned {
    selection s;
    char *ids; /* that were named, a line each */
} planned;

/* `run` is the result's, and outlives it. 0, or an exit code, and everything has been said. planned_free in any case.
 */
int planned_read(planned *p, const node *run);
void planned_free(planned *p);

#endif
