/* Making values of what is wrong with a file. */
#include "file_error.h"

#include <stdarg.h>
#include <stdio.h>

file_error file_good(void) { return (file_error){ .status = FILE_GOOD, .text = "" }; }

file_error file_wrong(file_status status, const char *format, ...)
{
    file_error error = { .status = status };
    va_list list;
    va_start(list, format);
    vsnprintf(error.text, sizeof error.text, format, list);
    va_end(list);
    return error;
}
