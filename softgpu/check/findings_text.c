/* Reports as lines of text, as JSON and as SARIF 2.1.0, in an order that does not depend on how they were found. */
#include "findings.h"
#include "text.h"

static int compare_words(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }
static int compare_numbers(u64 a, u64 b) { return (a > b) - (a < b); }

/* Worst first; then by check, kernel, lines, text. */
static int by_place(const void *left, const void *right)
{
    const softgpuReport *a = left, *b = right;
    int order[] = { b->severity - a->severity, compare_numbers(a->check, b->check), compare_words(a->kernel, b->kernel),
                    a->line - b->line,         a->other_line - b->other_line,       compare_words(a->text, b->text) };
    for (size_t i = 0; i < COUNT(order); i++)
        if (order[i])
            return order[i];
    return 0;
}

static softgpuReport *sorted(size_t *n)
{
    size_t room = softgpuReportCount();
    softgpuReport *all = calloc(room + 1, sizeof *all);
    *n = 0;
    while (all && *n < room && !softgpuGetReport(*n, &all[*n]))
        ++*n;
    if (*n)
        qsort(all, *n, sizeof *all, by_place);
    return all;
}

static void put_line(text *t, const softgpuReport *r)
{
    put(t, "softgpu: %s: %s%s%s", softgpuCheckName(r->check),
        r->severity == SOFTGPU_ERROR ? "" : severity_name(r->severity), r->severity == SOFTGPU_ERROR ? "" : ": ",
        r->text);
    if (r->count > 1)
        put(t, " (%llu times)", (unsigned long long)r->count);
    put(t, "\n");
}

static void put_lines(text *t, const softgpuReport *all, size_t n)
{
    size_t notes = 0;
    for (size_t i = 0; i < n; i++) {
        put_line(t, &all[i]);
        notes += all[i].severity == SOFTGPU_NOTE;
    }
    put(t, "softgpu: %zu report%s", n, n == 1 ? "" : "s");
    if (notes)
        put(t, ", of which %zu %s", notes, notes == 1 ? "is a note" : "are notes");
    put(t, "\n");
}

static void put_triple(text *t, const char *name, const u32 v[3])
{
    put(t, ", \"%s\": [%u, %u, %u]", name, v[0], v[1], v[2]);
}

static void put_source(text *t, const char *file, int line)
{
    if (!file)
        return;
    put(t, ", \"file\": ");
    put_string(t, file);
    put(t, ", \"source_line\": %d", line);
}

static void put_place(text *t, const softgpuReport *r)
{
    put(t, "\"kernel\": ");
    put_string(t, r->kernel);
    put(t, ", \"ptx_line\": %d", r->line);
    put_source(t, r->source, r->source_line);
    put_triple(t, "block", r->block);
    put_triple(t, "thread", r->thread);
}

static void put_object(text *t, const softgpuReport *r)
{
    put(t, "{\"check\": \"%s\", \"severity\": \"%s\", \"count\": %llu, \"text\": ", softgpuCheckName(r->check),
        severity_name(r->severity), (unsigned long long)r->count);
    put_string(t, r->text);
    put(t, ", \"address\": \"0x%llx\"", (unsigned long long)r->address);
    if (r->line) {
        put(t, ", \"at\": {");
        put_place(t, r);
        put(t, "}");
    }
    if (r->other_line) {
        put(t, ", \"other\": {\"ptx_line\": %d", r->other_line);
        put_source(t, r->other_source, r->other_source_line);
        put_triple(t, "block", r->other_block);
        put_triple(t, "thread", r->other_thread);
        put(t, "}");
    }
    put(t, "}");
}

static void put_json_reports(text *t, const softgpuReport *all, size_t n)
{
    put(t, "{\"format\": \"softgpu-reports\", \"version\": 1, \"reports\": [");
    for (size_t i = 0; i < n; i++) {
        put(t, i ? ",\n  " : "\n  ");
        put_object(t, &all[i]);
    }
    put(t, "\n]}\n");
}

/* A place in the source where there is one, else the kernel by its name. */
static void put_location(text *t, const char *file, int line, const char *kernel_name)
{
    put(t, "{");
    if (file) {
        put(t, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
        put_string(t, file);
        put(t, "}, \"region\": {\"startLine\": %d}}", line > 0 ? line : 1);
    }
    if (*kernel_name) {
        put(t, "%s\"logicalLocations\": [{\"kind\": \"function\", \"name\": ", file ? ", " : "");
        put_string(t, kernel_name);
        put(t, "}]");
    }
    put(t, "}");
}

static void put_result(text *t, const softgpuReport *r)
{
    put(t, "{\"ruleId\": \"%s\", \"level\": \"%s\", \"occurrenceCount\": %llu, \"message\": {\"text\": ",
        softgpuCheckName(r->check), severity_name(r->severity), (unsigned long long)r->count);
    put_string(t, r->text);
    put(t, "}, \"locations\": [");
    if (r->source || *r->kernel)
        put_location(t, r->source, r->source_line, r->kernel);
    put(t, "]");
    if (r->other_line) {
        put(t, ", \"relatedLocations\": [");
        put_location(t, r->other_source, r->other_source_line, r->kernel);
        put(t, "]");
    }
    put(t, ", \"properties\": {\"ptxLine\": %d, \"otherPtxLine\": %d}}", r->line, r->other_line);
}

static void put_sarif(text *t, const softgpuReport *all, size_t n)
{
    put(t, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{"
           "\"tool\": {\"driver\": {\"name\": \"softgpu\", \"rules\": [");
    for (u32 i = 0, rules = 0; i < 32; i++) {
        u32 check = 1u << i;
        if (softgpuCheckName(check) && check != SOFTGPU_COUNTERS)
            put(t, "%s{\"id\": \"%s\"}", rules++ ? ", " : "", softgpuCheckName(check));
    }
    put(t, "]}}, \"results\": [");
    for (size_t i = 0; i < n; i++) {
        put(t, i ? ",\n  " : "\n  ");
        put_result(t, &all[i]);
    }
    put(t, "\n]}]}\n");
}

EXPORT size_t softgpuReports(int format, char *out, size_t size)
{
    static void (*const put_all[])(text * t, const softgpuReport *all, size_t n) = { put_lines, put_json_reports,
                                                                                     put_sarif };
    text t = { out, size, 0 };
    size_t n;
    softgpuReport *all = sorted(&n);
    if (format >= 0 && format < (int)COUNT(put_all))
        put_all[format](&t, all, n);
    free(all);
    return t.used;
}
