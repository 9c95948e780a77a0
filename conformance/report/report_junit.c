/* JUnit's XML. Its heading has counts that are known at the end: cases wait in a temporary file. What a failure shrinks
 * to is known at the end as well: in its place the file has a mark and the number of its group. */
#include "report.h"
#include "conformance/case/told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MARK = 1 }; /* no byte of XML */

static void keep_trouble(report *r, int why)
{
    if (!*r->trouble)
        snprintf(r->trouble, sizeof r->trouble, "JUnit's cases cannot be kept in a temporary file: %s", strerror(why));
}

static void begin(report *r)
{
    r->format.cases = tmpfile();
    if (!r->format.cases)
        keep_trouble(r, errno);
}

/* Text that was printed into memory; without it a report would not be whole. */
static void print_told(report *r, FILE *to, FILE *told, char **text)
{
    if (told_end(told, text))
        keep_trouble(r, ENOMEM);
    else
        print_xml_string(to, *text);
    free(*text);
}

/* What a person reads on a terminal. */
static void print_body(report *r, const verdict *v)
{
    char *text = NULL;
    size_t size;
    FILE *told = open_memstream(&text, &size);
    if (told)
        print_one_failure(told, r, "", v);
    print_told(r, r->format.cases, told, &text);
}

static void print_failed(report *r, const result *one)
{
    char repeat[1024], why[WHY_SIZE];
    FILE *cases = r->format.cases;
    describe_repeat(r, &one->c, repeat, sizeof repeat);
    describe_why(&one->v, why);
    fprintf(cases, "\n      <failure type=\"%s\" message=\"", clause_or(&one->v));
    print_xml_string(cases, why);
    fputs("\">\n", cases);
    print_body(r, &one->v);
    if (r->failures.count)
        fprintf(cases, "%c%d\n", MARK, r->failures.all[r->failures.count - 1].group);
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
    if (ferror(cases))
        keep_trouble(r, errno);
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

/* What a failure of this kind is right for, and the smallest case found. */
static void print_found(report *r, const group *g)
{
    char *text = NULL, line[RIGHT_FOR_SIZE];
    size_t size;
    FILE *told = open_memstream(&text, &size);
    describe_right_for(g, line);
    if (told && *line)
        fprintf(told, "  %s\n", line);
    if (told)
        print_least(told, r, "", g);
    print_told(r, stdout, told, &text);
}

static int is_more(const group *g)
{
    char first[CASE_ID_SIZE], least[CASE_ID_SIZE];
    case_print(&g->first.c, first);
    case_print(&g->least.c, least);
    return *g->right_for || g->cut || strcmp(first, least);
}

static void print_cases(report *r)
{
    FILE *cases = r->format.cases;
    int c, number;
    rewind(cases);
    while ((c = getc(cases)) != EOF) {
        if (c != MARK)
            putchar(c);
        else if (fscanf(cases, "%d", &number) == 1 && getc(cases) != EOF && is_more(&r->failures.groups[number]))
            print_found(r, &r->failures.groups[number]);
    }
    if (ferror(cases))
        keep_trouble(r, errno);
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

static void print_all(report *r)
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
    print_cases(r);
    print_coverage(r);
    describe_unjudged(&t, unjudged, sizeof unjudged);
    describe_grades(r->tally, grades, sizeof grades);
    const char *const remarks[] = { unjudged, grades, r->remark };
    print_remarks(remarks, 3);
    puts("  </testsuite>\n</testsuites>");
}

/* Without all of its cases a report would be a false one. */
static void end(report *r)
{
    if (!r->format.cases)
        return;
    if (fflush(r->format.cases))
        keep_trouble(r, errno);
    if (!*r->trouble)
        print_all(r);
    fclose(r->format.cases);
}

const report_format report_junit = { "junit", begin, one_case, end };
