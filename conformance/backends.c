#include "backends.h"

#include <string.h>

cot_status suite_backend_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    return cot_backend_open(name, options, backend, error);
}

const char *const *suite_backend_twins(const char *name)
{
    static const char *const none[] = { NULL }, *const ref[] = { "threads=3,isa=baseline", NULL };
    return strcmp(name, "ref") ? none : ref;
}

void suite_backend_remark(const char *name, cot_backend *backend, char *text, size_t size)
{
    (void)name, (void)backend;
    if (size)
        *text = 0;
}
