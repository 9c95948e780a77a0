/* A case id says everything about a test case:
 *
 *     op/dtype/shape/axis/layout/generator/seed[,key=value...]        max/f32/5x37/1/contig/ties/7,conv=torch
 *
 * The axis of an elementwise op is "-". Keys, in this order, left out where they have their default: rev (1), corr (an
 * integer), w (a double, as printf's %a gives it), conv (a convention) or single policies by name, alias (an operand),
 * bad (a row of refusal.h, with its operand where it is of one, or two of them, the one that is found first first):
 *
 *     mul/f32/4x6/-/contig/uniform/1,bad=short.a+overlaps_shifted.da */
#ifndef COT_CASE_H
#define COT_CASE_H

#include "core/cotangent.h"

typedef enum case_layout {
    LAYOUT_CONTIG,
    LAYOUT_TRANSPOSED,
    LAYOUT_SLICED,
    LAYOUT_OFFSET,
    LAYOUT_BROADCAST,
    LAYOUTS
} case_layout;

enum { CASE_REFUSALS = 2 };

typedef struct case_refusal {
    int row; /* of refusal_at, plus 1; 0: none */
    cot_operand operand;
} case_refusal;

typedef struct test_case {
    cot_desc desc;
    case_layout layout;
    int generator; /* a row of generator_at */
    uint64_t seed;
    cot_operand alias;               /* the input that an output is, or COT_NO_OPERAND */
    case_refusal bad[CASE_REFUSALS]; /* the call must be refused, and the results are not looked at */
} test_case;

enum { CASE_ID_SIZE = 384 };

const char *layout_name(case_layout layout);                        /* NULL past the last */
const char *layout_about(case_layout layout);                       /* one line */
cot_operand alias_output(const cot_op_info *op, cot_operand alias); /* which output it is: dx, da; db for b */
void case_print(const test_case *c, char id[CASE_ID_SIZE]);
int case_parse(const char *id, test_case *c, char why[CASE_ID_SIZE]); /* 0, or what is wrong in `why` */

#endif
