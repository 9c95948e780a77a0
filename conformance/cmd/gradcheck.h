/* A gradient against finite differences: is the backward of a backend the derivative of the forward?
 *
 * The loss is L = sum dy_i * y_i. Its derivative by one cell is taken from cot_forward in double, by central
 * differences with the steps eps, eps / 2 and eps / 4, extrapolated twice (Richardson): D(h) = L' + c2 h^2 + c4 h^4 +
 * ... loses its h^2 and h^4. What a cell may be off by is the sum of truncation   the difference between the two
 * extrapolations before the last: of the order eps^4, and more than what is left; roundoff     8 k u / eps * sum |dy_i|
 * (|y_i| (1 + max |x|) + max |x|), u = 2^-53, k = 16 + min(n, 128 + n / 1024) roundings in a forward result of n cells,
 * and 8 for the weights of the extrapolation and its smallest step; the element  the gradient's own roundings in its
 * type, relative to the largest gradient of the line. Where the first two exceed a ten-thousandth of that largest
 * gradient, the cell proves nothing, and counts as a failure. */
#ifndef COT_GRADCHECK_H
#define COT_GRADCHECK_H

#include "conformance/case/operand.h"

#define GRADCHECK_EPS 0x1p-9  /* near where truncation and roundoff meet */
#define GRADCHECK_MOST 0x1p-6 /* the points keep eight times as far from ties and zeros */

typedef struct gradcheck_cell {
    cot_operand operand; /* COT_DX, COT_DA or COT_DB */
    int64_t index;       /* in row-major order */
    double analytic, numeric;
    double scale;   /* the largest sum |dy_i * dy_i/dx_j| of its line: what errors are relative to */
    double sharp;   /* truncation and roundoff: what the differences can tell apart */
    double allowed; /* that, and the element's own roundings */
} gradcheck_cell;

typedef struct gradcheck {
    gradcheck_cell *cells;
    int64_t count;
} gradcheck;

/* Checks one problem at smooth points made from the seed. Free the cells. */
cot_status gradcheck_run(cot_backend *backend, const cot_desc *desc, uint64_t seed, double eps, gradcheck *result,
                         cot_error *error);

double gradcheck_error(const gradcheck_cell *cell); /* relative to its scale */
double
gradcheck_ratio(const gradcheck_cell *cell); /* error over what is allowed: good up to 1; infinite where one is NaN */
int gradcheck_blunt(const gradcheck_cell *cell); /* it proves nothing */

#endif
