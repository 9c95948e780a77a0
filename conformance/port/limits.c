/* Limits of a port's process: read from text, and set. */
#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { LEAST_MEMORY = 1 << 24, LEAST_FILES = 4, MOST_TEXT = 128 };

/* A number with a unit: K, M, G, which are powers of 1024. */
static int read_size(const char *text, long long *size)
{
    static const char units[] = "KMG";
    char *end;
    *size = strtoll(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (end == text || *size < 1 || *size > (1ll << 62) >> shift || (*end && (!unit || end[1])))
        return -1;
    *size <<= shift;
    return 0;
}

static int read_one(char *pair, limits *l, char why[LIMITS_WHY])
{
    char *value = strchr(pair, '=');
    long long size = 0;
    if (value)
        *value++ = 0;
    long long *slot = !strcmp(pair, "memory")  ? &l->memory
                      : !strcmp(pair, "cpu")   ? &l->cpu
                      : !strcmp(pair, "files") ? &l->files
                                               : NULL;
    long long least = slot == &l->memory ? LEAST_MEMORY : slot == &l->files ? LEAST_FILES : 1;
    if (slot && value && !read_size(value, &size) && size >= least) {
        *slot = size;
        return 0;
    }
    if (!slot)
        snprintf(why, LIMITS_WHY,
                 "there is no limit \"%s\": memory=BYTES, cpu=SECONDS or files=N, as in memory=2G,cpu=60", pair);
    else
        snprintf(why, LIMITS_WHY, "%s=%s: expected a number from %lld on, with K, M or G behind it for powers of 1024",
                 pair, value ? value : "", least);
    return -1;
}

int limits_read(const char *text, limits *l, char why[LIMITS_WHY])
{
    char pairs[MOST_TEXT];
    int wrong = 0;
    *l = (limits){ 0 };
    if (text && strlen(text) >= sizeof pairs) {
        snprintf(why, LIMITS_WHY, "limits of %zu characters, expected at most %d", strlen(text), MOST_TEXT - 1);
        return -1;
    }
    strcpy(pairs, text ? text : "");
    for (char *pair = *pairs ? pairs : NULL, *next; pair && !wrong; pair = next) {
        next = strchr(pair, ',');
        if (next)
            *next++ = 0;
        wrong = read_one(pair, l, why);
    }
    return wrong;
}

static int set(int resource, long long most)
{
    struct rlimit limit;
    if (!most)
        return 0;
    if (getrlimit(resource, &limit))
        return -1;
    if (limit.rlim_max == RLIM_INFINITY || (rlim_t)most < limit.rlim_max)
        limit.rlim_max = (rlim_t)most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

int limits_apply(const limits *l)
{
    return set(RLIMIT_AS, l->memory) || set(RLIMIT_CPU, l->cpu) || set(RLIMIT_NOFILE, l->files) ? -1 : 0;
}
