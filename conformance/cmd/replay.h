/* What became of one vector: a backend's result and the framework's, each judged by truth and compared. */
#ifndef COT_REPLAY_H
#define COT_REPLAY_H

#include "conformance/file/vector.h"
#include "conformance/judge/verdict.h"

typedef enum replay_outcome {
    REPLAY_SAME,    /* the backend's bits are the framework's */
    REPLAY_NEAR,    /* class and sign agree in every cell, numbers are both within their bounds */
    REPLAY_DIFFERS, /* the framework does something else */
    REPLAY_WRONG,   /* the backend breaks a clause */
    REPLAY_SKIPPED, /* the backend does not do it */
    REPLAY_OUTCOMES
} replay_outcome;

typedef struct replay {
    cot_view got[OPERANDS]; /* outputs; the data is malloc's */
    replay_outcome outcome;
    char why[512]; /* the first cell that differs or is wrong, or the backend's own words */
} replay;

/* 0; or -1: out of memory. replay_free in any case. */
int replay_run(cot_backend *backend, const vector *v, replay *r);
void replay_free(replay *r);

#endif
