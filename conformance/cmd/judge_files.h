/* Judging what stands in files: the operands of one problem, of a case that emit wrote, or of a directory of cases.
 * Each returns the exit code. */
#ifndef COT_JUDGE_FILES_H
#define COT_JUDGE_FILES_H

#include "conformance/judge/verdict.h"

#include <stdio.h>

typedef struct judging {
    double accepted;   /* the share of cells that may stay without a ruling */
    int json;          /* else text */
    const char *marks; /* JSON: the directory that gets a file of a byte for each cell; NULL: runs of cells instead */
    const char *convention, *policy; /* of a directory: in place of the case's convention, and on top; NULL: its own */
} judging;

/* Says the verdict, which is left in `v` too: text to `to`, JSON to stdout. */
int judge_and_say(const cot_desc *desc, const cot_view views[OPERANDS], FILE *to, const judging *how, verdict *v);

int judge_directory(const char *directory, const judging *how);

/* Not 0: it is no case, and directories in it are. */
int holds_cases(const char *directory);

/* All of them, and a summary: EXIT_FAILED where one is wrong, else EXIT_USAGE where one cannot be judged, else
 * EXIT_UNJUDGED where too many cells of one have no ruling. */
int judge_cases(const char *directory, const judging *how);

#endif
