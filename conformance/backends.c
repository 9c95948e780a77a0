#include "backends.h"
#include "mutant.h"

#include <string.h>

cot_status suite_backend_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    if (!strncmp(name, "mutant:", 7))
        return mutant_open(name + 7, options, backend, error);
    return cot_backend_open(name, options, backend, error);
}
