/* Which lines of a case truth looks at. Bits are compared in every cell; truth is asked about every line of a small
 * case, and of a large one where no cell's gradient needs a sum; else about a few: the first, the last, lines on both
 * sides of a power of two (where grids, blocks and counters of 16 bits end), and others that the case's seed draws,
 * half of them log-uniform. The choice is the same on every run. */
#ifndef COT_TRUTH_LINES_H
#define COT_TRUTH_LINES_H

#include "case.h"

/* A case of at most TRUTH_CELLS cells is looked at whole, and one of TRUTH_CELLS_CHEAP by an op without a sum and
 * without a slow function. A larger one is looked at in TRUTH_LINES_LEAST lines, or in more while they are short: up to
 * TRUTH_LINES_MOST. */
enum { TRUTH_CELLS = 1 << 18, TRUTH_CELLS_CHEAP = 1 << 22, TRUTH_LINES_LEAST = 6, TRUTH_LINES_MOST = 64 };

typedef struct truth_lines {
    int64_t count;                  /* how many lines are looked at */
    int all;                        /* that is every line, and `line` is not filled in */
    int64_t line[TRUTH_LINES_MOST]; /* rising, all different */
} truth_lines;

/* `lines` is how many there are: cells of an output over the extent along the axis (the last one where the op has
 * none), counted as problem.c does: line = cell / inner / n * inner + cell % inner. */
truth_lines case_truth_lines(const test_case *c, int64_t lines);

/* The k-th of them, for k from 0 to count - 1. */
int64_t truth_line_at(const truth_lines *t, int64_t k);

/* The cells of the outputs, in lines that truth does not look at. */
int64_t case_cells_left(const test_case *c);

#endif
