/* Orders of sums that have a name. */
#ifndef COT_NAMED_H
#define COT_NAMED_H

#include "sum_tree.h"

typedef struct named_order {
    int kind;  /* a row of the table */
    int block; /* of the kinds that have one, else 0 */
} named_order;

enum { NAMED_MOST = 4096, NAMED_SIZE = 96 };

/* All of them, plainer ones first; how many. */
int named_list(named_order list[NAMED_MOST]);

int named_make(named_order order, int terms, sum_tree *t);  /* 0, or -1: out of memory */
void named_print(named_order order, char text[NAMED_SIZE]); /* "lanes(8)" */
int named_find(const char *text, named_order *order);       /* 0, or -1: there is none */
const char *named_about(named_order order);                 /* in words, without the block's number */

#endif
