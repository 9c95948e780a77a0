/* Text that is written into a buffer as far as it fits. */
#include "text.h"
#include <stdarg.h>

void put(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool fits = t->used < t->size;
    int n = vsnprintf(fits ? t->out + t->used : NULL, fits ? t->size - t->used : 0, format, args);
    va_end(args);
    t->used += n > 0 ? (size_t)n : 0;
}

void put_string(text *t, const char *s)
{
    put(t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            put(t, "\\%c", *s);
        else if ((unsigned char)*s < 0x20 || (unsigned char)*s == 0x7f)
            put(t, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            put(t, "%c", *s);
    }
    put(t, "\"");
}
