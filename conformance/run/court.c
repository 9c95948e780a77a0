/* The court: the backends of a trial, opened by their names. */
#include "court.h"
#include "conformance/port/backends.h"

#include <stdio.h>
#include <string.h>

/* Options that must not change a bit, of backends that are known to have any: by how their names begin. */
// clang-format off
static const struct { const char *backend, *options[TWINS]; } indifferent[] = {
    { "ref", { "threads=1", "threads=3,isa=baseline" } },
    { "mutant:", { "threads=1", "threads=3,isa=baseline" } }, /* the reference, broken */
};
// clang-format on

static cot_status open_twins(court *seat, const char *name, const char *options, cot_error *error)
{
    cot_status status = COT_OK;
    for (size_t i = 0; i < sizeof indifferent / sizeof *indifferent; i++)
        for (int twin = 0;
             twin < TWINS && !strncmp(indifferent[i].backend, name, strlen(indifferent[i].backend)) && !status;
             twin++) {
            char all[256];
            snprintf(all, sizeof all, "%s%s%s", options ? options : "", options && *options ? "," : "",
                     indifferent[i].options[twin]);
            status = suite_backend_open(name, all, &seat->twins[twin], error);
        }
    return status;
}

cot_status court_open(court *seat, const char *name, const char *options, const char *against, level upto,
                      cot_error *error)
{
    *seat = (court){ .level = upto,
                     .bare = !strncmp(name, "cuda", 4), /* its software device checks accesses */
                     .reordered = against && !strncmp(against, "order:", 6) };
    cot_status status = suite_backend_open(name, options, &seat->backend, error);
    if (!status && suite_is_library(name) && cot_backend_about(seat->backend)->software) {
        seat->bare = 1;
        status = upto < LEVEL_D ? COT_OK : suite_library_open_shuffled(name, options, &seat->twins[0], error);
    }
    if (!status && upto >= LEVEL_D)
        status = open_twins(seat, name, options, error);
    if (!status && upto >= LEVEL_X && against && strcmp(against, name))
        status = suite_backend_open(against, NULL, &seat->against, error);
    if (status)
        court_close(seat);
    return status;
}

void court_close(court *seat)
{
    cot_backend_close(seat->backend);
    cot_backend_close(seat->against);
    for (int i = 0; i < TWINS; i++)
        cot_backend_close(seat->twins[i]);
    *seat = (court){ 0 };
}
