/* Archives of plain files, in the ustar format that tar(1) reads, in memory alone: reading one writes nothing. */
#ifndef COT_TAR_H
#define COT_TAR_H

#include <stddef.h>
#include <stdio.h>

enum { TAR_NAME = 100 };

/* A name that an archive may hold: words of letters, digits, ".", "_" and "-" parted by single slashes, none of which
 * begins with a dot. */
int tar_name_is_sound(const char *name);

int tar_add(FILE *to, const char *name, const char *data, size_t size); /* 0, or -1: the name, or the writing */
int tar_end(FILE *to);

/* Visits the files in their order; a visit that returns other than 0 ends it. NULL, or what is wrong with the archive:
 * anything but plain files with sound names, whole and unchanged, is. */
typedef int tar_visit(void *self, const char *name, const char *data, size_t size);
const char *tar_read(const char *bytes, size_t size, tar_visit *visit, void *self);

#endif
