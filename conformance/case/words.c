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
