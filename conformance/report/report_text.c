/* For a person: a line of progress, a table of op by type, the failures, and a line that says what to do next. */
#include "conformance/case/clock.h"
#include "conformance/case/generate.h"
#include "report.h"

#include <string.h>
#include <time.h>

static const char red[] = "\033[1;31m", green[] = "\033[32m", plain[] = "\033[0m";

static const char *colour(const report *r, const char *code) { return r->colour ? code : ""; }

/* ---- progress -------------------------------------------------------------------------------- */

static void begin(report *r)
{
    r->format.began = clock_now();
    r->format.shown = r->format.began - 1;
}

static void progress(report *r, const result *one)
{
    double at = clock_now();
    char line[256];
    if (!r->live || at - r->format.shown < 0.1)
        return;
    r->format.shown = at;
    double left = (at - r->format.began) / (double)r->seen * (double)(r->planned - r->seen);
    snprintf(line, sizeof line, "%3d%%  %lld of %lld cases  %s %s  %lld failed  %.0f s left",
             (int)(100 * r->seen / r->planned), (long long)r->seen, (long long)r->planned,
             cot_op_get(one->c.desc.op)->name, cot_element_name(one->c.desc.element), (long long)r->failures.count,
             left);
    printf("\r%.*s\033[K", r->width - 1, line);
    fflush(stdout);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void print_undone(const report *r)
{
    const undone *u = &r->undone;
    for (int i = 0; i < u->kinds; i++) {
        char id[CASE_ID_SIZE];
        char text[UNDONE_SIZE + CASE_ID_SIZE + 32];
        case_print(&u->at[i].first, id);
        snprintf(text, sizeof text, "%lld: %s, as %s", (long long)u->at[i].count, u->at[i].why, id);
        fputs("  ", stdout);
        print_wrapped(stdout, text, 2, r->width > 40 ? r->width : 80, "    ");
    }
    if (u->others)
        printf("  %lld for other reasons\n", (long long)u->others);
}

static void print_unsupported(const report *r)
{
    int64_t cases = tally_total(r->tally).unsupported;
    if (!cases)
        return;
    printf("skipped, because the backend does not do them: %lld cases, all or (*) some of\n", (long long)cases);
    for (int op = 0; cot_op_at((size_t)op); op++) {
        int printed = 0;
        for (int e = COT_F16; e <= COT_F64; e++) {
            const row *t = tally_row(r->tally, op, (cot_element)e);
            if (t->unsupported && !printed++)
                printf("  %s:", cot_op_at((size_t)op)->name);
            if (t->unsupported)
                printf(" %s%s", cot_element_name((cot_element)e), t->cases ? "*" : "");
        }
        if (printed)
            putchar('\n');
    }
    puts("in its own words:");
    print_undone(r);
    putchar('\n');
}

static const char *in_short(int64_t count, char text[16])
{
    double n = (double)count;
    if (n < 1e4)
        snprintf(text, 16, "%lld", (long long)count);
    else
        snprintf(text, 16, "%.3g%c",
                 n < 1e6   ? n / 1e3
                 : n < 1e9 ? n / 1e6
                           : n / 1e9,
                 n < 1e6   ? 'k'
                 : n < 1e9 ? 'M'
                           : 'G');
    return text;
}

static void print_grades(const report *r)
{
    char text[2048];
    describe_grades(r->tally, text, sizeof text);
    if (*text)
        print_wrapped(stdout, text, 0, r->width > 40 ? r->width : 80, "  ");
}

/* A larger error over a bound is a wrong number where nothing is rounded, and how wrong says nothing. */
static const double beyond = 1e19;

static void print_done(const report *r)
{
    row t = tally_total(r->tally);
    coverage c = tally_coverage(r->tally);
    char cells[16], edges[16], bits[16], unjudged[512];
    printf("%s cells judged, %s of them edges; %s compared bit for bit\n", in_short(t.cells - t.unjudged_cells, cells),
           in_short(t.edge_cells, edges), in_short(t.bit_cells, bits));
    printf(t.worst > beyond ? "worst error / bound over %g\n" : "worst error / bound %.3g\n",
           t.worst > beyond ? beyond : t.worst);
    describe_unjudged(&t, unjudged, sizeof unjudged);
    if (*unjudged)
        printf("%s\n", unjudged);
    print_grades(r);
    printf("%lld of %lld combinations of op, type, generator and layout judged", (long long)c.judged,
           (long long)c.promised);
    printf(c.unsupported ? ", %lld skipped\n" : "\n", (long long)c.unsupported);
    c = tally_shapes(r->tally);
    printf("%lld of %lld combinations of op, type and kind of shape judged", (long long)c.judged,
           (long long)c.promised);
    printf(c.unsupported ? ", %lld skipped\n" : "\n", (long long)c.unsupported);
}

/* What to do about it, with the choices that were made. */
static void print_next(const report *r)
{
    char text[1024];
    const char *clause = r->failures.group_count ? r->failures.groups[0].first.v.clause : "";
    if (*clause)
        printf("next: %s spec %s\n", r->program, clause);
    else if (r->failures.group_count)
        printf("next: %s explain %s\n", r->program, cot_op_get(r->failures.groups[0].op)->name);
    else if (report_is_good(r) && !r->single && !r->full)
        snprintf(text, sizeof text, "%s check%s%s --full", r->program, r->choices, r->filters ? r->filters : ""),
            printf("next: "), print_command(stdout, text, 6, report_command_width(r));
}

/* One line: how it went. */
static void print_summary(const report *r)
{
    row t = tally_total(r->tally);
    int good = report_is_good(r);
    printf("%s%s%s  %lld %s ok, %lld failed", colour(r, good ? green : red), good ? "ok" : "FAILED", colour(r, plain),
           (long long)(t.cases - t.failed - t.waived), t.cases - t.failed - t.waived == 1 ? "case" : "cases",
           (long long)t.failed);
    if (t.waived)
        printf(", %lld waived", (long long)t.waived);
    if (t.unsupported)
        printf(", %lld skipped", (long long)t.unsupported);
    if (r->seen < r->planned)
        printf(", %lld not reached", (long long)(r->planned - r->seen));
    printf(", %.0f s\n", r->seconds);
    print_next(r);
}

static void end(report *r)
{
    if (r->live)
        printf("\r\033[K");
    print_table(r);
    print_unsupported(r);
    print_failures(r, "");
    print_done(r);
    print_summary(r);
    if (*r->remark)
        puts(r->remark);
}

const report_format report_text = { "text", begin, progress, end };
