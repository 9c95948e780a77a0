/* Runs a case on a backend and judges every cell of its results, against truth and against another backend. */
#ifndef COT_JUDGE_H
#define COT_JUDGE_H

#include "conformance/case/case.h"
#include "verdict.h"

/* What the process that judges is at: calling the backend on trial, or computing by itself. */
typedef enum judge_phase { PHASE_BACKEND, PHASE_JUDGE } judge_phase;

enum { TWINS = 2 };

/* Who is judged: the backend on trial, how far, and for level X whom it must equal. */
typedef struct court {
    cot_backend *backend;
    cot_backend *against;      /* NULL: truth alone */
    cot_backend *twins[TWINS]; /* the same backend opened with options that must not matter (DETERMINISM), or NULL */
    level level;
    int unclaimed; /* the backend's promises do not count: it is judged as one that makes none */
    int repeat;    /* how often a case is run with nothing changed, to see a race that is rare: 0 or 1 is once */
    int bare;      /* a further run without guards behind the operands: the device finds what goes past them */
    int reordered; /* `against` adds in another order than the spec, whose bits nobody is asked for then */
    volatile judge_phase *phase; /* kept up to date for a process that watches this one; NULL: nobody does */
} court;

/* NULL, or why this build cannot judge at all. */
const char *judge_unusable(void);

/* COT_UNSUPPORTED from the backend is returned, and no failure. */
cot_status judge_case(const court *seat, const test_case *c, verdict *v);

void judge_end(void); /* after the last case */

#endif
