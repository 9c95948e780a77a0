/* Memory with pages before and behind it that may not be touched: a kernel that strays far faults where it does. */
#ifndef COT_FENCE_H
#define COT_FENCE_H

#include <stddef.h>

/* Aligned to 16 bytes, and to 64 where `bytes` is a multiple of 64. NULL: out of memory. */
void *fence_alloc(size_t bytes);
void fence_free(void *memory, size_t bytes);

#endif
