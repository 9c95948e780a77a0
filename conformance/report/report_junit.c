/* JUnit's XML. Its heading has counts that are known at the end: cases wait in a temporary file. */
#include "report.h"

#include <stdlib.h>

static void begin(report *r) { r->format.cases = tmpfile(); }

/* What a person reads on a terminal. */
static void print_body(const report *r, const verdict *v)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return;
    print_one_failure(to, r, "", v);
    if (!fclose(to))
        print_xml_string(r->format.cases, text);
    free(text);
}

static void print_failed(const report *r, const result *one)
{
    char repeat[1024], why[WHY_SIZE];
    FILE *cases = r->format.cases;
    describe_repeat(r, &one->c, repeat, sizeof repeat);
    describe_why(&one->v, why);
    fprintf(cases, "\n      <failure type=\"%s\" message=\"", clause_or(&one->v));
    print_xml_string(cases, why);
    fputs("\">\n", cases);
    print_body(r, &one->v);
    fputs("  repeat: ", cases);
    print_xml_string(cases, repeat);
    fputs("</failure>\n    ", cases);
}

static void print_skipped(FILE *cases, const char *why)
{
    fputs("<skipped message=\"", cases);
    print_xml_string(cases, why);
    fputs("\"/>", cases);
}

static void print_waived(FILE *cases, const verdict *v)
{
    char why[CLAUSE_SIZE + 16];
    snprintf(why, sizeof why, "waived: %s", clause_or(v));
    print_skipped(cases, why);
}

static void one_case(report *r, const result *one)
{
    char id[CASE_ID_SIZE], why[UNDONE_SIZE];
    FILE *cases = r->format.cases;
    if (!cases)
        return;
    case_print(&one->c, id);
    undone_why(one, why);
    fprintf(cases, "    <testcase classname=\"%s.%s\" name=\"%s\" time=\"%.3f\">", cot_op_get(one->c.desc.op)->name,
            cot_element_name(one->c.desc.element), id, one->seconds);
    if (one->waived)
        print_waived(cases, &one->v);
    else if (one->v.failed)
        print_failed(r, one);
    else if (one->status == COT_UNSUPPORTED)
        print_skipped(cases, why);
    fputs("</testcase>\n", cases);
}

static void print_coverage(const report *r)
{
    int64_t combinations = tally_coverage(r->tally).holes, shapes = tally_shapes(r->tally).holes;
    printf("    <testcase classname=\"suite\" name=\"coverage\">");
    if (*r->ended) {
        printf("<failure message=\"not finished: ");
        print_xml_string(stdout, r->ended);
        printf("\"/>");
    } else if (r->waivers && waivers_faults(r->waivers, r->whole)) {
        printf("<failure message=\"%d waivers have expired, or are needed no more\"/>",
               waivers_faults(r->waivers, r->whole));
    } else if (combinations || shapes) {
        printf(
            "<failure message=\"%lld combinations of op, type, generator and layout without a check, and %lld of op, "
            "type and shape\"/>",
            (long long)combinations, (long long)shapes);
    }
    puts("</testcase>");
}

static void print_cases(FILE *cases)
{
    int c;
    if (!cases)
        return;
    rewind(cases);
    while ((c = getc(cases)) != EOF)
        putchar(c);
    fclose(cases);
}

/* Those that are not "", a line each. */
static void print_remarks(const char *const *remarks, int count)
{
    int printed = 0;
    for (int i = 0; i < count; i++)
        if (*remarks[i]) {
            printf("%s", printed++ ? "\n" : "    <system-out>");
            print_xml_string(stdout, remarks[i]);
        }
    if (printed)
        puts("</system-out>");
}

static void end(report *r)
{
    row t = tally_total(r->tally);
    char unjudged[512], grades[2048];
    int more = *r->ended || tally_gaps(r->tally) > 0 || (r->waivers && waivers_faults(r->waivers, r->whole));
    long long tests = t.cases + t.unsupported + 1, failed = t.failed + more, skipped = t.unsupported + t.waived;
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%lld\" failures=\"%lld\" errors=\"0\" "
           "time=\"%.3f\">\n",
           tests, failed, r->seconds);
    printf("  <testsuite name=\"cotangent check: ");
    print_xml_string(stdout, r->backend);
    printf("\" tests=\"%lld\" failures=\"%lld\" errors=\"0\" skipped=\"%lld\" time=\"%.3f\">\n", tests, failed, skipped,
           r->seconds);
    print_cases(r->format.cases);
    print_coverage(r);
    describe_unjudged(&t, unjudged, sizeof unjudged);
    describe_grades(r->tally, grades, sizeof grades);
    const char *const remarks[] = { unjudged, grades, r->remark };
    print_remarks(remarks, 3);
    puts("  </testsuite>\n</testsuites>");
}

const report_format report_junit = { "junit", begin, one_case, end };
