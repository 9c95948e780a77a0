/* How far sums of given numbers go astray by rounding: BOUND-RANDOM for numbers of which nothing is known. */
#ifndef COT_OWN_SUMS_H
#define COT_OWN_SUMS_H

#include "core/cotangent.h"

/* The inputs of a line, as doubles: NULL where the op does not read one. */
typedef struct own_line {
    const cot_desc *desc;
    int64_t n;
    const double *dy, *x, *y;
} own_line;

/* What stands in for d of BOUND: as many additions as would explain the errors of sound sums of this line. Infinite
 * where the op has no such sum, or numbers leave the range. */
double own_depth(const own_line *line);

#endif
