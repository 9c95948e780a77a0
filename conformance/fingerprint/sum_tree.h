/* The order of a sum as a tree: leaves are its terms, by their place; an inner node is an addition. */
#ifndef COT_SUM_TREE_H
#define COT_SUM_TREE_H

#include <stdint.h>
#include <stdio.h>

typedef struct sum_tree {
    int terms;       /* nodes 0 to terms - 1 are the terms; the others come after what they add */
    int nodes, root; /* so many there are by now; -1: no root */
    int (*of)[2];    /* what an inner node adds, by node - terms */
} sum_tree;

enum { SUM_TREE_MOST = 16384 }; /* terms: recursion is as deep as a tree */

int sum_tree_make(sum_tree *t, int terms); /* 0, or -1: out of memory. sum_tree_free in any case */
void sum_tree_free(sum_tree *t);

int sum_tree_add(sum_tree *t, int a, int b); /* a new node; -1 for either: there is none, and the other is the sum */

/* Equal for equal trees, whichever side of an addition a term stands on, and for no others that one ever meets. */
uint64_t sum_tree_digest(const sum_tree *t);

/* "((0..7) + (8..15))": (0..7) is 0 + 1, + 2 and so on, one after the other; (0..96 by 32) likewise. */
void sum_tree_print(FILE *to, const sum_tree *t);
void sum_tree_json(FILE *to, const sum_tree *t); /* [[0, 1], 2] */

#endif
