/* The checkers and the counters: each is an observer of the device with a file of its own. */
#ifndef SG_CHECKERS_H
#define SG_CHECKERS_H

#include "softgpu/exec/observer.h"
#include "softgpu/softgpu.h"

extern const observer memcheck, initcheck, racecheck, synccheck, leakcheck, lint, counters, fpcheck, tracer, profiler,
    watchpoint;

/* As the text has it. */
static inline const char *opcode_of(const kernel *kn, const ins *k)
{
    return kn->funcs[k->func].src->code[k->pins].opcode;
}

bool counters_lost(void); /* was there no memory for a launch or a line? */

#endif
