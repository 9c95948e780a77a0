/* A trial on one of a court's backends. */
#include "court_run.h"

void court_phase(const court *seat, judge_phase phase)
{
    if (seat->phase)
        *seat->phase = phase;
}

cot_status court_run(const court *seat, cot_backend *backend, trial *t, const problem *p, fill_pattern fill,
                     cot_error *error)
{
    court_phase(seat, PHASE_BACKEND);
    cot_status status = trial_run(t, backend, p, fill, error);
    court_phase(seat, PHASE_JUDGE);
    return status;
}
