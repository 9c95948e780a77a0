/* The clauses of doc/SPEC.md, as the build reads them. */
#ifndef COT_CLAUSES_H
#define COT_CLAUSES_H

#include <stdint.h>

typedef struct clause {
    const char *id;    /* "MAX-TIE" */
    const char *scope; /* "max, min": ops, families, or "all" */
    const char *text;
} clause;

const clause *clause_at(int index);        /* NULL past the last; do not ask further */
const clause *clause_find(const char *id); /* NULL where there is none */

/* Of all clauses with their scopes and texts: two programs of one digest judge by one spec. */
uint64_t clauses_digest(void);
uint64_t text_digest(const char *text);

/* Where the sentence of a clause's text starts that begins so; 0 where there is none. And how long a sentence is. */
int clause_sentence(const clause *c, const char *begins);
int sentence_length(const char *text);

#endif
