/* The audit of a submission. */
#include "auditor.h"
#include "parts.h"
#include "conformance/case/told.h"
#include "conformance/clause/clauses.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void audit_problem(auditor *a, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("not ok: ", a->to);
    vfprintf(a->to, format, list);
    fputc('\n', a->to);
    va_end(list);
    a->found.problems++;
}

/* ---- waivers --------------------------------------------------------------------------------- */

/* Whether a file of waivers has this one. */
static int waivers_hold(const members *m, const waiver *one)
{
    int found = 0;
    for (int i = 0; i < m->count && !found; i++) {
        char error[WAIVER_ERROR_SIZE];
        waivers w = { 0 };
        FILE *from = strncmp(m->at[i].name, "waivers/", 8) || !m->at[i].size
                         ? NULL
                         : fmemopen(m->at[i].data, m->at[i].size, "r");
        if (from && !waivers_read_from(from, m->at[i].name, &w, error))
            for (int k = 0; k < w.count; k++)
                found |= !strcmp(w.at[k].glob, one->glob) && !strcmp(w.at[k].clause, one->clause)
                         && !strcmp(w.at[k].until, one->until) && !strcmp(w.at[k].reason, one->reason);
        if (from)
            fclose(from);
        waivers_free(&w);
    }
    return found;
}

/* ---- results of check ------------------------------------------------------------------------ */

/* The rows add up to the totals, and every failure that is counted is there. */
static void audit_counts(auditor *a, const char *name, const node *top)
{
    static const char *const keys[] = { "cases", "failed", "waived", "cells", "unjudged_cells", "checks" };
    const node *totals = node_get(top, "totals"), *rows = node_get(top, "rows");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        double sum = 0;
        for (const node *one = rows ? rows->child : NULL; one; one = one->next)
            sum += number_at(one, keys[i], (double)NAN);
        if (!(sum == number_at(totals, keys[i], (double)NAN)))
            audit_problem(a, "%s: the rows' %s do not add up to the total", name, keys[i]);
    }
    for (const node *one = rows ? rows->child : NULL; one; one = one->next)
        if (number_at(one, "failed", 0) > node_count(node_get(one, "failures")))
            audit_problem(a, "%s: failures of %s %s are counted and not there", name, text_at(one, "op"),
                          text_at(one, "dtype"));
}

/* What the file says must be what its own rows make, told again: its sums, coverage, holes and verdict. */
static void audit_telling(auditor *a, const member *one, parts *p)
{
    char *again = NULL;
    size_t size = 0, same = 0;
    FILE *to = open_memstream(&again, &size);
    if (!to) {
        audit_problem(a, "out of memory");
        return;
    }
    p->r.to = to;
    report_json.end(&p->r);
    if (told_end(to, &again)) {
        audit_problem(a, "out of memory");
        return;
    }
    while (same < size && again[same] == one->data[same])
        same++;
    if (same < size || one->data[same])
        audit_problem(
            a, "%s is not what its rows make of it, from byte %zu on: \"%.60s\", where \"%.60s\" follows from them",
            one->name, same, one->data + same, again + same);
    free(again);
}

/* Every case that was asked for was judged, or the backend does not do it: row by row, by this program's own list. */
static void audit_plan(auditor *a, const member *one, const node *run, parts *p)
{
    tally *planned = tally_new();
    char why[256] = "out of memory";
    if (!planned || a->cases.plan(run, planned, why))
        audit_problem(a, "%s: its cases cannot be listed: %s", one->name, why);
    for (int op = 0; planned && cot_op_at((size_t)op); op++)
        for (int e = COT_F16; e <= COT_F64; e++) {
            const row *want = tally_row(planned, op, (cot_element)e), *is = tally_row(p->r.tally, op, (cot_element)e);
            if (want->cases != is->cases + is->unsupported)
                audit_problem(a, "%s: %lld cases of %s %s were asked for, and %lld are there", one->name,
                              (long long)want->cases, cot_op_at((size_t)op)->name, cot_element_name((cot_element)e),
                              (long long)(is->cases + is->unsupported));
        }
    if (planned) {
        coverage want[] = { tally_coverage(planned), tally_shapes(planned) };
        coverage is[] = { tally_coverage(p->r.tally), tally_shapes(p->r.tally) };
        for (int i = 0; i < 2; i++)
            if (want[i].promised != is[i].promised)
                audit_problem(
                    a, "%s: %lld %s are promised, and it tells of %lld", one->name, (long long)want[i].promised,
                    i ? "kinds of shapes" : "combinations of layout and generator", (long long)is[i].promised);
    }
    tally_free(planned);
}

/* The failures that are forgiven are those of the waivers in the archive. */
static void audit_waivers(auditor *a, const member *one, const parts *p)
{
    int64_t used = 0;
    for (int i = 0; i < p->known.count; i++) {
        used += p->known.at[i].used;
        if (!waivers_hold(a->files, &p->known.at[i]))
            audit_problem(a, "%s: the waiver of line %d is in no file of waivers here: %s %s", one->name,
                          p->known.at[i].line, p->known.at[i].glob, p->known.at[i].clause);
        else if (p->known.at[i].used)
            fprintf(a->to, "waived: %lld cases of %s, %s, until %s: %s\n", (long long)p->known.at[i].used,
                    p->known.at[i].glob, p->known.at[i].clause, p->known.at[i].until, p->known.at[i].reason);
    }
    if (tally_total(p->r.tally).waived != used)
        audit_problem(a, "%s: %lld failures are waived, and its waivers forgive %lld", one->name,
                      (long long)tally_total(p->r.tally).waived, (long long)used);
}

/* Read once more, as `merge` reads parts. */
static void audit_again(auditor *a, const member *one, const node *run)
{
    char spec[17];
    parts p;
    snprintf(spec, sizeof spec, "%016llx", (unsigned long long)clauses_digest());
    if (strcmp(text_at(run, "version"), COT_VERSION) || strcmp(text_at(run, "spec"), spec)) {
        audit_problem(a, "%s is of another version or spec than this program", one->name);
        return;
    }
    if (parts_begin(&p) || parts_add(&p, one->name, one->data) || parts_finish(&p))
        audit_problem(a, "%s", p.error);
    else {
        audit_telling(a, one, &p);
        audit_plan(a, one, run, &p);
        audit_waivers(a, one, &p);
    }
    parts_free(&p);
}

static void audit_verdict(auditor *a, const member *one, const node *top)
{
    const node *run = node_get(top, "run"), *good = node_get(top, "good");
    int is_good = good && good->kind == NODE_TRUE;
    if (is_good && number_at(node_get(top, "totals"), "failed", 1) > 0)
        audit_problem(a, "%s says that it is good, and has failures", one->name);
    if (!is_good)
        audit_problem(a, "%s is no good result", one->name);
    if (strcmp(text_at(run, "shard"), "1/1"))
        audit_problem(a, "%s is part %s of a run; `cotangent merge` puts parts together", one->name,
                      text_at(run, "shard"));
    else
        audit_again(a, one, run);
}

/* A run of chosen cases is a part of its range. */
static void tell_result(auditor *a, const member *one, const node *top)
{
    enum { LONGEST = 300 };
    const node *run = node_get(top, "run"), *selection = node_get(run, "selection");
    fprintf(a->to, "read: %s, backend %s on %s, %s range, cases: %s\n", one->name, text_at(run, "backend"),
            *text_at(run, "device") ? text_at(run, "device") : "a device without a name", text_at(run, "range"),
            text_at(node_get(top, "totals"), "cases"));
    if (!selection || !selection->child)
        return;
    size_t length = selection->to - selection->from;
    a->found.parts++;
    fprintf(a->to, "part: %s is of chosen cases: %.*s%s\n", one->name, (int)(length < LONGEST ? length : LONGEST),
            one->data + selection->from, length < LONGEST ? "" : " ...");
}

static void audit_result(auditor *a, const member *one)
{
    size_t at;
    node *top = strlen(one->data) == one->size ? tree_read(one->data, &at) : NULL;
    a->found.results++;
    if (!top || !node_get(top, "rows") || !node_get(top, "totals")) {
        audit_problem(a, "%s is not the JSON of a check", one->name);
    } else {
        audit_counts(a, one->name, top);
        audit_verdict(a, one, top);
        tell_result(a, one, top);
        audit_kept(a, one->name, top);
    }
    tree_free(top);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The length of "sweeps/NAME/" at the start of a member's name; 0: it is of no sweep. */
static size_t sweep_prefix(const char *name)
{
    const char *slash = strncmp(name, "sweeps/", 7) ? NULL : strchr(name + 7, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

static int is_first_of_sweep(const members *m, int i, size_t length)
{
    for (int k = 0; k < i; k++)
        if (!strncmp(m->at[k].name, m->at[i].name, length))
            return 0;
    return 1;
}

/* "samples/NAME/..." beside "sweeps/NAME/...". */
static int is_sample(const members *m, const char *name)
{
    const char *slash = strncmp(name, "samples/", 8) ? NULL : strchr(name + 8, '/');
    size_t length = slash ? (size_t)(slash - name) + 1 - 8 : 0;
    for (int i = 0; slash && i < m->count; i++)
        if (!strncmp(m->at[i].name, "sweeps/", 7) && !strncmp(m->at[i].name + 7, name + 8, length))
            return 1;
    return 0;
}

/* "cells/NAME/..." beside "results/NAME". */
static int is_kept(const members *m, const char *name)
{
    char owner[TAR_NAME];
    const char *slash = strncmp(name, "cells/", 6) ? NULL : strchr(name + 6, '/');
    if (!slash)
        return 0;
    snprintf(owner, sizeof owner, "results/%.*s", (int)(slash - name) - 6, name + 6);
    return member_find(m, owner) != NULL;
}

static void audit_member(auditor *a, const members *m, int i)
{
    const char *name = m->at[i].name;
    size_t prefix = sweep_prefix(name);
    if (!strncmp(name, "results/", 8))
        audit_result(a, &m->at[i]);
    else if (prefix && is_first_of_sweep(m, i, prefix))
        audit_sweep(a, name, prefix);
    else if (!prefix && strncmp(name, "waivers/", 8) && !is_sample(m, name) && !is_kept(m, name)
             && strcmp(name, "MANIFEST") && strcmp(name, "ENVIRONMENT"))
        audit_problem(a, "%s is none of a submission's files", name);
}

audit audit_submission(FILE *to, const members *m, int samples, uint64_t seed, audit_cases cases)
{
    auditor a = { .to = to, .files = m, .samples = samples, .state = seed, .cases = cases };
    const member *environment = member_find(m, "ENVIRONMENT");
    const char *wrong;
    char version[64];
    if (manifest_check(m, &wrong))
        audit_problem(&a, "%s is not as the manifest says", wrong);
    snprintf(version, sizeof version, "version: %s\n", COT_VERSION);
    if (!environment || strncmp(environment->data, version, strlen(version)))
        audit_problem(&a, "it was made by another version than %s", COT_VERSION);
    for (int i = 0; i < m->count; i++)
        audit_member(&a, m, i);
    if (!a.found.results && !a.found.sweeps)
        audit_problem(&a, "there is no result in it");
    fprintf(to, "recomputed: %lld block%s and %lld case%s, on the reference\n", (long long)a.found.recomputed,
            a.found.recomputed == 1 ? "" : "s", (long long)a.found.kept_bits, a.found.kept_bits == 1 ? "" : "s");
    fputs("cannot: that the numbers came from the hardware that is named; cells of a check that are not in it; that "
          "those which are were drawn by chance\n",
          to);
    return a.found;
}
