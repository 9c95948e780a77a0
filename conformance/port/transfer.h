/* All of some bytes over a descriptor, in as many calls as that takes. */
#ifndef COT_TRANSFER_H
#define COT_TRANSFER_H

#include <stddef.h>
#include <sys/types.h>

typedef ssize_t write_some(int to, const void *bytes, size_t size);

size_t read_all(int from, void *bytes, size_t size);                    /* how many came before the end */
int write_all(int to, const void *bytes, size_t size, write_some *how); /* 0, or -1 */

#endif
