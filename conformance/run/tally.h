/* What a run has seen, per op and element type, and within them per generator and layout, and per kind of shape. */
#ifndef COT_TALLY_H
#define COT_TALLY_H

#include "conformance/case/cases.h"
#include "pool.h"

enum { ELEMENTS = 4 }; /* COT_F16 up to COT_F64 */

typedef struct row {
    int64_t cases, failed, unsupported; /* cases counts those that were judged, failed and waived ones included, */
    int64_t waived;                     /* failures that are known and accepted: not among the failed */
    int64_t refusals;                   /* and calls that must be refused */
    int64_t cells, edge_cells, nan_cells, bit_cells, open_cells, unjudged_cells, guard_bytes, statuses;
    int64_t unjudged[UNJUDGED_REASONS]; /* of unjudged_cells: why */
    double worst;
    int64_t graded_cells; /* with an error that a sum can have, and the largest over the bound of each grade: */
    double graded[GRADES];
    int reached; /* the level that every case reached, -1: not even E. LEVELS before the first case */
} row;

typedef struct coverage {
    int64_t promised, judged, unsupported; /* combinations: op, type, generator and layout; or op, type and shape */
    int64_t holes;                         /* promised, not refused as unsupported, and never judged by a check */
} coverage;

typedef struct tally tally;

tally *tally_new(void); /* NULL: out of memory */
void tally_free(tally *t);

/* Before the run: every case that will be judged, and for a whole range every combination that it ought to hold, so
 * that a range which has lost some does not pass. */
void tally_promise(tally *t, const test_case *c);
void tally_promise_range(tally *t, const case_range *range);

void tally_take(tally *t, const result *r);

int64_t checks_of(const verdict *v); /* cells with a ruling; where there are no cells, statuses */
const row *tally_row(const tally *t, int op, cot_element element); /* op: an index for cot_op_at */
row tally_total(const tally *t);
coverage tally_coverage(const tally *t); /* of generators and layouts */
coverage tally_shapes(const tally *t);   /* of kinds of shapes (case/shape.h) */
int64_t tally_gaps(const tally *t);      /* the holes of both */

/* A combination, by its place: op and element as above. */
typedef struct combination {
    int op;
    cot_element element;
    int generator;
    case_layout layout;
} combination;

/* A kind of shape that an op and type have not met. */
typedef struct shape_gap {
    int op;
    cot_element element;
    int kind;
} shape_gap;

/* Cases that failed, or passed by a check; that the backend does not do; and the same of a kind of shape. */
int64_t tally_judged(const tally *t, const combination *which);
int64_t tally_undone(const tally *t, const combination *which);
typedef int64_t shape_count_fn(const tally *t, const shape_gap *which);
shape_count_fn tally_shape_judged, tally_shape_undone;

/* What a run has counted already, and wrote down: to its counts, those of a combination, and of a kind of shape. */
typedef struct seen {
    int64_t promised, judged, unsupported;
} seen;
void tally_add_row(tally *t, int op, cot_element element, const row *more);
void tally_add_square(tally *t, const combination *which, seen more);
void tally_add_shape(tally *t, const shape_gap *which, seen more);

void tally_shape_holes(const tally *t, void (*found)(void *self, const shape_gap *hole), void *self);
void tally_holes(const tally *t, void (*found)(void *self, const combination *hole), void *self);

#endif
