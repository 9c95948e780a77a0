/* An op's battery: the thirty or so cases whose results, in files, tell right from wrong. battery.def has them, as
 * conformance/run/choose has chosen them by the mutants that they catch. */
#ifndef COT_BATTERY_H
#define COT_BATTERY_H

#include "case.h"

enum { BATTERY_TYPES = COT_F64 + 1 }; /* arrays are indexed by cot_element, from COT_F16 on */

/* Of the op's mutants: all; those that the result of any case of the quick range shows at levels E and B; those that
 * the battery's cases catch. */
typedef struct battery {
    const char *op;
    int mutants, shown[BATTERY_TYPES], caught[BATTERY_TYPES];
} battery;

typedef struct battery_case {
    const char *op;
    const char *rest;  /* of the id, behind op and type */
    const char *shows; /* mutants that no case before it catches, with blanks between; in f32, or as in "name/f16" */
} battery_case;

const battery *battery_of(const char *op);                                    /* NULL: there is none */
const battery_case *battery_at(const char *op, int index);                    /* NULL past the last */
int battery_make(const battery_case *row, cot_element element, test_case *c); /* 0, or -1: it is no case */

#endif
