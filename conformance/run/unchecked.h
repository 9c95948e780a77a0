/* Nothing passes without a check. */
#ifndef COT_UNCHECKED_H
#define COT_UNCHECKED_H

#include "conformance/case/case.h"
#include "conformance/judge/verdict.h"

/* Fails a verdict that has no check, or that compared no cell where there are cells, or no status where the call must
 * be refused, or that leaves cells without a ruling and without a clause that allows it. */
void fail_unchecked(const test_case *c, verdict *v);

#endif
