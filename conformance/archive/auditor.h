/* An audit at work, for the files that it is written in. */
#ifndef COT_AUDITOR_H
#define COT_AUDITOR_H

#include "audit.h"

typedef struct auditor {
    FILE *to;
    audit found;
    const members *files;
    int samples;
    uint64_t state;
    audit_cases cases;
} auditor;

__attribute__((format(printf, 2, 3))) void audit_problem(auditor *a, const char *format, ...);

/* The sweep whose files' names begin with the first `length` letters of `prefix`, "sweeps/NAME/". */
void audit_sweep(auditor *a, const char *prefix, size_t length);

/* What is kept of the cells of a check, "cells/NAME/1" and so on for "results/NAME". */
void audit_kept(auditor *a, const char *name, const node *top);

#endif
