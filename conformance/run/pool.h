/* Cases judged by several processes, their results in the order in which the cases were given. A process that dies
 * fails the case that it was at, and is replaced. One that answers too late is replaced too, and its case is tried once
 * more, with nothing beside it, before it fails; what a process waits for a processor does not count. */
#ifndef COT_POOL_H
#define COT_POOL_H

#include "worker.h"

#include <signal.h>

typedef struct result {
    test_case c;
    cot_status status; /* COT_UNSUPPORTED: not judged */
    int lost;          /* the process died at it, or was ended because it did not answer */
    double seconds;    /* that it took */
    double hung;       /* of them, calls that did not come back */
    int64_t number;    /* of the case, among all that were asked for */
    int waived;        /* not 0: a failure that is known and accepted (waivers.h) */
    verdict v;
} result;

enum { LOST_DIED = 1, LOST_LATE };

typedef struct pool pool;

typedef struct pool_settings {
    brief brief;
    int jobs;
    const volatile sig_atomic_t *stop; /* not 0: no further case, and those in hand are dropped */
} pool_settings;

/* The verdict on a case that lost its process: what the process was at, whether it was ended for being late, waitpid's
 * status, and the seconds that it had. In the judge's own time the backend is not blamed. */
void lost_verdict(verdict *v, judge_phase phase, int late, int status, double patience);

typedef void deliver_fn(void *self, const result *r);

/* Opens the backend in a first process. NULL: `why` says why it cannot be used. */
pool *pool_open(const pool_settings *settings, char why[256]);
void pool_close(pool *p);

void pool_deliver_to(pool *p, deliver_fn *deliver, void *self);
const char *pool_remark(const pool *p); /* greeting.remark */
const char *pool_device(const pool *p); /* greeting.device */

/* From here on the pool takes only so many seconds more. */
void pool_limit(pool *p, double seconds);
int pool_is_late(const pool *p); /* they are over */

/* What the wrong gradient of a case is right for: 1; else 0. The pool must have nothing in hand. */
int pool_guess(pool *p, const test_case *c, headline *right_for);

/* Not 0: the pool has ended before its time, and takes no further case. */
int pool_judge(pool *p, const test_case *c);
int pool_drain(pool *p);               /* waits for everything in hand */
const char *pool_ended(const pool *p); /* why it has; "" while it has not */

#endif
