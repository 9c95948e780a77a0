/* The finished blocks of a sweep, from the files of one directory or of many. */
#ifndef COT_COLLECT_H
#define COT_COLLECT_H

#include "line.h"

#include <stdio.h>

enum { COLLECT_TEXT = 1400 };

typedef struct collect_file {
    char *path;
    int64_t taken; /* bytes: up to the end of the last whole line */
    int headed;
    uint64_t key; /* of its lines */
    char *device; /* that its blocks are of, until the first of them has told */
} collect_file;

typedef struct collection {
    char heading[HEADING_SIZE]; /* "" until a file has said it; where bits are claimed, with all devices of blocks */
    int64_t first, last;        /* blocks that are swept */
    block_result *block;        /* at [block - first]; cells is 0 where it is missing */
    collect_file *file;
    int files;
    int64_t twice;     /* blocks that are there again, with the same result; counted once */
    int64_t one_twice; /* one of them */
    char error[COLLECT_TEXT];
} collection;

/* All return 0, or -1 and say why in `error`: another sweep, a block with two results, a damaged line. */
int collect_begin(collection *c, const char *heading);
int collect_path(collection *c, const char *path); /* a directory's files, or a file; again: what is new in it */
int collect_stream(collection *c, const char *name, FILE *from); /* a file's text, wherever it lies */
void collect_free(collection *c);

int collect_has(const collection *c, int64_t block);

#endif
