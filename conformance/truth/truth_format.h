/* Binary floating-point formats, for both kinds of numbers. */
#ifndef COT_TRUTH_FORMAT_H
#define COT_TRUTH_FORMAT_H

#include "core/cotangent.h"

#include <math.h>

/* Precision, and MPFR's bounds of the exponent, subnormals included: the smallest number is 2^(least - 1), and all are
 * below 2^most. */
typedef struct real_format {
    int bits;
    long least, most;
    double unit, smallest, least_normal; /* half an ULP of 1; the smallest number, and the smallest with all its bits */
} real_format;

extern const real_format compute_float, compute_double, element_formats[];

const real_format *compute_format(cot_element element); /* ARITH-COMPUTE */

double format_largest(const real_format *format);

/* number * 2^exponent. Nearly every exponent is 0, and ldexp takes longer than all else that is done to a cell. */
static inline double scale_by(double number, int exponent) { return exponent ? ldexp(number, exponent) : number; }

#endif
