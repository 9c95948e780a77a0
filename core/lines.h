/* A call as loops and kernels see it: lines along the axis, `inner` of them side by side, and `outer` such groups. An
 * elementwise call has lines too: its innermost dimension. Dimensions are sorted as the first output has them, and
 * merged where every operand walks them as one, until few and long ones are left. */
#ifndef COT_LINES_H
#define COT_LINES_H

#include <stdbool.h>

#include "cotangent.h"

typedef struct cot_line_operand {
    char *data;    /* NULL where the op does not use it */
    int64_t along; /* strides, in elements: along the axis, from line to line, from group to group */
    int64_t across;
    int64_t outer[COT_MAX_RANK];
    bool reduced; /* one cell a line */
} cot_line_operand;

typedef struct cot_lines {
    int64_t n;     /* cells of a line */
    int64_t inner; /* lines side by side */
    int outer_rank;
    int64_t outer_shape[COT_MAX_RANK];
    int64_t outer;      /* their product */
    cot_operand output; /* the first: dx or da */
    cot_line_operand operands[COT_OPERANDS];
} cot_lines;

/* For a valid call. A y that is validated and never read counts as unused. */
void cot_take_lines(cot_lines *lines, const cot_desc *desc, const cot_args *args);

#endif
