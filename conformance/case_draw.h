/* Choices that the enumeration leaves to chance, but to the same chance on every run. */
#ifndef COT_CASE_DRAW_H
#define COT_CASE_DRAW_H

#include "case.h"

typedef struct chance {
    uint64_t key, stream, used;
} chance;

/* By op, element type and three numbers that say where in the enumeration this is. */
chance chance_of(const cot_desc *desc, int first, int second, uint64_t third);
unsigned chance_below(chance *luck, unsigned bound); /* 0 to bound - 1 */

void draw_shape(chance *luck, test_case *c, int larger);              /* and an axis: what the case's generator needs */
void draw_generator(chance *luck, test_case *c, int32_t extent);      /* that a line of this extent can show */
void draw_options(chance *luck, test_case *c);                        /* reverse, correction or w, where the op heeds one */
void draw_alias(chance *luck, test_case *c);                          /* what the op allows; it may change the shape */

int lerp_weights(void);
double lerp_weight(int index);

#endif
