/* Which checks are on: the observers of the device by their bit, and what is printed when a program ends. */
#include "api.h"
#include "softgpu/base/draft.h"
#include "softgpu/check/checkers.h"
#include "softgpu/check/findings.h"
#include "softgpu/check/profile.h"
#include <stdarg.h>

/* A new checker is a row here, a bit in softgpu.h and a name in findings.c. Reports of one event come in this order. */
// clang-format off
static const struct { u32 check; const observer *by; } checkers[] = {
    { SOFTGPU_COUNTERS, &counters },   { SOFTGPU_MEMCHECK, &memcheck },   { SOFTGPU_INITCHECK, &initcheck },
    { SOFTGPU_RACECHECK, &racecheck }, { SOFTGPU_SYNCCHECK, &synccheck }, { SOFTGPU_LEAKCHECK, &leakcheck },
    { SOFTGPU_LINT, &lint },           { SOFTGPU_FPCHECK, &fpcheck },
    { SOFTGPU_TRACE, &tracer },        { SOFTGPU_PROFILE, &profiler },    { SOFTGPU_WATCH, &watchpoint },
};
// clang-format on
_Static_assert(COUNT(checkers) <= MAX_OBSERVERS, "a slot for each checker");

void set_checks(u32 checks)
{
    observers *o = &sg.observers;
    sg.checks = checks;
    o->count = COUNT(checkers);
    o->on = 0;
    for (u32 slot = 0; slot < o->count; slot++) {
        o->all[slot] = checkers[slot].by;
        if (checks & checkers[slot].check)
            o->on |= 1u << slot;
    }
}

void tell_refused(u64 address, const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    TELL_DEVICE(&sg.observers, IS_ON(&sg.observers), refused, address, text);
}

void tell_leaks(const context *c)
{
    for (const owned *o = c->allocs; o; o = o->next) {
        const alloc *a = memory_find(&sg.mem, o->base);
        if (a)
            TELL_DEVICE(&sg.observers, IS_ON(&sg.observers), leaked, a);
    }
}

CUDAAPI void softgpuSetChecks(uint32_t checks)
{
    enter();
    set_checks(checks);
    leave(0);
}

CUDAAPI uint32_t softgpuGetChecks(void)
{
    enter();
    uint32_t checks = sg.checks;
    leave(0);
    return checks;
}

/* --- at the end of a program that was started with SOFTGPU_CHECK or SOFTGPU_COUNTERS --- */
static size_t report_format; /* of softgpuReports */

static size_t print_reports(char *text, size_t size) { return softgpuReports((int)report_format, text, size); }

static size_t choose_format(void)
{
    static const char *const formats[] = {
        [SOFTGPU_TEXT] = "text", [SOFTGPU_JSON] = "json", [SOFTGPU_SARIF] = "sarif"
    };
    const char *wanted = getenv("SOFTGPU_REPORT_FORMAT");
    for (size_t i = 0; wanted && i < COUNT(formats); i++)
        if (!strcmp(formats[i], wanted))
            return i;
    return SOFTGPU_TEXT;
}

/* What somebody asked for and does not get is an error. */
static bool write_text(const char *name, size_t (*print)(char *text, size_t size))
{
    size_t need = print(NULL, 0);
    char *text = malloc(need + 1);
    bool to_stderr = !strcmp(name, "-");
    draft d;
    FILE *f = to_stderr ? stderr : draft_begin(&d, name);
    bool good = text && f;
    if (good) {
        good = print(text, need + 1) == need; /* it is shorter where memory has run out meanwhile */
        good = good && fwrite(text, 1, need, f) == need && fflush(f) == 0;
    }
    if (!to_stderr)
        good = draft_end(&d, good);
    free(text);
    if (!good)
        fprintf(stderr, "softgpu: cannot write %s\n", name);
    return good;
}

static bool write_counters(const char *name)
{
    bool json = strlen(name) > 5 && !strcmp(name + strlen(name) - 5, ".json");
    return write_text(name, json ? softgpuCountersJson : softgpuCountersTable);
}

static void end_with(int status)
{
    fflush(NULL);
    _Exit(status);
}

static void at_exit(void)
{
    const char *counters_name = getenv("SOFTGPU_COUNTERS"), *out = getenv("SOFTGPU_REPORT");
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is one that cannot be written */
    for (const context *c = sg.contexts; c; c = c->next)
        tell_leaks(c);
    tell_leaks(&sg.primary);
    bool written = !counters_name || write_counters(counters_name);
    const char *page = getenv("SOFTGPU_HTML");
    written = (!page || write_text(page, softgpuProfileHtml)) && written;
    report_format = choose_format();
    if (getenv("SOFTGPU_CHECK"))
        written = write_text(out ? out : "-", print_reports) && written;
    bool lost = reports_lost() || counters_lost();
    if (lost)
        fprintf(stderr, "softgpu: out of memory: not every report or counter is there\n");
    if (!written || lost)
        end_with(98);
    if (softgpuCountSeverity(SOFTGPU_WARNING) && getenv("SOFTGPU_EXIT"))
        end_with(atoi(getenv("SOFTGPU_EXIT")));
}

void report_at_exit(void)
{
    if (!atexit(at_exit))
        return;
    fprintf(stderr, "softgpu: out of memory: nothing could be reported at the end\n");
    end_with(98);
}
