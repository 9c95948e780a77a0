/* What is known of a file of vectors: where a framework differs by accident of its evaluation, which is not reproduced,
 * and which functions follow other policies than their convention. A line each:
 *
 *   class NAME SENTENCE     an artefact, and why it is one
 *   pending NAME SENTENCE   a rule of the framework's that no policy follows yet: its rows need not be needed
 *   NAME GLOB               the vectors, by their ids, that may differ for it
 *   policies GLOB LIST      the vectors that follow name=value,... on top of their convention */
#ifndef COT_ARTEFACTS_H
#define COT_ARTEFACTS_H

#include "vector.h"

enum { CLASS_NAME_SIZE = 32 };

typedef struct artefact_class {
    char name[CLASS_NAME_SIZE], sentence[320];
    int pending;
    int64_t vectors; /* that differ for it */
} artefact_class;

typedef struct artefact_row {
    char glob[VECTOR_ID_SIZE];
    int kind; /* the class, by its place; -1: policies */
    char policies[128];
    int line;     /* of the file */
    int64_t used; /* vectors that differ for it, or follow its policies */
} artefact_row;

typedef struct artefacts {
    artefact_class *class;
    artefact_row *row;
    int classes, rows;
} artefacts;

file_error artefacts_read(const char *path, artefacts *a);
void artefacts_free(artefacts *a);

/* Gives the vector the policies that its rows name. */
void artefacts_apply(artefacts *a, vector *v);

/* Whether a class of the list names the vector. */
int artefacts_name(const artefacts *a, const vector *v);

/* The class of a vector that differs, counted; NULL where the list does not have it. */
const artefact_class *artefacts_find(artefacts *a, const vector *v);

#endif
