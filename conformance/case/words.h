/* Words of the command line and of case ids, as values. Each takes all of its text: 0, or -1 where it is not one. */
#ifndef COT_PARSE_H
#define COT_PARSE_H

#include "core/cotangent.h"

#define SHAPE_EXPECTED "expected up to 8 extents joined by x, as in 5x37"

int parse_integer(const char *text, long long least, long long most, long long *value);
int parse_number(const char *text, double *value); /* NaN and infinities are numbers too */
int parse_shape(const char *text, int32_t *rank, int32_t shape[COT_MAX_RANK]);
int parse_convention(const char *text, cot_policies *policies); /* "torch" */
int parse_policy(const char *name, const char *value, cot_policies *policies);

/* Not 0: one of the globs, which commas or lines part, matches. */
int matches_one(const char *globs, const char *word);

/* Adds the names of a list "a; b" to another one: each is there once, in the alphabet's order. 0, or -1 where there is
 * no room for one. */
int list_join(char *list, size_t size, const char *more);

const char *convention_name(cot_convention which); /* NULL past the last */

#endif
