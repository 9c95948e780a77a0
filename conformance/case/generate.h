/* The numbers that go into a case: each generator maps (seed, operand, place of the cell) to a value. No function of
 * libm that rounds is used, so the same id gives the same bits everywhere. */
#ifndef COT_GENERATE_H
#define COT_GENERATE_H

#include "core/cotangent.h"

typedef struct draw {
    uint64_t seed;
    cot_operand operand;
    cot_element element;
    int64_t index;  /* of the cell, in the operand's own row-major order */
    int64_t extent; /* of the operand along the axis: 1 in the dy and y of a reduction */
    int64_t along;  /* the cell's index along the axis */
    int64_t line;   /* which of the lines along the axis it is in */
} draw;

/* Whether y stays as drawn, which need not be what the forward gives: in a softmax, which reads no x; in every op. */
typedef enum keep_y { MAKE_Y, KEEP_SOFTMAX_Y, KEEP_Y } keep_y;

typedef struct generator {
    const char *name;
    double (*value)(const draw *d); /* rounded to the element type afterwards */
    const char *about;
    int32_t extent; /* a line shorter than this does not show what it is about */
    int payloads;   /* its NaNs have random bits */
    keep_y keeps_y;
} generator;

const generator *generator_at(int index);            /* NULL past the last */
int generator_find(const char *name);                /* -1 where there is none */
void generate(int which, const draw *d, void *cell); /* the very bits: NaNs have payloads here */

#endif
