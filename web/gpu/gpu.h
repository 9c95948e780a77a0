/* What the device has to say of its launches, as JSON. */
#ifndef COT_WEB_GPU_H
#define COT_WEB_GPU_H

#include "web/engine/bridge.h"

void gpu_add_launches(text *t); /* their counters, and how often each line ran */
void gpu_add_reports(text *t);  /* the checkers' */

#endif
