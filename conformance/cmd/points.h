/* Points where an op is smooth: away from ties, zeros and whatever else its derivative jumps at. */
#ifndef COT_POINTS_H
#define COT_POINTS_H

#include "conformance/case/operand.h"

/* Lines along the axis; each cell is a line where there is no axis. */
line_shape lines_to_check(const cot_desc *desc);

/* The i-th cell of a line of a tensor with n cells along the axis, in row-major order. */
int64_t line_cell(const line_shape *l, int64_t n, int64_t line, int64_t i);

/* Fills dy, and x or a and b. 0, or -1 where lines are too long for the element type to keep their cells apart. */
int fill_points(const cot_desc *desc, uint64_t seed, const cot_view views[OPERANDS]);

#endif
