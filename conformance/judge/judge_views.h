/* Results that somebody else has computed, judged against truth. */
#ifndef COT_JUDGE_VIEWS_H
#define COT_JUDGE_VIEWS_H

#include "judge.h"

/* Judges every cell of the outputs at levels E and B. `views` has every operand that the op uses, of the right shape,
 * in the host's memory. COT_INTERNAL: out of memory. */
cot_status judge_views(const cot_desc *desc, const cot_view views[OPERANDS], verdict *v);

/* The same of results whose sums were made in an order that is claimed; COT_ORDER_FOLD and COT_ORDER_SCAN claim the
 * spec's own evaluation. */
cot_status judge_claimed(const cot_desc *desc, const cot_view views[OPERANDS], cot_order claimed, verdict *v);

/* Claiming nothing, and marks wrong cells: a byte per cell of an output, in row-major order, becomes 1; NULL where no
 * marks are wanted. */
cot_status judge_and_mark(const cot_desc *desc, const cot_view views[OPERANDS], unsigned char *marks[OPERANDS],
                          verdict *v);

#endif
