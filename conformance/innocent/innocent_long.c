/* The evaluator in long double. */
#include "evaluate.h"

#define REAL long double
#define WIDE long double
#define X(name) name##_l
#define R(name) name##l
#define W(name) name##l
#include "evaluate.inc"
