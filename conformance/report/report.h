/* A run, told to a person or to a program. */
#ifndef COT_REPORT_H
#define COT_REPORT_H

#include "conformance/describe/describe.h"
#include "conformance/run/failures.h"
#include "conformance/run/tally.h"
#include "conformance/run/undone.h"
#include "conformance/run/waivers.h"

#include <stdio.h>

typedef struct report {
    FILE *to;            /* NULL: stdout. Of JSON only */
    const char *program; /* as it was called, for the commands that it prints */
    const char *choices; /* options that choose the backend and the level: " --backend ./mine.so" */
    const char *filters; /* options that choose cases: " --op max --dtype f32"; NULL or "" for all */
    const char *backend;
    const char *device_option;                         /* which of its devices was asked for; NULL: none */
    const char *against;                               /* NULL: truth alone */
    const char *level;                                 /* "X", or "claimed" */
    const char *version, *spec, *device, *environment; /* of what was run, and where */
    const char *selection;                             /* what chose the cases, as a JSON object */
    int full, single;                                  /* the full range; a single case */
    uint64_t seed;
    int shard, shards; /* 1/1: all */
    int64_t planned;   /* cases */
    int64_t seen;      /* of them */
    tally *tally;
    failures failures;
    undone undone;          /* what the backend does not do */
    const waivers *waivers; /* NULL: none were given */
    int whole;              /* every case of the range is run */
    const char *ended;      /* why not all were judged; "" where they were */
    const char *remark;     /* what the last line must say; "" for nothing */
    char trouble[256];      /* why the report cannot be made; "" where it can */
    double seconds;
    double patience;         /* that the search for smaller cases may take */
    int live, colour, width; /* the terminal: a progress line, colours, columns */
    struct {
        int64_t lines;       /* of TAP so far */
        FILE *cases;         /* JUnit's, which wait for its heading */
        double began, shown; /* the first line of progress, and the last one: seconds */
    } format;                /* what a format keeps from begin to end */
} report;

/* begin, then one for each result in their order, then end. The tally and the failures have a result before it is told.
 */
typedef struct report_format {
    const char *name;
    void (*begin)(report *r);
    void (*one)(report *r, const result *one);
    void (*end)(report *r);
} report_format;

extern const report_format report_text, report_tap, report_json, report_junit;

enum { CAUSES_IN_FULL = 5 };

int report_is_good(const report *r); /* something was judged, all of it, nothing failed, no hole */

/* ---- what formats share ---------------------------------------------------------------------- */

void describe_repeat(const report *r, const test_case *c, char *text, size_t size); /* the command */
int report_command_width(const report *r); /* that a command may have; only a terminal sets one */

/* "3.2 % not judged: 40 an intermediate leaves the normal range", of all cells; "" where all were. */
void describe_unjudged(const row *t, char *text, size_t size);

/* "sums as good as: pairwise 3 (...)": how many ops and types have each grade, and which have a poor one; "" where
 * nothing was graded. */
void describe_grades(const tally *t, char *text, size_t size);

/* One failure: the clause, where the wrong cells lie, the first of them with what it was made of; every line begins
 * with the prefix. */
void print_one_failure(FILE *to, const report *r, const char *prefix, const verdict *v);

/* A failure in its smallest case, and what it is right for: "differs from the spec in 4 of 10 cells; right for PyTorch
 * and JAX (ties=split)", with the case where that is not the first; "" where it is not known. */
enum { RIGHT_FOR_SIZE = 16 + HEADLINE_SIZE + CASE_ID_SIZE };
void print_least(FILE *to, const report *r, const char *prefix, const group *g);
void describe_right_for(const group *g, char text[RIGHT_FOR_SIZE]);

/* Failures by their causes: the first in full, then counts of the others, then holes; every line begins with the
 * prefix. */
void print_failures(const report *r, const char *prefix);

/* Ops by element types, for a person. */
void print_table(const report *r);

/* Writes what `format` says with what XML or JSON need escaped. */
void print_json_string(FILE *to, const char *text);
void print_xml_string(FILE *to, const char *text);

/* Keys of a JSON object, after others: the first wrong cell, where there is one, and the pattern of all. */
void print_json_cell(FILE *to, const verdict *v);
void print_json_pattern(FILE *to, const pattern *p);

#endif
