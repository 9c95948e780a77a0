/* What an op does at its edges: under which policies the reference gives the same classes and signs, and about the same
 * numbers. */
#ifndef COT_WAYS_H
#define COT_WAYS_H

#include "core/cotangent.h"

enum { WAYS_CONVENTIONS = COT_CONVENTION_JAX + 1 }; /* spec, torch, jax */

typedef struct ways {
    cot_convention asked;             /* under its policies: the spec's, or the first that the backend takes */
    int64_t cells;                    /* that were compared */
    int64_t differ[WAYS_CONVENTIONS]; /* of them, from the reference under each convention */
    int64_t least;                    /* and under the best policies */
    cot_policies best;                /* the first of these in the order of the table */
    unsigned either;                  /* bits by policy: another value is as good */
} ways;

/* COT_UNSUPPORTED: the backend does not do the op. */
cot_status ways_find(cot_backend *backend, cot_backend *reference, const cot_op_info *op, cot_element element, ways *w,
                     cot_error *error);

/* "ties=split, max_nan=first or another"; "" where the op has none. */
void ways_print(const cot_op_info *op, const ways *w, char *text, size_t size);

#endif
