/* What the page shows: a case made real, in memory that can be edited a cell at a time. Operands that the gradient does
 * not read are here as well, since the forward operation does. */
#ifndef COT_WEB_SCENE_H
#define COT_WEB_SCENE_H

#include "conformance/case/case.h"
#include "conformance/case/operand.h"

typedef struct scene {
    test_case c;
    cot_view view[OPERANDS];  /* contiguous; rank 0: the op has no such operand */
    double *values[OPERANDS]; /* the line that is looked at, exact */
    int axis;
    int64_t n, inner, lines; /* cells along the axis, cells between neighbours on it, lines */
    int64_t line;
    int y_given; /* y is the case's own, not what the forward makes of x */
} scene;

int scene_open(scene *s, const char *id, char why[CASE_ID_SIZE]); /* 0, or what is wrong in `why` */
void scene_close(scene *s);

/* Cells of the line; dy and y of a reduction have one. */
int64_t scene_count(const scene *s, cot_operand operand);
void scene_set(scene *s, cot_operand operand, int64_t i, double value);
uint64_t scene_bits(const scene *s, cot_operand operand, int64_t i);

/* Reads the line into `values` again. */
void scene_look(scene *s, int64_t line);

/* Runs the forward operation, then the gradient, on every line. */
cot_status scene_compute(scene *s, cot_backend *backend, cot_error *error);

/* Every bit that the suite would look at: y where the gradient reads it, and the outputs, on all lines; all NaN count
 * as one. */
uint64_t scene_digest(const scene *s);

#endif
