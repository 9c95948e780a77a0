/* Appends text and JSON to a buffer that grows. */
#include "page_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_clear(text *t)
{
    t->used = 0;
    if (t->data)
        *t->data = 0;
}

static int grow(text *t, size_t more)
{
    if (t->used + more < t->room)
        return 0;
    size_t room = 2 * (t->used + more) + 1024;
    char *data = realloc(t->data, room);
    if (!data)
        return -1;
    t->data = data;
    t->room = room;
    return 0;
}

void text_add(text *t, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    if (length >= 0 && !grow(t, (size_t)length + 1))
        t->used += (size_t)vsnprintf(t->data + t->used, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void comma(text *t)
{
    if (t->used && !strchr("{[:", t->data[t->used - 1]))
        text_add(t, ",");
}

static void quoted(text *t, const char *value)
{
    text_add(t, "\"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            text_add(t, "\\%c", *value);
        else
            (unsigned char)*value < ' ' ? text_add(t, "\\u%04x", *value) : text_add(t, "%c", *value);
    }
    text_add(t, "\"");
}

static void key_of(text *t, const char *key)
{
    comma(t);
    if (key)
        text_add(t, "\"%s\":", key);
}

void json_string(text *t, const char *key, const char *value)
{
    key_of(t, key);
    value ? quoted(t, value) : text_add(t, "null");
}

void json_integer(text *t, const char *key, int64_t value)
{
    key_of(t, key);
    text_add(t, "%lld", (long long)value);
}

void json_number(text *t, const char *key, double value)
{
    key_of(t, key);
    text_add(t, "\"%.17g\"", value);
}

void json_bits(text *t, const char *key, uint64_t bits, size_t bytes)
{
    key_of(t, key);
    text_add(t, "\"%0*llx\"", (int)(2 * bytes), (unsigned long long)bits);
}

void json_open(text *t, const char *key, char bracket)
{
    key_of(t, key);
    text_add(t, "%c", bracket);
}

void json_close(text *t, char bracket) { text_add(t, "%c", bracket); }
