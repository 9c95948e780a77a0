/* For a person: a line of progress, a table of op by type, the failures, and a line that says what to do next. */
#include "conformance/case/clock.h"
#include "conformance/case/generate.h"
#include "report.h"

#include <string.h>
#include <time.h>

enum { NAME_WIDTH = 13, CELL_WIDTH = 16, TABLE_WIDTH = NAME_WIDTH + ELEMENTS * CELL_WIDTH, GAP = 3 };

static const char red[] = "\033[1;31m", green[] = "\033[32m", faint[] = "\033[2m", plain[] = "\033[0m";

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

/* ---- the table ------------------------------------------------------------------------------- */

static int row_is_empty(const report *r, int op)
{
    int64_t cases = 0;
    for (int e = COT_F16; e <= COT_F64; e++)
        cases += tally_row(r->tally, op, (cot_element)e)->cases + tally_row(r->tally, op, (cot_element)e)->unsupported;
    return !cases;
}

static void print_square(const report *r, const row *t, int padded)
{
    char text[32] = "";
    const char *code = green;
    if (t->failed) {
        snprintf(text, sizeof text, "FAIL %s %lld", level_title((level)(t->reached + 1)), (long long)t->failed);
        code = red;
    } else if (t->cases) {
        snprintf(text, sizeof text, "%s %.*f%s", level_title((level)t->reached), t->worst > 0 ? 2 : 0, t->worst,
                 t->unsupported ? " *" : "");
    } else if (t->unsupported) {
        snprintf(text, sizeof text, "not done");
        code = faint;
    }
    printf("%s%-*s%s%s", colour(r, code), padded ? CELL_WIDTH - 1 : 0, text, colour(r, plain), padded ? " " : "");
}

static void print_row(const report *r, int op, int padded)
{
    printf("%-*s", NAME_WIDTH, cot_op_at((size_t)op)->name);
    for (int e = COT_F16; e <= COT_F64; e++)
        print_square(r, tally_row(r->tally, op, (cot_element)e), padded || e < COT_F64);
}

static void print_heading(int blocks)
{
    for (int b = 0; b < blocks; b++) {
        printf("%*s%-*s", b ? GAP : 0, "", NAME_WIDTH, "");
        for (int e = COT_F16; e <= COT_F64; e++)
            printf("%-*s", b < blocks - 1 || e < COT_F64 ? CELL_WIDTH : 0, cot_element_name((cot_element)e));
    }
    putchar('\n');
}

/* Two blocks side by side where there is room for them. */
static void print_table(const report *r)
{
    int ops[256], count = 0;
    for (int op = 0; cot_op_at((size_t)op) && count < 256; op++)
        if (!row_is_empty(r, op))
            ops[count++] = op;
    int blocks = count > 1 && r->width >= 2 * TABLE_WIDTH + GAP ? 2 : 1, height = (count + blocks - 1) / blocks;
    if (!count)
        return;
    print_heading(blocks);
    for (int i = 0; i < height; i++) {
        int beside = i + height < count;
        print_row(r, ops[i], beside);
        if (beside) {
            printf("%*s", GAP, "");
            print_row(r, ops[i + height], 0);
        }
        putchar('\n');
    }
    printf("%sa mark is the level reached (edges, bound, stable, invariant, bits), or the\nlowest that fails and its "
           "cases; the number the worst error / bound%s\n\n",
           colour(r, faint), colour(r, plain));
}

/* ---- the end --------------------------------------------------------------------------------- */

/* In its own words. */
static void print_undone(const undone *u)
{
    for (int i = 0; i < u->kinds; i++) {
        char id[CASE_ID_SIZE];
        case_print(&u->at[i].first, id);
        printf("  %lld: %s, as %s\n", (long long)u->at[i].count, u->at[i].why, id);
    }
    if (u->others)
        printf("  %lld for other reasons\n", (long long)u->others);
}

static void print_unsupported(const report *r)
{
    int64_t cases = tally_total(r->tally).unsupported;
    if (!cases)
        return;
    printf("not done by the backend: %lld cases, all or (*) some of\n", (long long)cases);
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
    puts("because");
    print_undone(&r->undone);
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

static void print_done(const report *r)
{
    row t = tally_total(r->tally);
    coverage c = tally_coverage(r->tally);
    char cells[16], edges[16], bits[16], unjudged[512];
    printf("%s cells judged: %s edges, %s bit for bit; worst error / bound %.2f\n",
           in_short(t.cells - t.unjudged_cells, cells), in_short(t.edge_cells, edges), in_short(t.bit_cells, bits),
           t.worst);
    describe_unjudged(&t, unjudged, sizeof unjudged);
    if (*unjudged)
        printf("%s\n", unjudged);
    print_grades(r);
    printf("%lld of %lld combinations of op, type, generator and layout judged", (long long)c.judged,
           (long long)c.promised);
    printf(c.unsupported ? ", %lld not done\n" : "\n", (long long)c.unsupported);
    c = tally_shapes(r->tally);
    printf("%lld of %lld combinations of op, type and kind of shape judged", (long long)c.judged,
           (long long)c.promised);
    printf(c.unsupported ? ", %lld not done\n" : "\n", (long long)c.unsupported);
}

static void print_next(const report *r)
{
    if (r->failures.group_count)
        printf("; next: %s explain %s", r->program, cot_op_get(r->failures.groups[0].op)->name);
    else if (report_is_good(r) && !r->single && !r->full)
        printf("; next: %s check%s --full", r->program, r->choices);
    putchar('\n');
}

/* One line: how it went, and what to do about it. */
static void print_summary(const report *r)
{
    row t = tally_total(r->tally);
    int good = report_is_good(r);
    printf("%s%s%s  %lld cases passed, %lld failed", colour(r, good ? green : red), good ? "PASS" : "FAIL",
           colour(r, plain), (long long)(t.cases - t.failed - t.waived), (long long)t.failed);
    if (t.waived)
        printf(", %lld waived", (long long)t.waived);
    if (t.unsupported)
        printf(", %lld not done", (long long)t.unsupported);
    if (r->seen < r->planned)
        printf(", %lld not reached", (long long)(r->planned - r->seen));
    printf(", %.0f s", r->seconds);
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
