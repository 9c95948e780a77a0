/* Decimal text to the nearest double, in integers only, so that it does not depend on a locale or a C library. */
#ifndef SG_DECIMAL_H
#define SG_DECIMAL_H

#include "base.h"

/* Reads digits[.digits][e[+-]digits]; *used is the number of characters taken. Returns the bits. */
u64 decimal_to_f64(const char *text, size_t len, size_t *used);

#endif
