/* exp, log, pow, hypot and atan2 in float and in double: the same bits from every compiler, on CPU, GPU and in a
 * browser.
 *
 * In float the results are the correctly rounded ones: the true value, rounded once, to nearest even. In double the
 * functions below are the definition; their errors are in doc/math.md.
 *
 * But for what is marked COT_RARE, there is no branch, table, loop or fused multiply-add, and no conversion between
 * reals and integers: a real is rounded to an integer by adding a large constant, and the integer is read from the bits
 * of the sum. So loops over these functions become vector code. */
#ifndef COT_MATH_H
#define COT_MATH_H

#include "real.h"
#include "poly.h"
#include "pairs.h"
#include "wide.h"
#include "exp.h"
#include "log.h"
#include "pow.h"
#include "hypot.h"
#include "atan2.h"

#endif
