/* What the lists of cases share: where in the enumeration they are, and a case to start from. */
#ifndef COT_CASE_WALK_H
#define COT_CASE_WALK_H

#include "case_draw.h"
#include "cases.h"

typedef struct walk {
    const case_range *range;
    int (*visit)(void *self, const test_case *c);
    void *self;
    const cot_op_info *op;
    cot_element element;
} walk;

/* A line of 33 cells under the spec's own policies. */
test_case walk_blank(const walk *w, int generator, uint64_t seed);
chance walk_chance(const walk *w, int first, int second, uint64_t third); /* by the range's seed, too */
int walk_visit(const walk *w, test_case c); /* what the visitor returns: not 0 stops the walk */

/* The lists of case_shapes.c. */
int visit_extents(const walk *w);
int visit_kinds(const walk *w);
int visit_kinds_in_full(const walk *w);
int visit_inner(const walk *w);
int visit_high_ranks(const walk *w);
int visit_long_sums(const walk *w);
int visit_totals(const walk *w);

#endif
