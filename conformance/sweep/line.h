/* A finished block as a line of text, which says by its last word whether it is whole. */
#ifndef COT_LINE_H
#define COT_LINE_H

#include "block.h"

enum { LINE_SIZE = 320 };

/* With its new line; `key` is the digest of the sweep's heading. Returns the length. */
int line_print(const block_result *r, uint64_t key, char text[LINE_SIZE]);

/* 0, or -1 where the line is damaged or not of this sweep. */
int line_read(const char *text, uint64_t key, block_result *r);

/* The failing cell, as "da(dy=3c00, a=0001, b=7c00) = 0000, not 7e00: MUL"; in the element type's bits. */
void miss_print(const block_miss *m, char *text, size_t size);

#endif
