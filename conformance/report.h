/* A run, told to a person or to a program. */
#ifndef COT_REPORT_H
#define COT_REPORT_H

#include "failures.h"
#include "tally.h"

#include <stdio.h>

typedef struct report {
    const char *program;  /* as it was called, for the commands that it prints */
    const char *choices;  /* options that choose the backend and the level: " --backend ./mine.so" */
    const char *backend;
    const char *against;  /* NULL: truth alone */
    const char *level;    /* "X", or "claimed" */
    int full, single;     /* the full range; a single case */
    uint64_t seed;
    int shard, shards;    /* 1/1: all */
    int64_t planned;      /* cases */
    int64_t seen;         /* of them */
    tally *tally;
    failures failures;
    const char *ended;    /* why not all were judged; "" where they were */
    const char *remark;   /* what the last line must say; "" for nothing */
    double seconds;
    int live, colour, width; /* the terminal: a progress line, colours, columns */
} report;

/* begin, then one for each result in their order, then end. The tally and the failures have a result before it is told. */
typedef struct report_format {
    const char *name;
    void (*begin)(report *r);
    void (*one)(report *r, const result *one);
    void (*end)(report *r);
} report_format;

extern const report_format report_text, report_tap, report_json, report_junit;

enum { GROUPS_IN_FULL = 5 };

int report_is_good(const report *r); /* something was judged, all of it, nothing failed, no hole */

/* ---- what formats share ---------------------------------------------------------------------------------------------- */

/* A number as a person, a program and a bit-twiddler read it: "0.5", "0x1p-1", "3f000000". */
typedef struct number_text {
    char decimal[32], hex[32], bits[20];
} number_text;
number_text describe_number(cot_element element, double number);

void describe_cell_place(const verdict *v, int rank, char *text, size_t size); /* "dx[0,3]" */
void describe_repeat(const report *r, const test_case *c, char *text, size_t size); /* the command */
void first_sentence(const char *text, char *sentence, size_t size);

/* Failures in full, then counts of the others, then holes; every line begins with the prefix. */
void print_failures(const report *r, const char *prefix);

/* Writes what `format` says with what XML or JSON need escaped. */
void print_json_string(FILE *to, const char *text);
void print_xml_string(FILE *to, const char *text);

#endif
