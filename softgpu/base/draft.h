/* A file that is there whole or not at all: it is written beside its name, and renamed when it is complete. */
#ifndef SG_DRAFT_H
#define SG_DRAFT_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

enum { DRAFT_ENDS = 4 };

typedef struct draft {
    FILE *file; /* NULL where it cannot be written */
    char *target, *temporary;
    struct sigaction before[DRAFT_ENDS];
} draft;

/* Between the two, signals that end a process wait, so that they leave no litter. What is there and is no plain file (a
 * device, a pipe, a link to nothing) is written as it is. */
FILE *draft_begin(draft *d, const char *name);
bool draft_end(draft *d, bool good); /* false where it is not good, or could not be put in its place */

#endif
