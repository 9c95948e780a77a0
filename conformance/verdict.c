#include "verdict.h"

#include <stdarg.h>
#include <stdio.h>

const char *level_name(level which)
{
    static const char *const names[] = { "E", "B", "D", "X" };
    return (unsigned)which < LEVELS ? names[which] : NULL;
}

int verdict_fail(verdict *v, level at, const char *clause, const char *format, ...)
{
    if (v->failed++ && at >= v->failed_at)
        return 0;
    va_list list;
    va_start(list, format);
    vsnprintf(v->why, sizeof v->why, format, list);
    va_end(list);
    v->failed_at = at;
    v->clause = clause;
    v->operand = COT_NO_OPERAND;
    v->has_inputs = 0;
    return 1;
}
