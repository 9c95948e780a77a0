/* The process that judges: a backend runs here, so that what it breaks is not the suite. */
#ifndef COT_WORKER_H
#define COT_WORKER_H

#include "conformance/judge/guess.h"
#include "conformance/judge/judge.h"

/* What is on trial, and how far. */
typedef struct brief {
    const char *backend; /* as suite_backend_open knows them */
    const char *options; /* for it; NULL: none */
    const char *against; /* whose bits it must have; NULL: truth alone */
    int level;           /* a level, or LEVEL_CLAIMED */
    int threads;         /* that a worker may use */
    int repeat;          /* court.repeat */
    double patience;     /* seconds that a case may take */
} brief;

enum { LEVEL_CLAIMED = -1 }; /* as far as the backend's own guarantee for the case goes */

enum { REMARK_SIZE = 128 };

/* The first thing that a worker says. */
typedef struct greeting {
    int unusable;
    char message[256];        /* why */
    char device[REMARK_SIZE]; /* the backend's word for what it runs on; "" for nothing */
    char remark[REMARK_SIZE]; /* what a report must end with; "" for nothing */
} greeting;

/* What a worker is asked: to judge a case, or what its wrong gradient is right for. */
typedef struct task {
    test_case c;
    int guess;
} task;

/* An answer to a case. */
typedef struct answer {
    cot_status status;
    verdict v;
    double hung;        /* seconds that calls which did not come back have cost */
    headline right_for; /* GUESS_NOTHING where it was not asked, or is right for nothing that is known */
} answer;

/* Reads tasks from fd and writes answers until it ends. `phase` is shared with the process that watches this one. Never
 * returns. */
void worker_run(int fd, const brief *b, volatile judge_phase *phase) __attribute__((noreturn));

/* 0, or not everything could be moved. */
int send_all(int fd, const void *data, size_t bytes);

#endif
