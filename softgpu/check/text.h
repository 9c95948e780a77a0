/* Text that is written into a buffer as far as it fits, and counted beyond, as snprintf does. */
#ifndef SG_TEXT_H
#define SG_TEXT_H

#include "softgpu/base/base.h"

typedef struct text {
    char *out;
    size_t size, used;
} text;

void put(text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void put_string(text *t, const char *s); /* as a JSON string, in quotes */

#endif
