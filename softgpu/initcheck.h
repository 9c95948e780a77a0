/* Which bytes of device memory were ever written: a bit per byte of a watched allocation. */
#ifndef SG_INITCHECK_H
#define SG_INITCHECK_H

#include "device.h"

void init_watch(alloc *a);
void init_mark(alloc *a, u64 offset, u64 size);
void init_copy(alloc *to, u64 to_offset, const alloc *from, u64 from_offset, u64 size);
void init_check_copy(const alloc *a, u64 offset, u64 size);      /* reports bytes that leave the device unwritten */

#endif
