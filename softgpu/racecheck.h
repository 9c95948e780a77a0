/* Unordered accesses to shared and global memory. */
#ifndef SG_RACECHECK_H
#define SG_RACECHECK_H

#include "observe.h"

typedef struct race_map race_map;
race_map *race_new(u64 bytes);
void race_free(race_map *m);

void race_cta(worker *W);                            /* a CTA starts */
void race_access(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum observed_access what, int space);
void race_fence(worker *W, const ins *k);            /* a fence or an atomic that others may see */

#endif
