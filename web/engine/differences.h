/* Finite differences of the forward operation, in double: what the page lays over the gradient. */
#ifndef COT_WEB_DIFFERENCES_H
#define COT_WEB_DIFFERENCES_H

#include "scene.h"

/* The derivative of sum(dy * y) by each cell of an input of the line; NaN where a step leaves the numbers. 0, or -1
 * where memory ran out or the forward refused. */
int differences(const scene *s, cot_operand input, double *slopes);

#endif
