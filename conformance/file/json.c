/* A reader of JSON objects that hold strings, numbers, truth values and arrays of these: what a line of vectors is. */
#include "json.h"
#include "conformance/case/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* ---- where a value ends: NULL where it is none ----------------------------------------------- */

static const char *end_of_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && !*++at)
            return NULL;
    return *at ? at + 1 : NULL;
}

/* A number or a word. */
static const char *end_of_word(const char *at)
{
    const char *end = at;
    while (isalnum((unsigned char)*end) || (*end && strchr("+-.", *end)))
        end++;
    return end > at ? end : NULL;
}

static const char *end_of_scalar(const char *at) { return *at == '"' ? end_of_string(at) : end_of_word(at); }

static const char *end_of_array(const char *at)
{
    at = skip_blanks(at + 1);
    if (*at == ']')
        return at + 1;
    while ((at = end_of_scalar(at))) {
        at = skip_blanks(at);
        if (*at == ']')
            return at + 1;
        if (*at != ',')
            return NULL;
        at = skip_blanks(at + 1);
    }
    return NULL;
}

static const char *end_of_value(const char *at) { return *at == '[' ? end_of_array(at) : end_of_scalar(at); }

/* ---- the object ------------------------------------------------------------------------------ */

/* Behind one member, or NULL. */
static const char *read_member(const char *at, json_object *object)
{
    if (*at != '"' || object->count == JSON_MEMBERS)
        return NULL;
    const char *end = end_of_string(at);
    if (!end)
        return NULL;
    object->key[object->count] = (json_text){ at + 1, (size_t)(end - at - 2) };
    at = skip_blanks(end);
    if (*at != ':')
        return NULL;
    at = skip_blanks(at + 1);
    if (!(end = end_of_value(at)))
        return NULL;
    object->value[object->count++] = (json_text){ at, (size_t)(end - at) };
    return skip_blanks(end);
}

int json_read(const char *line, json_object *object)
{
    const char *at = skip_blanks(line);
    *object = (json_object){ 0 };
    if (*at != '{')
        return -1;
    do
        at = read_member(skip_blanks(at + 1), object);
    while (at && *at == ',');
    if (!at || *at != '}' || *skip_blanks(at + 1))
        return -1;
    object->end = (size_t)(at - line);
    return 0;
}

json_text json_find(const json_object *object, const char *key)
{
    for (int i = 0; i < object->count; i++)
        if (object->key[i].length == strlen(key) && !memcmp(object->key[i].start, key, strlen(key)))
            return object->value[i];
    return (json_text){ 0 };
}

/* ---- values ---------------------------------------------------------------------------------- */

int json_string(json_text value, char *text, size_t size)
{
    if (!value.start || *value.start != '"' || value.length - 2 >= size || memchr(value.start, '\\', value.length))
        return -1;
    snprintf(text, size, "%.*s", (int)value.length - 2, value.start + 1);
    return 0;
}

/* A number as text, its quotes taken off. */
static int bare(json_text value, char text[64])
{
    if (value.start && *value.start == '"')
        return json_string(value, text, 64);
    if (!value.start || value.length >= 64)
        return -1;
    snprintf(text, 64, "%.*s", (int)value.length, value.start);
    return 0;
}

int json_integer(json_text value, long long least, long long most, long long *number)
{
    char text[64];
    return bare(value, text) || *value.start == '"' || parse_integer(text, least, most, number) ? -1 : 0;
}

int json_flag(json_text value, int *flag)
{
    char text[64];
    if (bare(value, text))
        return -1;
    *flag = !strcmp(text, "true");
    return *flag || !strcmp(text, "false") ? 0 : -1;
}

int json_real(json_text value, double *number)
{
    char text[64];
    return bare(value, text) || parse_number(text, number) ? -1 : 0;
}

int64_t json_reals(json_text value, double *to, int64_t most)
{
    int64_t count = 0;
    if (!value.start || *value.start != '[')
        return -1;
    for (const char *at = skip_blanks(value.start + 1); *at != ']'; count++) {
        const char *end = end_of_scalar(at);
        if (to && (count == most || json_real((json_text){ at, (size_t)(end - at) }, &to[count])))
            return -1;
        at = skip_blanks(end);
        at = *at == ',' ? skip_blanks(at + 1) : at;
    }
    return count;
}
