/* The command. */
#ifndef SG_CLI_H
#define SG_CLI_H

#include "api_proto.h"
#include "base.h"
#include "softgpu.h"

/* Options that every form of the command shares. */
typedef struct options {
    const char *check, *counters, *report;
    u64 seed;
    int threads;
} options;

bool take_option(options *o, const char *arg);      /* --check=, --counters=, ...; false where it is none of them */
char *slurp(const char *name);                      /* a whole file, NULL with a message where it cannot be read */
int cmd_run(options *o, int argc, char **argv);
int cmd_census(int argc, char **argv);

/* npy.c: arrays in NumPy's file format, version 1.0, C order */
typedef struct array { char type[8]; size_t size, count, shape[8]; int rank; u8 *data; } array;
bool npy_read(const char *name, array *a);
bool npy_write(const char *name, const array *a);
bool element_type(const char *name, char descr[8], size_t *size);      /* f32, i32, u8, ... */
void print_element(const array *a, size_t i);

#endif
