/* The line that a wrong cell lies in, taken out of its tensors as numbers: what shows which clause is broken. */
#ifndef COT_EXHIBIT_H
#define COT_EXHIBIT_H

#include "trial.h"
#include "verdict.h"

/* Where in an operand the cell `along` lies, in the line of a cell with these indices; without an axis (-1) the cell
 * with these indices itself. Extent 1 takes any index. */
int64_t exhibit_place(const cot_view *view, const int32_t *index, int axis, int64_t along);

typedef struct exhibit {
    cot_desc desc;           /* of the line alone: one dimension */
    int64_t n, at;           /* cells along it (without an axis: some around it), and which of them is the wrong one */
    double *cells[OPERANDS]; /* inputs, and the outputs as they came back; NULL where the op does not use the operand */
} exhibit;

/* 0, or -1: no memory, or a line that is too long to be looked at many times. exhibit_free in any case. */
int exhibit_make(exhibit *e, const trial *t, const verdict *v);
void exhibit_free(exhibit *e);

/* An operand's cell along the line; the only one of what is reduced. NaN where the op does not use it. */
double exhibit_cell(const exhibit *e, cot_operand operand, int64_t i);

/* Whether the outputs are right at level B for another descriptor; and for other inputs, each of them changed. */
typedef double exhibit_change(const cot_desc *desc, double number);
int exhibit_is_right_for(const exhibit *e, const cot_desc *desc, exhibit_change *change);

#endif
