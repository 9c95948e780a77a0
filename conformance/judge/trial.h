/* A problem run on a backend: the tensors' whole memory, guards included, copied to where the backend can reach it, and
 * back. */
#ifndef COT_TRIAL_H
#define COT_TRIAL_H

#include "conformance/case/problem.h"

typedef struct trial {
    const problem *p;
    cot_guarantee claim; /* what the backend says of its results */
    fill_pattern fill;
    unsigned char *sent[OPERANDS];   /* what was sent, by owner; NULL where the operand owns no memory */
    unsigned char *memory[OPERANDS]; /* what came back */
    unsigned char *workspace;        /* guard, workspace, guard, as it came back; NULL where there is none */
    size_t workspace_bytes;          /* of all that */
    unsigned char *marks[OPERANDS];  /* of outputs: a byte per cell that becomes 1 where it is wrong; NULL: none */
} trial;

/* Selects, runs and waits. trial_free in any case. */
cot_status trial_run(trial *t, cot_backend *backend, const problem *p, fill_pattern fill, cot_error *error);
void trial_free(trial *t);

cot_view trial_view(const trial *t, cot_operand operand); /* as it came back */
int64_t trial_damage(const trial *t, int64_t *looked_at); /* bytes that were changed and must not have been */

#endif
