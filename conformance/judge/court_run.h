/* A trial on one of a court's backends, announced to whoever watches this process. */
#ifndef COT_COURT_RUN_H
#define COT_COURT_RUN_H

#include "judge.h"
#include "trial.h"

void court_phase(const court *seat, judge_phase phase);

/* trial_run, as the phase PHASE_BACKEND. */
cot_status court_run(const court *seat, cot_backend *backend, trial *t, const problem *p, fill_pattern fill,
                     cot_error *error);

#endif
