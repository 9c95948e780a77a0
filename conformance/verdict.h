/* How a verdict comes about, for the parts of the judge. */
#ifndef COT_VERDICT_H
#define COT_VERDICT_H

#include "judge.h"

/* Counts a failure. Not 0: it is the first at so low a level, and the caller fills in what else is known of it. */
int verdict_fail(verdict *v, level at, const char *clause, const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
