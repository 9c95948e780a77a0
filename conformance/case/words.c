/* Parsing of numbers, shapes, policies and conventions. */
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtoll's own white space and "+" are not wanted. */
static int starts_integer(const char *text)
{
    return isdigit((unsigned char)*text) || (*text == '-' && isdigit((unsigned char)text[1]));
}

int parse_integer(const char *text, long long least, long long most, long long *value)
{
    char *end;
    if (!starts_integer(text))
        return -1;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return *end || errno || *value < least || *value > most ? -1 : 0;
}

int parse_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *end || end == text || isspace((unsigned char)*text) ? -1 : 0;
}

int parse_shape(const char *text, int32_t *rank, int32_t shape[COT_MAX_RANK])
{
    for (*rank = 0; *rank < COT_MAX_RANK;) {
        char *end;
        errno = 0;
        long long extent = strtoll(text, &end, 10);
        if (!isdigit((unsigned char)*text) || errno || extent > INT32_MAX)
            return -1;
        shape[(*rank)++] = (int32_t)extent;
        if (*end != 'x')
            return *end ? -1 : 0;
        text = end + 1;
    }
    return -1;
}

const char *convention_name(cot_convention which)
{
    static const char *const names[] = { "spec", "torch", "jax", "accurate" };
    return (size_t)which < sizeof names / sizeof *names ? names[which] : NULL;
}

int parse_convention(const char *text, cot_policies *policies)
{
    const char *name;
    for (int i = 0; (name = convention_name((cot_convention)i)); i++)
        if (!strcmp(name, text))
            return cot_convention_policies((cot_convention)i, policies);
    return -1;
}

int parse_policy(const char *name, const char *value, cot_policies *policies)
{
    const cot_policy_info *policy;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        for (int v = 0; !strcmp(policy->name, name) && policy->values[v]; v++)
            if (!strcmp(policy->values[v], value)) {
                ((uint8_t *)policies)[policy->offset] = (uint8_t)v;
                return 0;
            }
    return -1;
}

int matches_one(const char *globs, const char *word)
{
    for (const char *at = globs; *at; at += strspn(at, ",\n")) {
        char glob[128];
        int length = (int)strcspn(at, ",\n");
        snprintf(glob, sizeof glob, "%.*s", length, at);
        if (length && !fnmatch(glob, word, 0))
            return 1;
        at += length;
    }
    return 0;
}

/* ---- lists ----------------------------------------------------------------------------------- */

typedef struct slice {
    const char *text;
    size_t length;
} slice;

/* The name at the start of a list; none where the list is empty. */
static slice first_name(const char *list) { return (slice){ list, strcspn(list, ";") }; }

static const char *behind(slice name) { return name.text + name.length + strspn(name.text + name.length, "; "); }

static int compare(slice a, slice b)
{
    int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int list_add(char *list, size_t size, slice name)
{
    const char *at = list;
    size_t used = strlen(list), more = name.length + (used ? 2 : 0);
    for (; *at && compare(first_name(at), name) < 0; at = behind(first_name(at)))
        ;
    if (*at && !compare(first_name(at), name))
        return 0;
    if (used + more >= size)
        return -1;
    char *place = list + (at - list), *end = list + used;
    memmove(place + more, place, (size_t)(end - place) + 1);
    if (place == end && used)
        memcpy(place, "; ", 2), place += 2;
    else if (place < end)
        memcpy(place + name.length, "; ", 2);
    memcpy(place, name.text, name.length);
    return 0;
}

int list_join(char *list, size_t size, const char *more)
{
    int lost = 0;
    for (const char *at = more; *at; at = behind(first_name(at)))
        lost |= list_add(list, size, first_name(at));
    return lost;
}
