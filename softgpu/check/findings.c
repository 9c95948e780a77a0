/* Reports: one record per place, with a count. */
#include "findings.h"
#include <pthread.h>
#include <stdarg.h>

enum { MOST = 4096 };

static softgpuReport *reports;
static size_t count;
static bool lost; /* there was no memory for one */
static bool log_reports;
static pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;

/* Strings of reports live until all reports are cleared. */
typedef struct kept {
    struct kept *next;
    char text[];
} kept;
static kept *strings;

// clang-format off
static const struct { const char *name; u32 check; } names[] = {
    { "memcheck", SOFTGPU_MEMCHECK }, { "initcheck", SOFTGPU_INITCHECK }, { "racecheck", SOFTGPU_RACECHECK },
    { "synccheck", SOFTGPU_SYNCCHECK }, { "leakcheck", SOFTGPU_LEAKCHECK }, { "lint", SOFTGPU_LINT },
    { "fpcheck", SOFTGPU_FPCHECK }, { "counters", SOFTGPU_COUNTERS }, { "all", SOFTGPU_ALL_CHECKS }, { "none", 0 },
};
// clang-format on

EXPORT uint32_t softgpuParseChecks(const char *text)
{
    u32 checks = 0;
    while (*text) {
        size_t n = strcspn(text, ","), i = 0;
        while (i < COUNT(names) && (strlen(names[i].name) != n || memcmp(names[i].name, text, n)))
            i++;
        if (i == COUNT(names))
            return ~0u;
        checks |= names[i].check;
        text += n + (text[n] == ',');
    }
    return checks;
}

EXPORT const char *softgpuCheckName(uint32_t check)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].check == check)
            return names[i].name;
    return NULL;
}

const char *severity_name(int severity)
{
    static const char *const severities[] = { "note", "warning", "error" };
    return severities[severity];
}

void set_report_log(bool on) { log_reports = on; }

bool reports_lost(void)
{
    pthread_mutex_lock(&report_lock);
    bool now = lost;
    pthread_mutex_unlock(&report_lock);
    return now;
}

static const char *keep(const char *s)
{
    kept *k = s ? malloc(sizeof *k + strlen(s) + 1) : NULL;
    lost |= s && !k;
    if (!k)
        return s ? "?" : NULL;
    strcpy(k->text, s);
    k->next = strings;
    strings = k;
    return k->text;
}

/* The two parties of a race may meet in either order. */
static bool same_lines(const softgpuReport *a, const softgpuReport *b)
{
    return (a->line == b->line && a->other_line == b->other_line)
           || (a->other_line && a->line == b->other_line && a->other_line == b->line);
}

/* One instruction may make numbers of several kinds. */
static bool same_word(const softgpuReport *a, const softgpuReport *b)
{
    return a->check != SOFTGPU_FPCHECK || a->text[0] == b->text[0];
}

static softgpuReport *find(const softgpuReport *r)
{
    for (size_t i = 0; i < count; i++) {
        softgpuReport *o = &reports[i];
        if (o->check != r->check || !same_lines(o, r) || strcmp(o->kernel, r->kernel))
            continue;
        if (r->line ? same_word(o, r) : !strcmp(o->text, r->text))
            return o;
    }
    return NULL;
}

static void set(softgpuReport *to, const softgpuReport *r, u64 times)
{
    *to = *r;
    to->kernel = keep(r->kernel);
    to->source = keep(r->source);
    to->other_source = keep(r->other_source);
    to->text = keep(r->text);
    to->count = times;
    if (log_reports)
        fprintf(stderr, "softgpu: %s: %s\n", softgpuCheckName(r->check), r->text);
}

/* Counts a report of a place that is known; keeps one of a new place, up to a limit. The worst of a place is kept. */
void add_report(const softgpuReport *r)
{
    pthread_mutex_lock(&report_lock);
    softgpuReport *known = find(r);
    if (known) {
        u64 times = known->count + (r->count ? r->count : 1);
        if (known->severity < r->severity)
            set(known, r, known->count);
        known->count = times;
    } else {
        softgpuReport *grown = count < MOST ? realloc(reports, (count + 1) * sizeof *grown) : NULL;
        if (grown) {
            reports = grown;
            set(&reports[count++], r, r->count ? r->count : 1);
        }
        lost |= !grown && count < MOST;
    }
    pthread_mutex_unlock(&report_lock);
}

void set_source(const kernel *k, const ins *i, const char **file, int *line)
{
    const func *f = k->funcs[i->func].src;
    int loc = f->ncode ? f->code[i->pins].loc : -1;
    if (loc < 0)
        return;
    *file = sg_file_name(k->m, k->m->locs[loc].file);
    *line = k->m->locs[loc].line;
}

static void block_of(const launch *L, u64 linear, u32 out[3])
{
    out[0] = (u32)(linear % L->grid[0]);
    out[1] = (u32)(linear / L->grid[0] % L->grid[1]);
    out[2] = (u32)(linear / L->grid[0] / L->grid[1]);
}

static void line_of(const char *file, int line, char *text, size_t size)
{
    const char *base = file ? strrchr(file, '/') : NULL;
    text[0] = 0;
    if (file)
        snprintf(text, size, " (%.70s:%d)", base ? base + 1 : file, line);
}

void place_of(const kernel *k, const ins *i, char *text, size_t size)
{
    const char *file = NULL;
    char source[96];
    int line = 0;
    set_source(k, i, &file, &line);
    line_of(file, line, source, sizeof source);
    snprintf(text, size, "in %.60s at PTX line %d%s", k->f->name, i->line, source);
}

static void add_other(const worker *W, softgpuReport *r, const party *other, char *text, size_t size)
{
    char source[96];
    size_t n = strlen(text);
    const ins *k = &W->L->k->code[other->pc];
    r->other_line = k->line;
    block_of(W->L, other->cta, r->other_block);
    thread_of(W->L, other->thread, r->other_thread);
    set_source(W->L->k, k, &r->other_source, &r->other_source_line);
    line_of(r->other_source, r->other_source_line, source, sizeof source);
    snprintf(text + n, size - n, "; the other is %s %s at PTX line %d%s, block (%u,%u,%u), thread (%u,%u,%u)",
             strchr("aeiou", other->verb[0]) ? "an" : "a", other->verb, r->other_line, source, r->other_block[0],
             r->other_block[1], r->other_block[2], r->other_thread[0], r->other_thread[1], r->other_thread[2]);
}

void report_as(int severity, worker *W, const warp *w, const ins *k, u32 lane, u32 check, u64 address,
               const party *other, const char *format, ...)
{
    char text[800], where[200];
    softgpuReport r = { .check = check, .kernel = W->L->k->f->name, .line = k->line, .address = address, .text = text };
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    describe(W, w, k, lane, where, sizeof where);
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, " %s", where);
    memcpy(r.block, W->c.id, sizeof r.block);
    thread_of(W->L, w->index * WARP + lane, r.thread);
    set_source(W->L->k, k, &r.source, &r.source_line);
    r.severity = severity;
    if (other)
        add_other(W, &r, other, text, sizeof text);
    add_report(&r);
}

void report_plain(u32 check, u64 address, const char *format, ...)
{
    char text[400];
    softgpuReport r = { .check = check, .kernel = "", .address = address, .text = text, .severity = SOFTGPU_ERROR };
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_report(&r);
}

void report_module(u32 check, const char *kernel_name, int line, const char *format, ...)
{
    char text[400];
    softgpuReport r = { .check = check, .kernel = kernel_name, .line = line, .text = text, .severity = SOFTGPU_ERROR };
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_report(&r);
}

EXPORT size_t softgpuReportCount(void) { return softgpuCountSeverity(SOFTGPU_NOTE); }

EXPORT size_t softgpuCountSeverity(int least)
{
    size_t n = 0;
    pthread_mutex_lock(&report_lock);
    for (size_t i = 0; i < count; i++)
        n += reports[i].severity >= least;
    pthread_mutex_unlock(&report_lock);
    return n;
}

EXPORT int softgpuGetReport(size_t index, softgpuReport *r)
{
    pthread_mutex_lock(&report_lock);
    bool there = index < count && r;
    if (there)
        *r = reports[index];
    pthread_mutex_unlock(&report_lock);
    return there ? 0 : -1;
}

EXPORT void softgpuClearReports(void)
{
    pthread_mutex_lock(&report_lock);
    while (strings) {
        kept *next = strings->next;
        free(strings);
        strings = next;
    }
    free(reports);
    reports = NULL;
    count = 0;
    lost = false;
    pthread_mutex_unlock(&report_lock);
}
