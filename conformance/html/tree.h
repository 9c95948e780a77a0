/* A JSON text as a tree. */
#ifndef COT_TREE_H
#define COT_TREE_H

#include <stddef.h>

typedef enum node_kind { NODE_NULL, NODE_FALSE, NODE_TRUE, NODE_NUMBER, NODE_TEXT, NODE_LIST, NODE_OBJECT } node_kind;

typedef struct node {
    node_kind kind;
    char *key;          /* in an object; "" elsewhere */
    char *text;         /* of a number as it is written, or of a string; "" for others */
    struct node *child; /* the first of a list or an object */
    struct node *next;  /* beside it */
    size_t from, to;    /* where it stands in the text, without its key */
} node;

/* NULL: not JSON, too deep, or out of memory; *at says how far it was read. */
node *tree_read(const char *text, size_t *at);
void tree_free(node *n);

/* All of them take NULL, and give it, "", 0 or `otherwise` where there is nothing. */
const node *node_get(const node *object, const char *key);
const char *node_text(const node *n);
const char *text_at(const node *object, const char *key); /* "" for what is no text and no number */
double number_at(const node *object, const char *key, double otherwise);
int node_count(const node *n);

#endif
