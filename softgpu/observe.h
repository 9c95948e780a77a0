/* What the checked executor tells the checkers and counters. Nothing here is reached when all of them are off. */
#ifndef SG_OBSERVE_H
#define SG_OBSERVE_H

#include "device.h"

enum observed_access { OBSERVE_LOAD, OBSERVE_STORE, OBSERVE_ATOMIC };

bool observer_start(worker *W);
void observer_end(worker *W);
void observe_cta(worker *W);
void observe_instruction(worker *W, warp *w, const ins *k, u32 m);
void observe_alu(worker *W, warp *w, const ins *k, const u8 *R, u32 m);
void observe_access(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum observed_access what);
void observe_branch(worker *W, warp *w, const ins *k, const u8 *R, u32 active, u32 taken);
void observe_barrier(worker *W, warp *w, const ins *k, const u8 *R, u32 m);
void observe_spin(worker *W, warp *w, const ins *k);
void observe_call(worker *W, warp *w, const ins *k, u32 m);
void observe_return(worker *W, warp *w, const call *c, u32 m);
void observe_collective(worker *W, warp *w, const ins *k, u32 m, u32 named, u32 poisoned);

#endif
