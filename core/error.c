/* Statuses as values: filling a cot_error and naming what is in it. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

cot_status cot_good(cot_error *error)
{
    if (error)
        *error = (cot_error){ .code = COT_OK };
    return COT_OK;
}

cot_status cot_fail(cot_error *error, cot_status code, cot_operand operand, int64_t needed, int64_t got,
                    const char *format, ...)
{
    if (!error)
        return code;
    *error = (cot_error){ .code = code, .operand = operand, .needed = needed, .got = got };
    va_list list;
    va_start(list, format);
    vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    return code;
}

const char *cot_status_name(cot_status status)
{
    static const char *const names[] = {
        "COT_OK",       "COT_MISALIGNED",      "COT_INVALID_PROBLEM", "COT_UNSUPPORTED", "COT_WORKSPACE_TOO_SMALL",
        "COT_INTERNAL", "COT_BUFFER_TOO_SMALL"
    };
    size_t i = (size_t)status;
    return i < sizeof names / sizeof *names ? names[i] : "unknown status";
}

const char *cot_operand_name(cot_operand operand)
{
    static const char *const names[] = {
        "none",      "desc", "preference", "args",
#define OPERAND(NAME, name, needs, about) #name,
#include "operands.def"
#undef OPERAND
        "workspace",
    };
    size_t i = (size_t)operand;
    return i < sizeof names / sizeof *names ? names[i] : "unknown operand";
}
