/* Counts the cases that a backend does not do, reason by reason. */
#include "undone.h"

#include <stdio.h>
#include <string.h>

void undone_why(const result *r, char why[UNDONE_SIZE])
{
    const char *words = *r->v.said.message ? r->v.said.message : "the backend does not do it";
    snprintf(why, UNDONE_SIZE, "%.*s", UNDONE_SIZE - 1, words);
    for (char *c = why; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

void undone_take(undone *u, const result *r) { undone_add(u, r, 1); }

void undone_add(undone *u, const result *r, int64_t count)
{
    char why[UNDONE_SIZE];
    int i = 0;
    undone_why(r, why);
    while (i < u->kinds && strcmp(u->at[i].why, why))
        i++;
    if (i == UNDONE_REASONS) {
        u->others += count;
        return;
    }
    if (i == u->kinds) {
        memcpy(u->at[i].why, why, sizeof why);
        u->at[i].first = r->c;
        u->at[i].number = r->number;
        u->kinds++;
    }
    u->at[i].count += count;
}
