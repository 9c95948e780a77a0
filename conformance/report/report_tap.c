/* TAP 13: a line per case, which carries its checks; a last line for the coverage. */
#include "report.h"

static void begin(report *r)
{
    r->format.lines = 0;
    puts("TAP version 13");
}

static void explain(const report *r, const result *one)
{
    char repeat[1024], why[WHY_SIZE];
    describe_repeat(r, &one->c, repeat, sizeof repeat);
    describe_why(&one->v, why);
    printf("  ---\n  level: %s\n  clause: %s\n  why: ", level_name(one->v.failed_at),
           *one->v.clause ? one->v.clause : "none");
    print_json_string(stdout, why);
    printf("\n  repeat: ");
    print_json_string(stdout, repeat);
    puts("\n  detail: |");
    print_one_failure(stdout, r, "  ", &one->v);
    puts("  ...");
}

static void one_line(report *r, const result *one)
{
    const verdict *v = &one->v;
    char id[CASE_ID_SIZE], why[UNDONE_SIZE];
    case_print(&one->c, id);
    undone_why(one, why);
    if (one->status == COT_UNSUPPORTED && !v->failed) {
        printf("ok %lld - %s # SKIP %s\n", (long long)++r->format.lines, id, why);
        return;
    }
    printf("%s %lld - %s cells=%lld edges=%lld nan=%lld bits=%lld unjudged=%lld statuses=%lld guard=%lld level=%s "
           "err/bound=%.3g%s\n",
           v->failed ? "not ok" : "ok", (long long)++r->format.lines, id, (long long)v->cells, (long long)v->edge_cells,
           (long long)v->nan_cells, (long long)v->bit_cells, (long long)v->unjudged_cells, (long long)v->statuses,
           (long long)v->guard_bytes, level_name(v->failed ? v->failed_at : v->reached), v->worst,
           one->waived ? " # TODO waived" : "");
    if (v->failed)
        explain(r, one);
}

static void end(report *r)
{
    coverage c = tally_coverage(r->tally), shapes = tally_shapes(r->tally);
    row total = tally_total(r->tally);
    char unjudged[512], grades[2048];
    print_failures(r, "# ");
    if (!*r->ended)
        printf("%s %lld - coverage: %lld of %lld combinations of op, type, generator and layout judged, %lld skipped; "
               "%lld of %lld of op, type and shape, %lld skipped\n",
               tally_gaps(r->tally) ? "not ok" : "ok", (long long)++r->format.lines, (long long)c.judged,
               (long long)c.promised, (long long)c.unsupported, (long long)shapes.judged, (long long)shapes.promised,
               (long long)shapes.unsupported);
    if (r->waivers && !*r->ended)
        printf("%s %lld - waivers: all %d hold and are needed\n",
               waivers_faults(r->waivers, r->whole) ? "not ok" : "ok", (long long)++r->format.lines, r->waivers->count);
    if (*r->ended) /* a plan of what was reached would make a harness content */
        printf("Bail out! %s\n", r->ended);
    else
        printf("1..%lld\n", (long long)r->format.lines);
    describe_unjudged(&total, unjudged, sizeof unjudged);
    printf("# %lld cases, %lld failed, %lld skipped; %lld cells judged, %lld edges, %lld bit for bit; "
           "worst "
           "err/bound %.3g\n",
           (long long)total.cases, (long long)total.failed, (long long)total.unsupported,
           (long long)(total.cells - total.unjudged_cells), (long long)total.edge_cells, (long long)total.bit_cells,
           total.worst);
    if (*unjudged)
        printf("# %s\n", unjudged);
    describe_grades(r->tally, grades, sizeof grades);
    if (*grades)
        printf("# %s\n", grades);
    if (*r->remark)
        printf("# %s\n", r->remark);
}

const report_format report_tap = { "tap", begin, one_line, end };
