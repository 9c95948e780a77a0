/* Initcheck of registers: undefined bytes travel until they matter. */
#ifndef SG_INIT_REGS_H
#define SG_INIT_REGS_H

#include "observe.h"

bool init_start(worker *W);
void init_end(worker *W);
void init_cta(worker *W);
void init_alu(worker *W, warp *w, const ins *k, const u8 *R, u32 m);
void init_access(worker *W, warp *w, const ins *k, u32 m, const u64 *addr, enum observed_access what, int space);
void init_branch(worker *W, warp *w, const ins *k, u32 active);
void init_collective(worker *W, warp *w, const ins *k, const u8 *R, u32 m, u32 poisoned);
void init_call(worker *W, warp *w, const ins *k, u32 m);
void init_return(worker *W, warp *w, const call *c, u32 m);

#endif
