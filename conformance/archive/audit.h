/* What can be known of a submission without the hardware that it is about. */
#ifndef COT_AUDIT_H
#define COT_AUDIT_H

#include "members.h"
#include "conformance/html/tree.h"
#include "conformance/run/tally.h"

typedef struct audit {
    int problems, results, sweeps;
    int parts;          /* of those, the ones that are a part of what there is to be judged */
    int64_t recomputed; /* blocks, on the reference */
    int64_t kept;       /* cases of checks whose results were judged again; of them, on the reference too: */
    int64_t kept_bits;
} audit;

/* Promises `planned` the cases that a result's run was asked for, and counts them as its rows' cases; 0, or -1 and
 * `why`. */
typedef int plan_fn(const node *run, tally *planned, char why[256]);

/* Not 0: the run was asked for this case. */
typedef int asked_fn(const node *run, const char *id);

typedef struct audit_cases {
    plan_fn *plan;
    asked_fn *asked;
} audit_cases;

/* Says on `to` what it finds, a line each; blocks of sweeps whose bits are claimed are computed again, `samples` of
 * each, which `seed` draws. */
audit audit_submission(FILE *to, const members *m, int samples, uint64_t seed, audit_cases cases);

#endif
