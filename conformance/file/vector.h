/* A vector: one call of a framework and what it returned, as a line of JSON.
 *
 * Members: op, case, shape, axis, reverse, correction, param, dtype, convention, source; x or a and b, dy, y, and dx or
 * da and db, arrays of numbers in row-major order (C99's hexadecimal form in quotes, nan, inf); or error, the words in
 * which the framework refused. Further members are left alone. */
#ifndef COT_VECTOR_H
#define COT_VECTOR_H

#include "conformance/case/operand.h"
#include "file_error.h"

enum { VECTOR_ID_SIZE = 256 };

typedef struct vector {
    cot_desc desc;
    cot_view view[OPERANDS]; /* contiguous; rank 0: there is none. Outputs are what the framework returned */
    char convention[16];     /* "torch" */
    int refused;             /* the framework took the call for an error */
    char id[VECTOR_ID_SIZE]; /* convention/function/op/dtype/case/shape, and /axis, /correction=, /reverse, /param= */
    size_t end;              /* of the line: where its closing brace stands */
} vector;

/* What is wrong is said without the file's name and line. vector_free in any case. */
file_error vector_read(const char *line, vector *v);
void vector_free(vector *v);

#endif
