/* The evaluator in float. */
#include "evaluate.h"

#define REAL float
#define WIDE double
#define X(name) name##_f
#define R(name) name##f
#define W(name) name
#include "evaluate.inc"
