/* Truth for the suite: every gradient and every forward operation, a line at a time, straight from the clauses of
 * doc/SPEC.md. It shares no source with the library's formulas, orders or mathematics.
 *
 * The formulas are written once and compiled for two kinds of numbers. Pairs of doubles (truth_quick.c) carry 100 bits
 * in a double's range, at some 30 ns an operation; MPFR (truth_wide.c) carries 256 in a range that nothing leaves. A
 * line goes to pairs first, and to MPFR where a number on the way left their range. doc/bounds.md has the error of
 * both, which is below a millionth of any bound that is judged by. */
#ifndef COT_TRUTH_H
#define COT_TRUTH_H

#include "core/cotangent.h"

/* A line along the axis, as doubles: every element type's values are exact in them. Elementwise ops take any run of
 * cells. */
typedef struct truth_line {
    const cot_desc *desc;
    int64_t n;
    const double *dy, *x, *y, *a, *b; /* dy and y hold one cell in a reduction */
} truth_line;

/* How firmly truth speaks of a cell. */
enum {
    TRUTH_EDGE = 1,   /* NaN, an infinity or a zero that every sound evaluation must give: `literal` is it */
    TRUTH_BITS = 2,   /* `literal` has the very bits of the spec's own evaluation */
    TRUTH_BOUND = 4,  /* the bound holds: no intermediate left the normal range, in whatever order */
    TRUTH_OPEN = 8,   /* one did, or may in another order: near the exact value, near `literal`, or lost to */
    TRUTH_PLUS = 256, /* ... an infinity, */
    TRUTH_MINUS = 512,
    TRUTH_ZERO = 1024,       /* ... a zero, */
    TRUTH_NAN = 2048,        /* ... or NaN, in some sound evaluation */
    TRUTH_FOREIGN = 16,      /* y is not what the forward op gives, and another evaluation may give anything */
    TRUTH_SIGNLESS = 32,     /* the zero's sign hangs on what the sum started with */
    TRUTH_EITHER_SIGN = 128, /* the literal value's sign hangs on a rounding */
    TRUTH_EXACT = 64         /* nothing on the way was rounded: every sound evaluation has the same bits */
};

/* All magnitudes are scaled by 2^-exponent, which is 0 but at the ends of a double's range. */
typedef struct truth_cell {
    double exact, rest; /* the formula's value at the operands as given: the sum of both */
    double condition;   /* what the roundings of its formula are relative to (clause BOUND-CONDITION) */
    double summed;      /* and the additions of its sums */
    double spread;      /* and, where the terms are random, the square root of how many there are */
    double literal;     /* the spec's own evaluation, rounded to the element type, not scaled; functions are nearest */
    double
        bend; /* TRUTH_OPEN: where divisors alone lose bits to underflow, the result is 1 + bend times the exact one */
    int exponent;
    unsigned holds; /* TRUTH_* */
} truth_cell;

/* dx in `first`, or da and db in `first` and `second`: n cells each. COT_INTERNAL: out of memory. */
cot_status truth_gradient(const truth_line *line, truth_cell *first, truth_cell *second);

/* y: one cell in a reduction, else n. A reduction of nothing follows FWD-EMPTY; max and min of it are refused. */
cot_status truth_forward(const truth_line *line, truth_cell *y);

/* The same by one kind of number alone, for tests. The quick one says in *sure whether it could. */
typedef enum truth_numbers { TRUTH_QUICK, TRUTH_WIDE } truth_numbers;
cot_status truth_gradient_by(truth_numbers which, const truth_line *line, truth_cell *first, truth_cell *second,
                             int *sure);

const char *truth_clause(cot_op op); /* that defines the op's gradient: "MAX" */

/* How many roundings a result may have behind it (clause BOUND). */
typedef struct truth_bound {
    double roundings; /* of the formula */
    double depth;     /* additions on the longest path through its sums */
    int random;       /* the terms are independent and as often negative as positive: BOUND-RANDOM */
} truth_bound;

/* The error of a result over its bound; 0 is exact, above 1 is wrong. */
double truth_score(const truth_cell *cell, cot_element element, double got, const truth_bound *bound);

/* TRUTH_OPEN: is the result the exact one, the literal one, or lost as some sound evaluation is? */
int truth_admits(const truth_cell *cell, cot_element element, double got, const truth_bound *bound);

/* The error in units in the last place of the exact value. */
double truth_ulps(const truth_cell *cell, cot_element element, double got);

double truth_nearest(const truth_cell *cell);          /* the exact value as a double */
double truth_round(cot_element element, double value); /* from the compute type, to nearest even */

int truth_allows_threads(void); /* as MPFR was built */
void truth_end(void);           /* gives back what MPFR keeps between a thread's calls */

#endif
