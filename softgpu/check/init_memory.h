/* Which bytes of device memory were ever written: a bit per byte of an allocation made while initcheck was on. */
#ifndef SG_INIT_MEMORY_H
#define SG_INIT_MEMORY_H

#include "softgpu/exec/observer.h"

void init_allocated(u32 slot, alloc *a);
void init_written(u32 slot, alloc *a, u64 offset, u64 size);
void init_copied(u32 slot, alloc *to, u64 to_offset, const alloc *from, u64 from_offset, u64 size);
void init_read_back(u32 slot, const alloc *a, u64 offset, u64 size); /* reports bytes that nobody wrote */

#endif
