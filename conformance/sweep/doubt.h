/* One cell before truth: what the quick evaluation could not decide. */
#ifndef COT_DOUBT_H
#define COT_DOUBT_H

#include "core/cotangent.h"

typedef struct doubt {
    const cot_desc *desc;
    double g, a, b; /* x and y are in a and b, or the line of y */
    int out;        /* 0: da, or dx of the line's first cell; 1: db, or dx of its second */
    double got;
    float literal;    /* the spec's own evaluation, in the element type; settled where it was open */
    int open;         /* it may be off, as a function is close to the middle of two floats */
    int bits;         /* the backend claims it */
    double roundings; /* of clause BOUND */
    double depth;

    int wrong;    /* the ruling */
    double ratio; /* error over bound, where one holds */
} doubt;

cot_status doubt_settle(doubt *d);
const char *doubt_clause(cot_op op); /* that defines the op's gradient */

#endif
