/* What the spec says of a run of pairs, without MPFR: its own evaluation in binary32, and the exact value in double.
 *
 * The operands are f16, bf16 or f32, so their products are exact in a double, which neither overflows nor underflows;
 * every formula without pow or exp is then within three roundings of the exact value (softmax: of the size of its
 * terms). The others take double functions of the C library, of which rulings need LIBM_ERROR and no more: doc/scale.md
 * has the proof, test_libm.c measures them, test_expect.c compares with truth. */
#ifndef COT_EXPECT_H
#define COT_EXPECT_H

#include "core/cotangent.h"

enum { RUN = 1024 }; /* pairs at a time: what they need stays in the cache */

#define LIBM_ERROR 0x1p-40  /* what is asked of the C library's double exp, log and pow: relative to the result */
#define RATIO_ERROR 0x1p-16 /* what that may do to an error over its bound: nearer to 1 than this is a close call */
#define EXACT_ERROR 0x1p-44 /* what `exact` has shown: relative to it, and where a sum cancels to `condition` */

/* A reduction's a and b are x and y of lines of one cell, softmax's are the y of a line of two, whose dy is g. */
typedef struct operand_run {
    const float *g, *a, *b;
    double additions; /* softmax: what the additions of its sum add to the condition, as a part of the sum's terms */
    float w, left;    /* lerp: the weight, and 1 - w, in the compute type */
    double exact_left;
} operand_run;

/* Of da and db; of dx, in a reduction, and of its two cells in softmax: */
typedef struct expected {
    float literal[2][RUN]; /* the spec's own evaluation, before it is rounded to the element type */
    double exact[2][RUN];  /* the formula's value */
    double condition[2]
                    [RUN]; /* of clause BOUND-CONDITION; 0 where a number on the way is not normal: no bound is sure */
    unsigned char open[RUN]; /* a function's rounding is too close to call: the literal value may be off */
} expected;

typedef void expect_fn(const operand_run *in, expected *e);

/* NULL where pairs are not what the op's cells are made of (pairing_of). */
expect_fn *expect_of(cot_op op);

operand_run expect_weights(const cot_desc *desc); /* with the weights of a lerp under its policies */

/* To the element type, which is not f64: as floats. And from its cells. */
void round_run(cot_element element, const float *in, float *out);
void widen_run(cot_element element, const void *cells, float *out);

#endif
