/* The clauses of doc/SPEC.md, as the build reads them. */
#ifndef COT_CLAUSES_H
#define COT_CLAUSES_H

typedef struct clause {
    const char *id;    /* "MAX-TIE" */
    const char *scope; /* "max, min": ops, families, or "all" */
    const char *text;
} clause;

const clause *clause_at(int index); /* NULL past the last; do not ask further */
const clause *clause_find(const char *id); /* NULL where there is none */

#endif
