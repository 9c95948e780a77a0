/* Real numbers for truth: MPFR's arithmetic on values that can be copied, returned and left, so that a formula reads as
 * a formula. 256 bits and MPFR's whole exponent range: next to a double's 53 bits their own error does not count, and
 * nothing overflows that a double could name. */
#ifndef COT_TRUTH_REAL_H
#define COT_TRUTH_REAL_H

#define MPFR_USE_NO_MACRO /* functions, which can be passed, and do not shadow */
#include <mpfr.h>

#include "truth_format.h"

enum { REAL_BITS = 256, REAL_LIMBS = 256 / GMP_NUMB_BITS };

typedef struct real {
    int kind; /* MPFR's: NaN, infinity, zero or a number, with its sign */
    mpfr_exp_t exponent;
    mp_limb_t limb[REAL_LIMBS];
} real;

typedef int real_fn1(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int real_fn2(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

real real_of(double value); /* exact */
real real_apply1(real_fn1 *f, real a);
real real_apply2(real_fn2 *f, real a, real b);

real real_abs(real a);
real real_neg(real a);
int real_is_nan(real a);
int real_is_finite(real a);
int real_is_zero(real a);
double real_to(real a);        /* the nearest double */
long double real_size(real a); /* its absolute value, nearly; infinite past a long double's range */

/* a * 2^-exponent as the sum of two doubles. */
void real_split(real a, int exponent, double *high, double *low);

/* An operation rounded once, to nearest even, to a format, as IEEE 754 has it. *inexact says whether it lost anything.
 */
double rounded_apply1(const real_format *to, real_fn1 *f, double a, int *inexact);
double rounded_apply2(const real_format *to, real_fn2 *f, double a, double b, int *inexact);

void real_begin(void); /* opens MPFR's exponent range; before anything else here, in each thread */
void real_end(void);   /* gives back what MPFR keeps, of this thread */
int real_allows_threads(void);

#endif
