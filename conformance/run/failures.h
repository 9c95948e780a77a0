/* What has failed: every case by its id, and of those that break the same clause in the same op the first in full. */
#ifndef COT_FAILURES_H
#define COT_FAILURES_H

#include "conformance/describe/describe.h"
#include "pool.h"

typedef struct group {
    cot_op op;
    int64_t count;
    result first;
    result least; /* the smallest case that fails like it; the first itself where none was looked for */
    int cut;      /* the search for it was ended: its time was up */
    result told;  /* the first that is wrong in enough cells, and in not too many, to ask what it is right for; failed
                   * is 0 where there is none */
    char right_for[HEADLINE_SIZE]; /* "" where that is nothing that is known */
    int64_t asked;                 /* the number of the case that was asked; -1: none was */
    char *text; /* what was said of first and least where that alone is known, and not the verdicts; else NULL */
} group;

typedef struct miss {
    test_case c;
    int64_t number; /* result.number */
    level at;
    int group;
} miss;

typedef struct failures {
    miss *all;
    int64_t count, capacity;
    group *groups; /* in the order of their first failure */
    int64_t group_capacity;
    int group_count;
    int64_t forgotten; /* for lack of memory */
} failures;

void failures_take(failures *f, const result *r);
void failures_free(failures *f);

/* One cause can show in many ops. The first group of the same cause as this one: the same clause, or, without a clause,
 * the same reason. And the next group of the same cause; -1 after the last. */
int failures_cause(const failures *f, int i);
int failures_next_of_cause(const failures *f, int i);

int same_failure(const result *a, const result *b); /* the same clause of the same op, or both lost their process */

#endif
