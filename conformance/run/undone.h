/* What a backend does not do, by the reasons that it gives. */
#ifndef COT_UNDONE_H
#define COT_UNDONE_H

#include "pool.h"

enum { UNDONE_REASONS = 16, UNDONE_SIZE = 128 };

typedef struct undone {
    struct {
        char why[UNDONE_SIZE];
        int64_t count, number; /* cases; the first of them */
        test_case first;
    } at[UNDONE_REASONS];
    int kinds;
    int64_t others; /* for further reasons */
} undone;

void undone_take(undone *u, const result *r);
void undone_add(undone *u, const result *r, int64_t count); /* so many, of which this is the first */

/* The backend's own words on one line, or ours where it has none. */
void undone_why(const result *r, char why[UNDONE_SIZE]);

#endif
