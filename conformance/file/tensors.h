/* Operands in .npy files, for the commands that read and write them. What is wrong names the file and its option. */
#ifndef COT_TENSORS_H
#define COT_TENSORS_H

#include "conformance/case/operand.h"
#include "file_error.h"

typedef struct tensors {
    const char *path[OPERANDS]; /* NULL: not given */
    cot_view view[OPERANDS];    /* rank 0: there is none. The data is malloc's */
} tensors;

/* Reads the operands that have a path and are in `operands` (bits by cot_operand). They have one element type, which
 * becomes desc->element where that is 0; and where no --shape gave desc->shape, one of them shows it. */
file_error tensors_read(tensors *t, unsigned operands, cot_desc *desc);

/* Every tensor that was read has the shape that the problem asks of it: the axis must be known. */
file_error tensors_check(const tensors *t, const cot_desc *desc);

/* Memory for an operand that has none, contiguous. */
file_error tensors_make(tensors *t, cot_operand operand, const cot_desc *desc);

/* Writes the outputs (bits by cot_operand) that have a path: all of them, or none. */
file_error tensors_write(const tensors *t, unsigned outputs);

void tensors_free(tensors *t);

#endif
