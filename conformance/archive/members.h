/* The files of a submission, in memory. */
#ifndef COT_MEMBERS_H
#define COT_MEMBERS_H

#include "tar.h"

#include <stdint.h>

enum { MEMBERS = 4096, MANIFEST_LINE = 160 };

typedef struct member {
    char name[TAR_NAME];
    char *data; /* with a zero byte behind it */
    size_t size;
} member;

typedef struct members {
    int count;
    member at[MEMBERS];
} members;

/* A copy of the data; 0, or -1 where the name is there already or not sound, or there is no room. */
int member_add(members *m, const char *name, const char *data, size_t size);
const member *member_find(const members *m, const char *name);
void members_free(members *m);

/* A file's bytes, with a zero byte behind them; NULL, and errno. */
char *read_whole(const char *path, size_t *size);

/* "MANIFEST": a line for every other file, with its size and digest. 0, or -1: out of memory, or not as it should be,
 * and *wrong names a file. */
int manifest_make(members *m);
int manifest_check(const members *m, const char **wrong);

#endif
