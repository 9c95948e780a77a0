/* The targets by their names, and bytes as text and as files. */
#define _GNU_SOURCE
#include "targets.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* It finds what it is shown: a test of those who look. */
static void fuzz_trap(const uint8_t *data, size_t size) { must(size < 4 || memcmp(data, "trap", 4)); }

static const struct {
    const char *name;
    fuzz_target *target;
} targets[] = {
    { "call", fuzz_call },       { "npy", fuzz_npy },       { "case", fuzz_case },
    { "vector", fuzz_vector },   { "result", fuzz_result }, { "waivers", fuzz_waivers },
    { "archive", fuzz_archive }, { "answer", fuzz_answer }, { "trap", fuzz_trap },
};

fuzz_target *fuzz_find(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(targets[i].name, name))
            return targets[i].target;
    return NULL;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        exit(0);
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[40];
    if (file < 0)
        file = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    must(!ftruncate(file, 0) && pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}
