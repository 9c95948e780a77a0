/* What is fed with bytes of all kinds. A target ends the process (abort, or a sanitizer) where something is wrong. */
#ifndef COT_TARGETS_H
#define COT_TARGETS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef void fuzz_target(const uint8_t *data, size_t size);

fuzz_target fuzz_call;    /* a descriptor and operands, run on the reference */
fuzz_target fuzz_npy;     /* .npy */
fuzz_target fuzz_case;    /* case ids */
fuzz_target fuzz_vector;  /* vectors: JSON, a line each */
fuzz_target fuzz_result;  /* the JSON of a check or a sweep: merged, and shown as a page */
fuzz_target fuzz_waivers; /* waivers, and lists of artefacts */
fuzz_target fuzz_archive; /* a submission's files */
fuzz_target fuzz_answer;  /* what a port's process sends */

fuzz_target *fuzz_find(const char *name); /* NULL where there is none */

/* What must hold of whatever comes in. */
static inline void must(int holds)
{
    if (!holds)
        abort();
}

char *fuzz_text(const uint8_t *data, size_t size); /* with a zero behind it: free it */

/* A file of these bytes without a name in any directory: its path until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
