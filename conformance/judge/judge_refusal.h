/* Calls that must be refused. */
#ifndef COT_JUDGE_FAULT_H
#define COT_JUDGE_FAULT_H

#include "judge.h"

/* COT_UNSUPPORTED: the backend does not do the good call either. */
cot_status judge_refusal(const court *seat, const test_case *c, verdict *v);

#endif
