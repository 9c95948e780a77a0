/* What a kind of numbers offers: all formulas of truth, compiled for it. */
#ifndef COT_TRUTH_ENGINE_H
#define COT_TRUTH_ENGINE_H

#include "truth.h"

typedef struct truth_engine {
    /* Both leave *sure at 0 where a number left the range of this kind, and the cells say nothing. */
    cot_status (*gradient)(const truth_line *line, truth_cell *first, truth_cell *second, int *sure);
    cot_status (*forward)(const truth_line *line, truth_cell *y, int *sure);
    const char *(*clause)(cot_op op);
} truth_engine;

extern const truth_engine truth_quick_engine, truth_wide_engine;

#endif
