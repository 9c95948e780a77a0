/* Generators whose sums and products are exact in every order (conformance/judge/oracle_exact.c). */
#ifndef COT_GENERATE_EXACT_H
#define COT_GENERATE_EXACT_H

#include "generate.h"

double exact_logs(const draw *d);   /* x and y 0, so that exp(x - y) and exp(y) are 1; dy 1, 2 or 3 64ths */
double exact_powers(const draw *d); /* x +-1/2, +-1 or +-2, their running products too; dy the same, of either sign */
double
exact_balanced(const draw *d); /* integers from 2 to 8 whose sum is 5 times their number; dy the same, of either sign */

int exact_generator(cot_op op); /* of a sum that every order gives exactly; -1: the op has none */

#endif
