/* Results of a case as a backend gave them, which a submission has with it: its id, a new line, and the cells of its
 * outputs one after the other, each in row-major order and in its type's bits. NaN is the canonical one. */
#ifndef COT_KEPT_H
#define COT_KEPT_H

#include "conformance/judge/judge.h"

enum { KEPT_CELLS = 8192 }; /* of an output, at most: a case of more is not kept */

/* Whether a case can be: it calls for results, and not for too many. */
int kept_can(const test_case *c);

/* Runs it. COT_OK, and *bytes is the caller's to free; or what the backend answered, or COT_INTERNAL. */
cot_status kept_pack(cot_backend *backend, const test_case *c, char **bytes, size_t *size, cot_error *error);

typedef struct kept_ruling {
    test_case c;
    char id[CASE_ID_SIZE];
    verdict v;          /* as `cotangent judge` rules on files */
    int64_t other_bits; /* cells that are not the reference's, where it was asked */
} kept_ruling;

/* The case; 0, or -1 where these are no such results. */
int kept_read(const char *bytes, size_t size, kept_ruling *r);

/* Judges what kept_read has read; with a reference, which is run here, its bits too. COT_INTERNAL: it cannot be. */
cot_status kept_judge(const char *bytes, cot_backend *reference, kept_ruling *r);

#endif
