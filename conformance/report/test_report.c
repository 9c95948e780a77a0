/* Text, TAP, JSON and JUnit, word for word, for fixed results: two pass, one with a sum that is graded, one fails, one
 * is not done. */
#include "conformance/tap/tap.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 1 << 14 };

/* ---- three results --------------------------------------------------------------------------- */

static result result_of(const char *id, cot_status status)
{
    char why[CASE_ID_SIZE];
    result r = { .status = status };
    if (case_parse(id, &r.c, why))
        BAIL_OUT("%s: %s", id, why);
    return r;
}

static result good(void)
{
    result r = result_of("sum/f32/3/0/contig/uniform/1", COT_OK);
    r.v = (verdict){ .reached = LEVEL_X,
                     .cells = 3,
                     .edge_cells = 1,
                     .bit_cells = 2,
                     .guard_bytes = 280,
                     .statuses = 4,
                     .worst = 0.25 };
    return r;
}

static result bad(void)
{
    result r = result_of("max/f16/2x3/1/contig/ties/7", COT_OK);
    r.v = (verdict){ .failed = 1, .failed_at = LEVEL_E, .cells = 6, .edge_cells = 5, .nan_cells = 2, .statuses = 1 };
    r.v.reason = REASON_EDGE;
    strcpy(r.v.clause, "MAX-TIE");
    r.v.operand = COT_DX, r.v.element = COT_F16;
    r.v.rank = 2, r.v.index[0] = 1, r.v.index[1] = 2;
    r.v.got = 0.5, r.v.want = 1;
    r.v.has_inputs = 1u << COT_DY, r.v.inputs[COT_DY] = 1;
    r.v.pattern = (pattern){ .kind = PATTERN_ALL, .outputs = 1, .wrong = 6, .cells = 6, .first = 0, .last = 5 };
    r.v.pattern.map[0] = 0x3f, r.v.pattern.mapped = 1u << COT_DX;
    return r;
}

/* Its error is that of a sum one after the other. */
static result graded(void)
{
    result r = result_of("cumsum/f32/4/0/contig/constant/1", COT_OK);
    r.v = (verdict){ .reached = LEVEL_D, .cells = 4, .statuses = 1, .worst = 0.5, .graded_cells = 4 };
    r.v.graded[GRADE_PAIRWISE] = 9, r.v.graded[GRADE_SPEC] = 3, r.v.graded[GRADE_SEQUENTIAL] = 1;
    return r;
}

static result not_done(void)
{
    result r = result_of("pow/f64/4/-/contig/uniform/2", COT_UNSUPPORTED);
    strcpy(r.v.said.message, "there is no \"pow\" here");
    return r;
}

/* ---- what a format makes of them ------------------------------------------------------------- */

static int width = 80, live;
static const char *choices = " --backend ./\"mine\".so";

static void tell(const report_format *how, const char *ended, const char *remark)
{
    const result results[] = { good(), bad(), not_done(), graded() };
    const int count = sizeof results / sizeof *results;
    report r = { .program = "cotangent",
                 .choices = choices,
                 .filters = " --op max",
                 .live = live,
                 .width = width,
                 .backend = "./\"mine\".so",
                 .level = "X",
                 .version = "1.2.3",
                 .spec = "0123456789abcdef",
                 .device = "a device",
                 .device_option = "first",
                 .environment = "a system, 2 processors",
                 .selection = "{ \"op\": \"max\" }",
                 .shard = 1,
                 .shards = 1,
                 .planned = count,
                 .seen = count,
                 .ended = ended,
                 .remark = remark };
    if (!(r.tally = tally_new()))
        BAIL_OUT("no memory");
    for (int i = 0; i < count; i++)
        tally_promise(r.tally, &results[i].c);
    how->begin(&r);
    for (int i = 0; i < count; i++) {
        result one = results[i];
        one.number = i;
        tally_take(r.tally, &one);
        if (one.v.failed)
            failures_take(&r.failures, &one);
        else if (one.status)
            undone_take(&r.undone, &one);
        how->one(&r, &one);
    }
    how->end(&r);
    tally_free(r.tally);
    failures_free(&r.failures);
}

/* What goes to standard output meanwhile. */
static const char *told(const report_format *how, const char *ended, const char *remark)
{
    static char text[TEXT_SIZE];
    FILE *file = tmpfile();
    fflush(stdout);
    int screen = dup(STDOUT_FILENO);
    if (!file || screen < 0 || dup2(fileno(file), STDOUT_FILENO) < 0)
        BAIL_OUT("standard output cannot be taken");
    tell(how, ended, remark);
    fflush(stdout);
    dup2(screen, STDOUT_FILENO);
    close(screen);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* ---- the texts ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const report_format *how;
    const char *ended, *remark;
} texts[] = {
    { "finished.tap", &report_tap, "", "" },   { "ended.tap", &report_tap, "stopped <early>", "no silicon" },
    { "finished.json", &report_json, "", "" }, { "ended.json", &report_json, "stopped <early>", "no silicon" },
    { "finished.txt", &report_text, "", "" },  { "ended.txt", &report_text, "stopped <early>", "no silicon" },
    { "finished.xml", &report_junit, "", "" }, { "ended.xml", &report_junit, "stopped <early>", "no silicon" },
};

static const char *kept(const char *name)
{
    static char text[TEXT_SIZE];
    const char *top = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/conformance/report/golden/%s", top ? top : ".", name);
    FILE *file = fopen(path, "r");
    if (!file)
        BAIL_OUT("%s cannot be read", path);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* The first line that differs is what a reader wants to see. */
static void same_text(const char *got, const char *want, const char *name)
{
    int line = 1;
    while (*got && *got == *want) {
        line += *got == '\n';
        got++, want++;
    }
    if (!ok(*got == *want, "%s, to the letter", name))
        diag("line %d goes on with \"%.*s\", want \"%.*s\"", line, (int)strcspn(got, "\n"), got,
             (int)strcspn(want, "\n"), want);
}

/* On a terminal that is too narrow for the command its case has a line of its own, whatever the other options say. */
static void test_narrow(void)
{
    live = 1, width = 60, choices = " --backend './a --case b.so'";
    const char *text = told(&report_text, "", "");
    ok(strstr(text, "  repeat: cotangent check --backend './a --case b.so' \\\n"
                    "    --case max/f16/2x3/1/contig/ties/7\n")
           != NULL,
       "a command is broken before its case and nowhere else");
}

/* With a name of golden/ as its argument it prints that text instead, to be kept. */
int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(argv[1], texts[i].name))
            return fputs(told(texts[i].how, texts[i].ended, texts[i].remark), stdout) < 0;
    plan(NO_PLAN);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        same_text(told(texts[i].how, texts[i].ended, texts[i].remark), kept(texts[i].name), texts[i].name);
    test_narrow();
    return done_testing();
}
