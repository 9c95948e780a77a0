/* Everything that is found of a backend. */
#ifndef COT_FINGERPRINT_H
#define COT_FINGERPRINT_H

#include "arithmetic.h"
#include "reveal.h"
#include "ways.h"

enum { FINGERPRINT_EXTENTS = 16, FINGERPRINT_OPS = 64, FINGERPRINT_FINDINGS = 32 };

/* The order of an op's sums, at every extent. */
typedef struct op_order {
    const cot_op_info *op;
    int extents;
    int terms[FINGERPRINT_EXTENTS];
    reveal_status status[FINGERPRINT_EXTENTS];
    revealed found[FINGERPRINT_EXTENTS];
    int named; /* not 0: `name` is the order at all of them */
    named_order name;
} op_order;

typedef struct op_ways {
    const cot_op_info *op;
    cot_status status; /* not COT_OK: the backend's words are in `error` */
    cot_error error;
    ways ways;
} op_ways;

typedef struct fingerprint {
    op_order order[FINGERPRINT_OPS];
    op_ways way[FINGERPRINT_OPS];
    finding finding[FINGERPRINT_FINDINGS];
    int orders, ways, findings;
    int64_t cells, differ[WAYS_CONVENTIONS]; /* of all ops */
} fingerprint;

/* The order of one op's sums; extents that are too long for the type are left out. */
void fingerprint_order(cot_backend *backend, const cot_op_info *op, cot_element element, const int *extents, int count,
                       op_order *o);

/* Adds an op, and the findings. */
void fingerprint_op(cot_backend *backend, cot_backend *reference, const cot_op_info *op, cot_element element,
                    const int *extents, int count, fingerprint *f);
void fingerprint_arithmetic(cot_backend *backend, cot_element element, fingerprint *f);
void fingerprint_free(fingerprint *f);

int fingerprint_nearest(const fingerprint *f); /* a cot_convention */

#endif
