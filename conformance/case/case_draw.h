/* Choices that the enumeration leaves to chance, but to the same chance on every run. */
#ifndef COT_CASE_DRAW_H
#define COT_CASE_DRAW_H

#include "case.h"
#include "shape.h"

/* What the op tables say of an op's options, and of its forward operation. */
static inline int heeds_reverse(const cot_op_info *op) { return cot_op_takes(op, COT_TAKES_REVERSE); }
static inline int heeds_param(const cot_op_info *op) { return cot_op_takes(op, COT_TAKES_PARAM); }
static inline int heeds_correction(const cot_op_info *op) { return (op->traits & COT_OP_CORRECTS) != 0; }
static inline int makes_products(const cot_op_info *op) /* of x; softmax's y is a quotient */
{
    return op->traits & COT_OP_RELATIVE && op->needs & COT_NEEDS_X;
}

typedef struct chance {
    uint64_t key, stream, used;
} chance;

/* By op, element type and three numbers that say where in the enumeration this is. */
chance chance_of(const cot_desc *desc, int first, int second, uint64_t third);
unsigned chance_below(chance *luck, unsigned bound);            /* 0 to bound - 1 */
int64_t chance_size(chance *luck, int64_t least, int64_t most); /* log-uniform: both may come */

/* Gives the tensor an axis of extent n in its place, and dimensions beside it whose product is `lines`. */
void draw_place(chance *luck, cot_desc *desc, int64_t n, int64_t lines, axis_place place);

void draw_shape(chance *luck, test_case *c, int larger);         /* and an axis: what the case's generator needs */
void draw_generator(chance *luck, test_case *c, int32_t extent); /* that a line of this extent can show */
void draw_options(chance *luck, test_case *c);                   /* reverse, correction or w, where the op heeds one */
void draw_foreign_options(chance *luck, test_case *c);           /* the others of them */
void draw_policies(chance *luck, cot_policies *policies);        /* a value of each, whoever heeds it */
void draw_alias(chance *luck, test_case *c);                     /* what the op allows; it may change the shape */

int lerp_weights(void);
double lerp_weight(int index);

#endif
