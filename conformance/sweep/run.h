/* A sweep: blocks on a backend, judged and written down, until none is left. */
#ifndef COT_SWEEP_RUN_H
#define COT_SWEEP_RUN_H

#include "collect.h"

#include <signal.h>

typedef struct sweep_run {
    const sweep *s;
    cot_backend *backend;
    const char *directory;
    const volatile sig_atomic_t *stop; /* not 0: no further block */
    void (*progress)(void *self, int64_t done, int64_t planned, double seconds);
    void *self;
    collection found; /* what the directory holds */
    char error[COLLECT_TEXT];
} sweep_run;

/* What the backend claims of such blocks; COT_UNSUPPORTED where it does not do them. */
cot_status sweep_claim(cot_backend *backend, const sweep *s, block_claim *claim, cot_error *error);

/* 0, or -1, and `error` says why. The finished blocks stay in the directory in either case. */
int sweep_blocks(sweep_run *r, const block_claim *claim);

/* One block again, for those who doubt a result that is written down; `raw`, where it is not NULL, has room for the
 * results of a block: all da, then all db, or dx of all lines' first cells and of all their second ones. */
cot_status sweep_one(cot_backend *backend, const sweep *s, int64_t block, block_result *again, char *raw,
                     cot_error *error);

size_t sweep_raw_size(const sweep *s); /* bytes of `raw` */

/* And results that somebody has kept, judged on this machine: what a block's line ought to say. `bits`: they are
 * claimed. */
cot_status sweep_judge(const sweep *s, int bits, int64_t block, const char *raw, block_result *again);

#endif
