/* The evaluator in double. */
#include "evaluate.h"

#define REAL double
#define WIDE long double
#define X(name) name##_d
#define R(name) name
#define W(name) name##l
#include "evaluate.inc"
