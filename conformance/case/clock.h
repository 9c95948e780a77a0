/* Time that only goes forward, for deadlines and measurements. */
#ifndef COT_CLOCK_H
#define COT_CLOCK_H

#include <time.h>

/* Seconds since some time in the past. */
static inline double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
