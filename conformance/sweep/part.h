/* The file that a run writes its finished blocks to, and that no other run writes to. */
#ifndef COT_PART_H
#define COT_PART_H

#include "line.h"

typedef struct part {
    int fd;
    int number;   /* of the files of its directory that were there before */
    int64_t good; /* bytes of whole lines */
    uint64_t key;
    char path[4096];
} part;

/* Makes the directory where there is none, and a new file in it. 0, or an errno. */
int part_open(part *p, const char *directory, const char *heading);
int part_add(part *p, const block_result *r);
int part_close(part *p);

#endif
