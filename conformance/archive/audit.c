/* The audit of a submission. */
#include "audit.h"
#include "conformance/html/tree.h"
#include "conformance/sweep/run.h"
#include "conformance/sweep/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct auditor {
    FILE *to;
    audit found;
    int samples;
    uint64_t state;
} auditor;

__attribute__((format(printf, 2, 3))) static void problem(auditor *a, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("not ok: ", a->to);
    vfprintf(a->to, format, list);
    fputc('\n', a->to);
    va_end(list);
    a->found.problems++;
}

static uint64_t draw(auditor *a)
{
    a->state = a->state * 6364136223846793005u + 1442695040888963407u;
    return a->state >> 20;
}

/* ---- results of check ------------------------------------------------------------------------ */

/* The rows add up to the totals, and every failure that is counted is there. */
static void audit_counts(auditor *a, const char *name, const node *result)
{
    static const char *const keys[] = { "cases", "failed", "waived", "cells", "unjudged_cells", "checks" };
    const node *totals = node_get(result, "totals"), *rows = node_get(result, "rows");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        double sum = 0;
        for (const node *row = rows ? rows->child : NULL; row; row = row->next)
            sum += number_at(row, keys[i], (double)NAN);
        if (!(sum == number_at(totals, keys[i], (double)NAN)))
            problem(a, "%s: the rows' %s do not add up to the total", name, keys[i]);
    }
    for (const node *row = rows ? rows->child : NULL; row; row = row->next)
        if (number_at(row, "failed", 0) - number_at(row, "waived", 0) > node_count(node_get(row, "failures")))
            problem(a, "%s: failures of %s %s are counted and not there", name, text_at(row, "op"),
                    text_at(row, "dtype"));
}

static void audit_result(auditor *a, const member *one)
{
    size_t at;
    node *result = strlen(one->data) == one->size ? tree_read(one->data, &at) : NULL;
    const node *run = node_get(result, "run"), *good = node_get(result, "good");
    a->found.results++;
    if (!result || !node_get(result, "rows") || !node_get(result, "totals")) {
        problem(a, "%s is not the JSON of a check", one->name);
    } else {
        audit_counts(a, one->name, result);
        if (good && good->kind == NODE_TRUE && number_at(node_get(result, "totals"), "failed", 1) > 0)
            problem(a, "%s says that it is good, and has failures", one->name);
        if (!good || good->kind != NODE_TRUE)
            problem(a, "%s is no good result", one->name);
        if (strcmp(text_at(run, "shard"), "1/1"))
            problem(a, "%s is part %s of a run", one->name, text_at(run, "shard"));
        fprintf(a->to, "read: %s, backend %s, %s range, %s cases\n", one->name, text_at(run, "backend"),
                text_at(run, "range"), text_at(node_get(result, "totals"), "cases"));
    }
    tree_free(result);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void recompute(auditor *a, const char *name, const collection *c, const sweep *s, cot_backend *reference)
{
    for (int i = 0; i < a->samples; i++) {
        int64_t block = c->first + (int64_t)(draw(a) % (uint64_t)(c->last - c->first + 1));
        const block_result *said = &c->block[block - c->first];
        block_result again;
        cot_error error;
        if (!collect_has(c, block))
            continue;
        if (sweep_one(reference, s, block, &again, &error))
            problem(a, "%s: block %lld cannot be computed", name, (long long)block);
        else if (again.digest != said->digest || again.edges != said->edges || again.cells != said->cells)
            problem(a, "%s: block %lld has other bits than the reference", name, (long long)block);
        a->found.recomputed++;
    }
}

static void audit_claim(auditor *a, const char *name, const collection *c)
{
    char judged[16] = "";
    sweep s;
    cot_backend *reference;
    cot_error error;
    heading_word(c->heading, "judged", judged, sizeof judged);
    if (sweep_from_name(c->heading, &s))
        problem(a, "%s is of another version or spec than this program, or of no sweep", name);
    else if (strcmp(judged, "bits"))
        fprintf(a->to, "cannot: %s claims no bits, so no other machine can compute its digests\n", name);
    else if (cot_backend_open("ref", NULL, &reference, &error))
        problem(a, "the reference cannot be opened: %s", error.message);
    else {
        recompute(a, name, c, &s, reference);
        cot_backend_close(reference);
    }
}

/* The length of "sweeps/NAME/" at the start of a member's name; 0: it is of no sweep. */
static size_t sweep_prefix(const char *name)
{
    const char *slash = strncmp(name, "sweeps/", 7) ? NULL : strchr(name + 7, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

static int collect_members(collection *c, const members *m, const char *prefix, size_t length)
{
    int status = 0;
    for (int i = 0; i < m->count && !status; i++) {
        const member *one = &m->at[i];
        if (strncmp(one->name, prefix, length) || !one->size)
            continue;
        FILE *from = fmemopen(one->data, one->size, "r");
        status = from ? collect_stream(c, one->name, from) : -1;
        if (from)
            fclose(from);
    }
    return status;
}

static void audit_sweep(auditor *a, const members *m, const char *prefix, size_t length)
{
    collection c = { .files = 0 };
    char name[TAR_NAME], missing[256];
    snprintf(name, sizeof name, "%.*s", (int)length - 1, prefix);
    a->found.sweeps++;
    if (collect_members(&c, m, prefix, length) || !*c.heading) {
        problem(a, "%s", *c.error ? c.error : name);
    } else {
        summary s = summarize(&c, 1, 1);
        missing_blocks(&c, 1, 1, missing, sizeof missing);
        fprintf(a->to, "read: %s, %lld of %lld blocks, digest %016llx\n", name, (long long)s.done, (long long)s.planned,
                (unsigned long long)s.digest);
        if (*missing)
            problem(a, "%s: blocks are missing: %s", name, missing);
        if (s.failed)
            problem(a, "%s: %lld cells failed", name, (long long)s.failed);
        audit_claim(a, name, &c);
    }
    collect_free(&c);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int is_first_of_sweep(const members *m, int i, size_t length)
{
    for (int k = 0; k < i; k++)
        if (!strncmp(m->at[k].name, m->at[i].name, length))
            return 0;
    return 1;
}

static void audit_member(auditor *a, const members *m, int i)
{
    const char *name = m->at[i].name;
    size_t prefix = sweep_prefix(name);
    if (!strncmp(name, "results/", 8))
        audit_result(a, &m->at[i]);
    else if (prefix && is_first_of_sweep(m, i, prefix))
        audit_sweep(a, m, name, prefix);
    else if (!prefix && strncmp(name, "waivers/", 8) && strcmp(name, "MANIFEST") && strcmp(name, "ENVIRONMENT"))
        problem(a, "%s is none of a submission's files", name);
}

audit audit_submission(FILE *to, const members *m, int samples, uint64_t seed)
{
    auditor a = { .to = to, .samples = samples, .state = seed };
    const member *environment = member_find(m, "ENVIRONMENT");
    const char *wrong;
    char version[64];
    if (manifest_check(m, &wrong))
        problem(&a, "%s is not as the manifest says", wrong);
    snprintf(version, sizeof version, "version: %s\n", COT_VERSION);
    if (!environment || strncmp(environment->data, version, strlen(version)))
        problem(&a, "it was made by another version than %s", COT_VERSION);
    for (int i = 0; i < m->count; i++)
        audit_member(&a, m, i);
    if (!a.found.results && !a.found.sweeps)
        problem(&a, "there is no result in it");
    fprintf(to, "recomputed: %lld blocks, on the reference\n", (long long)a.found.recomputed);
    fputs(
        "cannot: that the numbers came from the hardware that is named; results of check, whose cells are not in it\n",
        to);
    return a.found;
}
