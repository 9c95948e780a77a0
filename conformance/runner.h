/* A range of cases, judged. */
#ifndef COT_RUNNER_H
#define COT_RUNNER_H

#include "cases.h"
#include "judge.h"

/* Nothing passes without a check: fails a verdict that has none, or that compared no cell where there are cells, or no status
 * where the call must be refused. */
void demand_checks(const test_case *c, verdict *v);

/* In this process, and only until the first failure, whose id is left in `id`. 1: something fails; 0: nothing does; -1:
 * nothing could be judged, because nothing matches or the backend does none of it. */
int suite_catches(const court *seat, const case_range *range, char id[CASE_ID_SIZE]);

#endif
