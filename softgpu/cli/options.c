/* Options that every form of the command shares: taken from the command line, handed on by the environment. */
#include "softgpu_cli.h"
#include <ctype.h>

static bool value_of(const char *arg, const char *name, const char **value)
{
    size_t n = strlen(name);
    if (strncmp(arg, name, n) || arg[n] != '=')
        return false;
    *value = arg + n + 1;
    return true;
}

/* Letters that must be inserted, deleted or replaced to make one word of the other. */
static u32 distance(const char *a, size_t na, const char *b)
{
    u32 row[32];
    size_t nb = strlen(b);
    if (nb >= COUNT(row))
        return ~0u;
    for (u32 j = 0; j <= nb; j++)
        row[j] = j;
    for (u32 i = 1; i <= na; i++) {
        u32 corner = row[0];
        row[0] = i;
        for (u32 j = 1; j <= nb; j++) {
            u32 replaced = corner + (tolower((unsigned char)a[i - 1]) != b[j - 1]), least = row[j] + 1;
            corner = row[j];
            least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
            row[j] = replaced < least ? replaced : least;
        }
    }
    return row[nb];
}

static bool refuse_word(const char *word, size_t n)
{
    const char *best = NULL;
    u32 least = 4;
    for (u32 i = 0; i < 32; i++) {
        const char *name = softgpuCheckName(1u << i);
        u32 d = name ? distance(word, n, name) : ~0u;
        if (d < least) {
            least = d;
            best = name;
        }
    }
    fprintf(stderr, "softgpu: no such check: %.*s", (int)n, word);
    if (best)
        fprintf(stderr, "; did you mean %s?\n", best);
    else
        fprintf(stderr, "; --help lists them\n");
    return false;
}

static bool known_checks(const char *list)
{
    char word[40];
    while (*list) {
        size_t n = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)n, list);
        if (!n || n >= sizeof word || softgpuParseChecks(word) == ~0u)
            return refuse_word(list, n < sizeof word ? n : sizeof word - 1);
        list += n + (list[n] == ',');
    }
    return true;
}

static bool is_number(const char *text)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    strtoull(text, &end, 0);
    return !*end;
}

static enum taken take_number(const char *arg, const char *number, const char *variable)
{
    if (!is_number(number)) {
        fprintf(stderr, "softgpu: %s: not a number\n", arg);
        return TAKEN_WRONG;
    }
    setenv(variable, number, 1);
    return TAKEN;
}

static bool known_format(const char *format)
{
    if (!strcmp(format, "text") || !strcmp(format, "json") || !strcmp(format, "sarif"))
        return true;
    fprintf(stderr, "softgpu: --report-format is text, json or sarif, not %s\n", format);
    return false;
}

static bool known_thread(const char *text)
{
    unsigned v[6];
    char more;
    if (sscanf(text, "%u,%u,%u,%u,%u,%u%c", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &more) == 6)
        return true;
    fprintf(stderr, "softgpu: --trace-thread is a block and a thread as six numbers, not %s\n", text);
    return false;
}

static bool known_bytes(const char *text)
{
    unsigned id;
    unsigned long long offset, bytes;
    int end = 0;
    char more;
    if (sscanf(text, "%u+%llu:%llu%c", &id, &offset, &bytes, &more) == 3
        || (sscanf(text, "%u+%llu%n", &id, &offset, &end) == 2 && !text[end]))
        return true;
    fprintf(stderr, "softgpu: --watch is ALLOCATION+OFFSET[:BYTES], with the numbers that reports give, not %s\n",
            text);
    return false;
}

enum taken take_option(options *o, const char *arg)
{
    const char *number;
    if (!strcmp(arg, "--check")) {
        o->check = "all";
        return TAKEN;
    }
    if (value_of(arg, "--check", &o->check))
        return known_checks(o->check) ? TAKEN : TAKEN_WRONG;
    if (value_of(arg, "--report-format", &o->format))
        return known_format(o->format) ? TAKEN : TAKEN_WRONG;
    if (!strcmp(arg, "--trace")) {
        o->trace = "-";
        return TAKEN;
    }
    if (value_of(arg, "--trace-thread", &o->thread))
        return known_thread(o->thread) ? TAKEN : TAKEN_WRONG;
    if (value_of(arg, "--watch", &o->watch))
        return known_bytes(o->watch) ? TAKEN : TAKEN_WRONG;
    if (value_of(arg, "--counters", &o->counters) || value_of(arg, "--report", &o->report)
        || value_of(arg, "--trace", &o->trace) || value_of(arg, "--break", &o->breaks)
        || value_of(arg, "--html", &o->html))
        return TAKEN;
    if (value_of(arg, "--seed", &number))
        return take_number(arg, number, "SOFTGPU_SEED");
    if (value_of(arg, "--threads", &number))
        return take_number(arg, number, "SOFTGPU_THREADS");
    return TAKEN_NOT;
}

static void pass(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
}

void pass_options(const options *o)
{
    pass("SOFTGPU_CHECK", o->check);
    pass("SOFTGPU_COUNTERS", o->counters);
    pass("SOFTGPU_REPORT", o->report);
    pass("SOFTGPU_REPORT_FORMAT", o->format);
    pass("SOFTGPU_TRACE", o->trace);
    pass("SOFTGPU_TRACE_THREAD", o->thread);
    pass("SOFTGPU_BREAK", o->breaks);
    pass("SOFTGPU_HTML", o->html);
    pass("SOFTGPU_WATCH", o->watch);
    if (o->check)
        setenv("SOFTGPU_EXIT", "99", 0);
}
