/* The JSON of a check, read again: the parts of a run become the run, and a result can be told once more from its rows.
 */
#ifndef COT_PARTS_H
#define COT_PARTS_H

#include "conformance/html/tree.h"
#include "conformance/report/report.h"

enum { PARTS_TEXT = 1024, MOST_PARTS = 1 << 16 };

/* A failure as one part tells it. */
typedef struct part_miss {
    result r;      /* its case, number, clause and reason */
    int64_t asked; /* the case that was asked what it is right for, and the answer; -1: none */
    char right_for[HEADLINE_SIZE];
    char *told;   /* where it is the first of its kind in the part: the smallest case like it, and */
    char *itself; /* the case itself; NULL where they are the same */
} part_miss;

/* What one part says of the cases that its backend does not do. */
typedef struct part_undone {
    char why[UNDONE_SIZE];
    test_case first;
    int64_t number, count;
} part_undone;

typedef struct parts {
    report r; /* the whole run, after parts_finish */
    waivers known;
    char *text; /* of the first part, and its tree */
    node *tree;
    char first_name[256];
    uint64_t *digest; /* at [shard - 1]: of the part's text; 0: it is missing */
    int shard_count, got, twice, one_twice;
    part_miss *miss;
    int64_t misses, miss_capacity;
    part_undone *undone;
    int64_t undones, undone_capacity;
    char environment[PARTS_TEXT], remark[PARTS_TEXT], device[PARTS_TEXT], *selection;
    int devices;     /* not 0: they differ, which bits alone may */
    char below[256]; /* a part that claims less; "" for none */
    char error[PARTS_TEXT];
} parts;

int parts_is_check(const char *text); /* not 0: it may be the JSON of a check, and is no file of a sweep */

/* All return 0, or -1 and say why in `error`. */
int parts_begin(parts *p);
int parts_add(parts *p, const char *name, const char *text);
int parts_finish(parts *p); /* puts what failed in the run's order */
void parts_free(parts *p);

/* Those that are missing, as ranges: "3-7, 12"; "" for none. */
void parts_missing(const parts *p, char *text, size_t size);

#endif
