#include "backends.h"

cot_status suite_backend_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    return cot_backend_open(name, options, backend, error);
}
