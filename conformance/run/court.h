/* Opening the backends of a trial by their names. */
#ifndef COT_COURT_H
#define COT_COURT_H

#include "conformance/judge/judge.h"

/* By the names of suite_backend_open. `against` may be NULL or the same name: truth alone. */
cot_status court_open(court *seat, const char *name, const char *options, const char *against, level upto,
                      cot_error *error);
void court_close(court *seat);

#endif
