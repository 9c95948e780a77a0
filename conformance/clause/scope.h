/* Scopes of the spec: "max, min", "reduce, scan", "all". */
#ifndef COT_SCOPE_H
#define COT_SCOPE_H

#include "core/cotangent.h"

int scope_mentions(const char *scope, const char *word); /* as one of its names */

/* Whether an op is meant, by its name, its family's or "all". */
int scope_names(const char *scope, const cot_op_info *op);

#endif
