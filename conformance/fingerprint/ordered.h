/* The spec under another order of sums: the reference, with the sums of FOLD-ORDER and SCAN-ORDER added in a named
 * order. What it gives is what a port that adds so must give, bit for bit, if it keeps to every other clause. */
#ifndef COT_ORDERED_H
#define COT_ORDERED_H

#include "core/cotangent.h"

/* By the order's name, "lanes(8)"; there are no options. */
cot_status ordered_open(const char *name, const char *options, cot_backend **backend, cot_error *error);

#endif
