/* The smallest case that still fails in the same way. */
#ifndef COT_SHRINK_H
#define COT_SHRINK_H

#include "pool.h"

/* Tries simpler cases one after the other, a bounded number of them, and keeps each that fails like the first; always
 * ends at the same one, unless the pool's time ends first: then 1. The pool must have nothing in hand. */
int shrink(pool *p, const result *first, result *least);

#endif
