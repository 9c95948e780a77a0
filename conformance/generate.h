/* The numbers that go into a case: each generator maps (seed, operand, index of the cell) to a value. */
#ifndef COT_GENERATE_H
#define COT_GENERATE_H

#include "cotangent.h"

typedef struct draw {
    uint64_t seed;
    cot_operand operand;
    cot_element element;
    int64_t index;  /* of the cell, in the operand's own row-major order */
    int64_t extent; /* of the axis */
    int64_t along;  /* the cell's index along the axis */
} draw;

typedef struct generator {
    const char *name;
    double (*value)(const draw *d); /* rounded to the element type afterwards */
    const char *about;
} generator;

const generator *generator_at(int index); /* NULL past the last */

#endif
