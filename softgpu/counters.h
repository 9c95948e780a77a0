/* Counting of instructions and memory traffic. */
#ifndef SG_COUNTERS_H
#define SG_COUNTERS_H

#include "observe.h"

void count_access(worker *W, const ins *k, u32 m, const u64 *addr, enum observed_access what, int space);
void counters_begin(launch *L);                     /* a record for the launch */
void counters_end(worker *W);                       /* adds what a worker counted */

#endif
