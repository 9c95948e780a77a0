/* Reads waivers, finds the one that a failure has, and those that should go. */
#include "waivers.h"
#include "conformance/clause/clauses.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- a line ---------------------------------------------------------------------------------- */

static int is_date(const char *text)
{
    int year, month, day, length = 0;
    return sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &length) == 3 && length == 10 && !text[10] && month >= 1
           && month <= 12 && day >= 1 && day <= 31;
}

/* What is wrong with a line, or NULL. */
static const char *read_line(const char *text, waiver *one)
{
    int behind = 0;
    if (sscanf(text, "%255s %31s %10s %n", one->glob, one->clause, one->until, &behind) != 3 || !behind)
        return "expected CASE-GLOB CLAUSE UNTIL REASON, as in max/f16/* MAX-TIE 2027-01-31 the old kernel splits ties";
    snprintf(one->reason, sizeof one->reason, "%.*s", (int)strcspn(text + behind, "\r\n"), text + behind);
    if (strcmp(one->clause, "*") && !clause_find(one->clause))
        return "there is no such clause (cotangent spec lists them; * stands for any)";
    if (!is_date(one->until))
        return "the last day that it holds is a date, as 2027-01-31";
    return *one->reason ? NULL : "a waiver needs a reason";
}

static int add(waivers *w, const waiver *one)
{
    waiver *more = realloc(w->at, (size_t)(w->count + 1) * sizeof *more);
    if (!more)
        return -1;
    w->at = more;
    w->at[w->count++] = *one;
    return 0;
}

static int read_all_lines(FILE *file, const char *path, waivers *w, char error[WAIVER_ERROR_SIZE])
{
    char text[1024];
    for (int number = 1; fgets(text, sizeof text, file); number++) {
        waiver one = { .line = number };
        const char *start = text + strspn(text, " \t\r\n");
        if (!*start || *start == '#')
            continue;
        const char *wrong = read_line(start, &one);
        if (!wrong && add(w, &one))
            wrong = "out of memory";
        if (wrong)
            return snprintf(error, WAIVER_ERROR_SIZE, "%s, line %d: %s", path, number, wrong), -1;
    }
    return ferror(file) ? (snprintf(error, WAIVER_ERROR_SIZE, "%s: %s", path, strerror(errno)), -1) : 0;
}

int waivers_read_from(FILE *file, const char *name, waivers *w, char error[WAIVER_ERROR_SIZE])
{
    char today[11];
    time_t now = time(NULL);
    strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
    *w = (waivers){ 0 };
    int status = read_all_lines(file, name, w, error);
    for (int i = 0; i < w->count; i++)
        w->at[i].expired = strcmp(today, w->at[i].until) > 0;
    return status;
}

int waivers_read(const char *path, waivers *w, char error[WAIVER_ERROR_SIZE])
{
    FILE *file = fopen(path, "r");
    *w = (waivers){ 0 };
    if (!file)
        return snprintf(error, WAIVER_ERROR_SIZE, "%s: %s", path, strerror(errno)), -1;
    int status = waivers_read_from(file, path, w, error);
    fclose(file);
    return status;
}

void waivers_free(waivers *w)
{
    free(w->at);
    *w = (waivers){ 0 };
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int is_about(const waiver *one, const verdict *v)
{
    return v->failed && (!strcmp(one->clause, "*") || !strcmp(one->clause, v->clause));
}

const waiver *waivers_find(waivers *w, const result *r)
{
    const waiver *found = NULL;
    char id[CASE_ID_SIZE];
    case_print(&r->c, id);
    for (int i = 0; i < w->count; i++) {
        waiver *one = &w->at[i];
        if (fnmatch(one->glob, id, 0))
            continue;
        one->named++;
        if (!found && is_about(one, &r->v) && !one->expired) {
            one->used++;
            found = one;
        }
    }
    return found;
}

waiver_fault waiver_fault_of(const waiver *one, int whole)
{
    if (one->expired)
        return WAIVER_EXPIRED;
    return !one->used && (one->named || whole) ? WAIVER_UNUSED : WAIVER_HOLDS;
}

int waivers_faults(const waivers *w, int whole)
{
    int faults = 0;
    for (int i = 0; i < w->count; i++)
        faults += waiver_fault_of(&w->at[i], whole) != WAIVER_HOLDS;
    return faults;
}
