/* Level I: a line has the same bits wherever and with whatever it is computed. It needs no truth and no reference. */
#ifndef COT_INVARIANCE_H
#define COT_INVARIANCE_H

#include "judge.h"
#include "trial.h"

/* The trial's numbers again: lines alone, in parts, at other places, among more of them, and in other layouts. Small
 * cases in every way, larger ones in ways that their seed chooses. */
void judge_invariance(const court *seat, const trial *t, verdict *v);

#endif
