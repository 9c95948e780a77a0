/* The process that judges: a backend runs here, so that what it breaks is not the suite. */
#ifndef COT_WORKER_H
#define COT_WORKER_H

#include "judge.h"

/* What is on trial, and how far. */
typedef struct brief {
    const char *backend; /* as suite_backend_open knows them */
    const char *options; /* for it; NULL: none */
    const char *against; /* whose bits it must have; NULL: truth alone */
    int level;           /* a level, or LEVEL_CLAIMED */
    int threads;         /* that a worker may use */
} brief;

enum { LEVEL_CLAIMED = -1 }; /* as far as the backend's own guarantee for the case goes */

enum { REMARK_SIZE = 128, CLAUSE_SIZE = 40 };

/* The first thing that a worker says. */
typedef struct greeting {
    int unusable;
    char message[256];        /* why */
    char remark[REMARK_SIZE]; /* what a report must end with; "" for nothing */
} greeting;

/* An answer to a case. */
typedef struct answer {
    cot_status status;
    char clause[CLAUSE_SIZE]; /* v.clause, which points into the worker */
    verdict v;
} answer;

/* Reads cases from fd and writes answers until it ends. Never returns. */
void worker_run(int fd, const brief *b) __attribute__((noreturn));

/* 0, or not everything could be moved. */
int send_all(int fd, const void *data, size_t bytes);
int receive_all(int fd, void *data, size_t bytes);

#endif
