/* Truth for the suite: every gradient and every forward operation, a line at a time, straight from the clauses of doc/SPEC.md
 * in MPFR. It is slow, and shares no source with the library's formulas, orders or mathematics. */
#ifndef COT_TRUTH_H
#define COT_TRUTH_H

#include "cotangent.h"
#include "truth_real.h"

/* A line along the axis, as doubles: every element type's values are exact in them. Elementwise ops take any run of cells. */
typedef struct truth_line {
    const cot_desc *desc;
    int64_t n;
    const double *dy, *x, *y, *a, *b; /* dy and y hold one cell in a reduction */
} truth_line;

/* How firmly truth speaks of a cell. */
enum {
    TRUTH_EDGE = 1,  /* NaN, an infinity or a zero that every evaluation must give: `literal` is it */
    TRUTH_BITS = 2,  /* `literal` has the very bits of the spec's own evaluation */
    TRUTH_BOUND = 4  /* the bound holds: no intermediate left the normal range */
};

typedef struct truth_cell {
    real exact;      /* the formula's value at the operands as given */
    real condition;  /* what its error is relative to (clause BOUND) */
    double literal;  /* the spec's own evaluation, rounded to the element type; functions correctly rounded */
    unsigned holds;  /* TRUTH_* */
} truth_cell;

/* dx in `first`, or da and db in `first` and `second`: n cells each. COT_INTERNAL: out of memory. */
cot_status truth_gradient(const truth_line *line, truth_cell *first, truth_cell *second);

/* y: one cell in a reduction, else n. A reduction of nothing follows FWD-EMPTY; max and min of it are refused. */
cot_status truth_forward(const truth_line *line, truth_cell *y);

const char *truth_clause(cot_op op); /* that defines the op's gradient: "MAX" */

/* The error of a result over its bound with k roundings; 0 is exact, above 1 is wrong. Only where TRUTH_BOUND holds. */
double truth_score(const truth_cell *cell, cot_element element, double got, double k);

/* The error in units in the last place of the exact value. */
double truth_ulps(const truth_cell *cell, cot_element element, double got);

double truth_round(cot_element element, double value); /* from the compute type, to nearest even */

void truth_end(void); /* gives back what MPFR keeps between calls */

#endif
