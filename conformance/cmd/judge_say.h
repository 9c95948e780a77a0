/* What judge says of a verdict. Both return the exit code; `accepted` is the share of cells that may stay without a
 * ruling. */
#ifndef COT_JUDGE_SAY_H
#define COT_JUDGE_SAY_H

#include "conformance/judge/verdict.h"

#include <stdio.h>

int say_text(FILE *to, const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v, double accepted);
/* `marks`: as judge_and_mark has left them, or NULL where wrong cells are said elsewhere. */
int say_json(const cot_desc *desc, const cot_view views[OPERANDS], unsigned char *const marks[OPERANDS],
             const verdict *v, double accepted);

#endif
