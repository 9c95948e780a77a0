/* Binary floating-point formats, for both kinds of numbers. */
#ifndef COT_TRUTH_FORMAT_H
#define COT_TRUTH_FORMAT_H

#include "core/cotangent.h"

/* Precision, and MPFR's bounds of the exponent, subnormals included: the smallest number is 2^(least - 1), and all are
 * below 2^most. */
typedef struct real_format {
    int bits;
    long least, most;
} real_format;

extern const real_format compute_float, compute_double, element_formats[];

const real_format *compute_format(cot_element element); /* ARITH-COMPUTE */

double format_least_normal(const real_format *format);
double format_largest(const real_format *format);
double format_unit(const real_format *format);     /* half an ULP of 1 */
double format_smallest(const real_format *format); /* subnormal */

#endif
