/* Which cases a command line asks for: the options that check and list share. */
#ifndef COT_SELECTION_H
#define COT_SELECTION_H

#include "conformance/case/cases.h"
#include "cli.h"

#include <stdio.h>

typedef struct selection {
    const char *dtypes, *ids, *file, *part, *seed; /* as given, or NULL */
    const char *layouts, *generators, *clauses;    /* globs; NULL: all */
    const char *convention, *policy;               /* as given, or NULL */
    cot_policies under;                            /* what they say: every case is run under these policies */
    int quick;
    case_range range;
    test_case *named; /* the cases of --case and --cases, in their order */
    int64_t named_count;
    int shard, shards;
} selection;

enum { SELECTION_OPTIONS = 14 };

int selection_options(selection *s, cli_option *rows); /* how many they are */
int selection_read(selection *s);                      /* 0, or an exit code, and everything has been said */
void selection_free(selection *s);

/* What was given, but for the range, seed and part, as a JSON object. */
void selection_print(FILE *to, const selection *s);

/* Not 0: all cases of its ops and types, so that their coverage can be asked for. */
int selection_is_whole(const selection *s);

/* As cases_visit. */
int selection_visit(const selection *s, int (*visit)(void *self, const test_case *c), void *self);

#endif
