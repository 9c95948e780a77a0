#include "backends.h"
#include "proxy.h"

#include <string.h>

/* A library runs in a child of ours: another copy of this very program, which loads it. */
static cot_status open_library(const char *path, const char *options, cot_backend **backend, cot_error *error)
{
    return proxy_open(path, (const char *const[]){ "/proc/self/exe", "serve", path, NULL }, options, backend, error);
}

static cot_status open_process(const char *command, const char *options, cot_backend **backend, cot_error *error)
{
    return proxy_open(command, (const char *const[]){ "/bin/sh", "-c", command, NULL }, options, backend, error);
}

cot_status suite_backend_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    if (!strncmp(name, "process:", 8))
        return open_process(name + 8, options, backend, error);
    if (strchr(name, '/'))
        return open_library(name, options, backend, error);
    return cot_backend_open(name, options, backend, error);
}
