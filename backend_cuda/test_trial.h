/* A gradient of any op in the host's memory, to be run on a backend and compared with another's, for tests. */
#ifndef COT_TEST_CUDA_TRIAL_H
#define COT_TEST_CUDA_TRIAL_H

#include "core/internal.h"

typedef enum trial_layout {
    DENSE,    /* contiguous */
    SHIFTED,  /* an element past an aligned address */
    TURNED,   /* the last dimension slowest */
    PADDED,   /* gaps after the last dimension */
    GAPPED,   /* between all cells */
    REPEATED, /* inputs that repeat along the first dimension */
    ALIASED,  /* an output in the place of an input */
    TRIAL_LAYOUTS
} trial_layout;

typedef struct trial {
    cot_desc desc;
    trial_layout layout;
    int values; /* of what kind, 0 to 3 */
    cot_view views[COT_DB + 1];
    char *memory[COT_DB + 1]; /* NULL where the op has no such operand */
    size_t bytes[COT_DB + 1];
    cot_operand alias; /* the input that the first output stands in for, or COT_NO_OPERAND */
} trial;

bool trial_make(trial *t); /* from desc, layout and values; false: out of memory */
void trial_free(trial *t);
const char *trial_name(const trial *t); /* until the next call */

/* Runs it on a backend, on a stream. On success the outputs' whole memory is in results[], to be freed. */
cot_status trial_run(const trial *t, cot_backend *backend, void *stream, char *results[COT_DB + 1], cot_error *error);

/* Cells that differ, any NaN being equal to any NaN; says the first. */
int64_t trial_differences(const trial *t, char *const expected[COT_DB + 1], char *const got[COT_DB + 1]);

void results_free(char *results[COT_DB + 1]);

#endif
