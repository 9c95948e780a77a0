/* What evaluate.inc needs in every compute type. */
#ifndef COT_INNOCENT_EVALUATE_H
#define COT_INNOCENT_EVALUATE_H

#include "core/formula/only.h"
#include "innocent_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 1024 }; /* lines for which the square of their length is not too much */

#endif
