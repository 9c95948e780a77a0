/* What can be known of a submission without the hardware that it is about. */
#ifndef COT_AUDIT_H
#define COT_AUDIT_H

#include "members.h"
#include "conformance/html/tree.h"
#include "conformance/run/tally.h"

typedef struct audit {
    int problems, results, sweeps;
    int64_t recomputed; /* blocks, on the reference */
} audit;

/* Promises `planned` the cases that a result's run was asked for, and counts them as its rows' cases; 0, or -1 and
 * `why`. */
typedef int plan_fn(const node *run, tally *planned, char why[256]);

/* Says on `to` what it finds, a line each; blocks of sweeps whose bits are claimed are computed again, `samples` of
 * each, which `seed` draws. */
audit audit_submission(FILE *to, const members *m, int samples, uint64_t seed, plan_fn *plan);

#endif
