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

static bool known_number(const char *text)
{
    char *end = NULL;
    if (isdigit((unsigned char)*text) && strtoull(text, &end, 0) + 1 && !*end)
        return true;
    fprintf(stderr, "softgpu: %s is not a number, which --seed and --threads take\n", text);
    return false;
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
    if (value_of(arg, "--seed", &o->seed))
        return known_number(o->seed) ? TAKEN : TAKEN_WRONG;
    if (value_of(arg, "--threads", &o->threads))
        return known_number(o->threads) ? TAKEN : TAKEN_WRONG;
    return TAKEN_NOT;
}

/* A check that does not reach the device would find nothing, and all would seem well. */
bool tell_device(const char *name, const char *value, int replace)
{
    if (!value || !setenv(name, value, replace))
        return true;
    fprintf(stderr, "softgpu: out of memory for %s\n", name);
    return false;
}

bool pass_options(const options *o)
{
    const struct {
        const char *name, *value;
    } all[] = {
        { "SOFTGPU_CHECK", o->check },     { "SOFTGPU_COUNTERS", o->counters },
        { "SOFTGPU_REPORT", o->report },   { "SOFTGPU_REPORT_FORMAT", o->format },
        { "SOFTGPU_TRACE", o->trace },     { "SOFTGPU_TRACE_THREAD", o->thread },
        { "SOFTGPU_BREAK", o->breaks },    { "SOFTGPU_HTML", o->html },
        { "SOFTGPU_WATCH", o->watch },     { "SOFTGPU_SEED", o->seed },
        { "SOFTGPU_THREADS", o->threads },
    };
    for (size_t i = 0; i < COUNT(all); i++)
        if (!tell_device(all[i].name, all[i].value, 1))
            return false;
    return !o->check || tell_device("SOFTGPU_EXIT", "99", 0);
}
