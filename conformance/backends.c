#include "backends.h"

cot_status suite_backend_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    return cot_backend_open(name, options, backend, error);
}

void suite_backend_remark(const char *name, cot_backend *backend, char *text, size_t size)
{
    (void)name, (void)backend;
    if (size)
        *text = 0;
}
