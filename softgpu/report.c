/* Reports: one record per place, with a count. */
#include "api.h"
#include <pthread.h>
#include <stdarg.h>

enum { MOST = 4096 };

static softgpuReport *reports;
static size_t count;
static pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct { const char *name; u32 check; } names[] = {
    { "memcheck", SOFTGPU_MEMCHECK }, { "initcheck", SOFTGPU_INITCHECK }, { "racecheck", SOFTGPU_RACECHECK },
    { "synccheck", SOFTGPU_SYNCCHECK }, { "leakcheck", SOFTGPU_LEAKCHECK }, { "lint", SOFTGPU_LINT },
    { "counters", SOFTGPU_COUNTERS }, { "all", SOFTGPU_ALL_CHECKS }, { "none", 0 },
};

CUDAAPI uint32_t softgpuParseChecks(const char *text)
{
    u32 checks = 0;
    while (*text) {
        size_t n = strcspn(text, ","), i = 0;
        while (i < COUNT(names) && (strlen(names[i].name) != n || memcmp(names[i].name, text, n))) i++;
        if (i == COUNT(names)) return ~0u;
        checks |= names[i].check;
        text += n + (text[n] == ',');
    }
    return checks;
}

static const char *check_name(u32 check)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].check == check) return names[i].name;
    return "?";
}

static char *copy_text(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    if (copy) memcpy(copy, s, n);
    return copy;
}

/* The record of this place, new or known; NULL where there are too many. */
static void add(const softgpuReport *r)
{
    pthread_mutex_lock(&report_lock);
    for (size_t i = 0; i < count; i++) {
        softgpuReport *o = &reports[i];
        if (o->check != r->check || o->line != r->line || o->other_line != r->other_line || strcmp(o->kernel, r->kernel)) continue;
        if (!r->line && strcmp(o->text, r->text)) continue;
        o->count++;
        pthread_mutex_unlock(&report_lock);
        return;
    }
    softgpuReport *grown = count < MOST ? realloc(reports, (count + 1) * sizeof *grown) : NULL;
    if (grown) {
        reports = grown;
        reports[count] = *r;
        reports[count].kernel = copy_text(r->kernel);
        reports[count].source = r->source ? copy_text(r->source) : NULL;
        reports[count].text = copy_text(r->text);
        reports[count++].count = 1;
        if (sg.log) fprintf(stderr, "softgpu: %s: %s\n", check_name(r->check), r->text);
    }
    pthread_mutex_unlock(&report_lock);
}

static void set_source(softgpuReport *r, const kernel *k, const ins *i)
{
    const func *f = k->funcs[i->func].src;
    int loc = f->ncode ? f->code[i->pins].loc : -1;
    if (loc < 0) return;
    r->source = sg_file_name(k->m, k->m->locs[loc].file);
    r->source_line = k->m->locs[loc].line;
}

static void block_of(const launch *L, u64 linear, u32 out[3])
{
    out[0] = (u32)(linear % L->grid[0]);
    out[1] = (u32)(linear / L->grid[0] % L->grid[1]);
    out[2] = (u32)(linear / L->grid[0] / L->grid[1]);
}

static void add_other(const worker *W, softgpuReport *r, const party *other, char *text, size_t size)
{
    size_t n = strlen(text);
    r->other_line = W->L->k->code[other->pc].line;
    block_of(W->L, other->cta, r->other_block);
    thread_of(W->L, other->thread, r->other_thread);
    snprintf(text + n, size - n, "; the other is a %s at PTX line %d, block (%u,%u,%u), thread (%u,%u,%u)", other->verb, r->other_line,
             r->other_block[0], r->other_block[1], r->other_block[2], r->other_thread[0], r->other_thread[1], r->other_thread[2]);
}

void report_at(worker *W, const warp *w, const ins *k, u32 lane, u32 check, u64 address, const party *other, const char *format, ...)
{
    char text[700], where[200];
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
    set_source(&r, W->L->k, k);
    if (other) add_other(W, &r, other, text, sizeof text);
    add(&r);
}

void report_plain(u32 check, u64 address, const char *format, ...)
{
    char text[400];
    softgpuReport r = { .check = check, .kernel = "", .address = address, .text = text };
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add(&r);
}

void report_module(u32 check, const char *kernel_name, int line, const char *format, ...)
{
    char text[400];
    softgpuReport r = { .check = check, .kernel = kernel_name, .line = line, .text = text };
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add(&r);
}

CUDAAPI size_t softgpuReportCount(void) { return count; }

CUDAAPI int softgpuGetReport(size_t index, softgpuReport *r)
{
    pthread_mutex_lock(&report_lock);
    bool there = index < count && r;
    if (there) *r = reports[index];
    pthread_mutex_unlock(&report_lock);
    return there ? 0 : -1;
}

CUDAAPI void softgpuClearReports(void)
{
    pthread_mutex_lock(&report_lock);
    for (size_t i = 0; i < count; i++) {
        free((void *)(uintptr_t)reports[i].kernel);
        free((void *)(uintptr_t)reports[i].source);
        free((void *)(uintptr_t)reports[i].text);
    }
    free(reports);
    reports = NULL;
    count = 0;
    pthread_mutex_unlock(&report_lock);
}

/* --- at the end of a program that was started with SOFTGPU_CHECK or SOFTGPU_COUNTERS --- */
static void report_leaks(const context *c)
{
    for (const owned *o = c->allocs; o; o = o->next) {
        const alloc *a = memory_find(&sg.mem, o->base);
        if (a) report_plain(SOFTGPU_LEAKCHECK, o->base, "leak: allocation %u of %llu bytes was never freed", a->id, (unsigned long long)a->size);
    }
}

static void write_counters(const char *name)
{
    bool json = strlen(name) > 5 && !strcmp(name + strlen(name) - 5, ".json");
    size_t need = json ? softgpuCountersJson(NULL, 0) : softgpuCountersTable(NULL, 0);
    char *text = malloc(need + 1);
    FILE *f = !strcmp(name, "-") ? stderr : fopen(name, "w");
    if (text && f) {
        if (json) softgpuCountersJson(text, need + 1);
        else softgpuCountersTable(text, need + 1);
        fwrite(text, 1, need, f);
    }
    if (f && f != stderr) fclose(f);
    free(text);
}

static void at_exit(void)
{
    const char *counters = getenv("SOFTGPU_COUNTERS"), *out = getenv("SOFTGPU_REPORT");
    if (sg.checks & SOFTGPU_LEAKCHECK) {
        for (const context *c = sg.contexts; c; c = c->next) report_leaks(c);
        report_leaks(&sg.primary);
    }
    if (counters) write_counters(counters);
    if (!getenv("SOFTGPU_CHECK")) return;
    FILE *f = out ? fopen(out, "w") : stderr;
    for (size_t i = 0; f && i < count; i++)
        fprintf(f, "softgpu: %s: %s%s%.0llu%s\n", check_name(reports[i].check), reports[i].text, reports[i].count > 1 ? " (" : "",
                reports[i].count > 1 ? (unsigned long long)reports[i].count : 0, reports[i].count > 1 ? " times)" : "");
    if (f) fprintf(f, "softgpu: %zu reports\n", count);
    if (f && out) fclose(f);
    if (count && getenv("SOFTGPU_EXIT")) { fflush(NULL); _Exit(atoi(getenv("SOFTGPU_EXIT"))); }
}

void report_at_exit(void) { atexit(at_exit); }
