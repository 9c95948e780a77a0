/* Failures that are known and accepted for a while: a line each of `CASE-GLOB CLAUSE UNTIL REASON`. */
#ifndef COT_WAIVERS_H
#define COT_WAIVERS_H

#include "pool.h"

#include <stdio.h>

enum { WAIVER_ERROR_SIZE = 320 };

typedef struct waiver {
    char glob[CASE_ID_SIZE], clause[CLAUSE_SIZE]; /* clause: an id, or * for any */
    char until[11];                               /* the last day that it holds, 2027-01-31 */
    char reason[160];
    int line;      /* of the file */
    int expired;   /* before today */
    int64_t named; /* cases of the run that the glob matches */
    int64_t used;  /* failures that it has waived */
} waiver;

typedef struct waivers {
    waiver *at;
    int count;
} waivers;

/* 0; or -1, and `error` says what is wrong with which line. */
int waivers_read_from(FILE *file, const char *name, waivers *w, char error[WAIVER_ERROR_SIZE]);
int waivers_read(const char *path, waivers *w, char error[WAIVER_ERROR_SIZE]);
void waivers_free(waivers *w);

/* The waiver of a failure, NULL where there is none that still holds. Counts what it sees: call it for every result. */
const waiver *waivers_find(waivers *w, const result *r);

typedef enum waiver_fault { WAIVER_HOLDS, WAIVER_EXPIRED, WAIVER_UNUSED } waiver_fault;

/* After the run. A waiver that has expired, or that nothing needs any more, is a fault. `whole`: every case was run, so
 * that a glob which matches none is one too. */
waiver_fault waiver_fault_of(const waiver *one, int whole);
int waivers_faults(const waivers *w, int whole);

#endif
