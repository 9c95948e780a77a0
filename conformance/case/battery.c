/* The batteries: rows of battery.def, by their ops. */
#include "battery.h"

#include <stdio.h>
#include <string.h>

// clang-format off
static const battery batteries[] = {
#define BATTERY(op, mutants, f16, of16, bf16, ofbf16, f32, of32, f64, of64) \
    { #op, mutants, { 0, of16, ofbf16, of32, of64 }, { 0, f16, bf16, f32, f64 } },
#define CASE(op, rest, shows)
#include "battery.def"
#undef BATTERY
#undef CASE
    { 0 },
};

static const battery_case cases[] = {
#define BATTERY(...)
#define CASE(op, rest, shows) { #op, rest, shows },
#include "battery.def"
#undef BATTERY
#undef CASE
    { 0 },
};
// clang-format on

_Static_assert(COT_F16 == 1 && COT_BF16 == 2 && COT_F32 == 3 && COT_F64 == 4, "the columns of battery.def");

const battery *battery_of(const char *op)
{
    for (const battery *b = batteries; b->op; b++)
        if (!strcmp(b->op, op))
            return b;
    return NULL;
}

const battery_case *battery_at(const char *op, int index)
{
    for (const battery_case *row = cases; row->op; row++)
        if (!strcmp(row->op, op) && index-- == 0)
            return row;
    return NULL;
}

int battery_make(const battery_case *row, cot_element element, test_case *c)
{
    char id[CASE_ID_SIZE], why[CASE_ID_SIZE];
    snprintf(id, sizeof id, "%s/%s/%s", row->op, cot_element_name(element), row->rest);
    return case_parse(id, c, why);
}
