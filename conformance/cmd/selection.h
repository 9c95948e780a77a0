/* Which cases a command line asks for: the options that check and list share. */
#ifndef COT_SELECTION_H
#define COT_SELECTION_H

#include "conformance/case/cases.h"
#include "cli.h"

typedef struct selection {
    const char *dtype, *id, *part, *seed; /* as given, or NULL */
    int quick;
    case_range range;
    test_case single; /* where an id is given */
    int shard, shards;
} selection;

enum { SELECTION_OPTIONS = 7 };

int selection_options(selection *s, cli_option *rows); /* how many they are */
int selection_read(selection *s);                      /* 0, or an exit code, and everything has been said */

/* As cases_visit. */
int selection_visit(const selection *s, int (*visit)(void *self, const test_case *c), void *self);

#endif
