/* The software device's own functions, for tests: found in the driver that the backend has loaded. */
#ifndef COT_TEST_CUDA_DEVICE_H
#define COT_TEST_CUDA_DEVICE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "softgpu/softgpu.h"
#include "tap.h"

typedef struct device_functions {
    void (*set_checks)(uint32_t);
    size_t (*report_count)(void);
    int (*get_report)(size_t, softgpuReport *);
    void (*clear_reports)(void);
    void (*set_seed)(uint64_t);
    void (*inject)(int kind, uint64_t nth);
    void (*reset_counters)(void);
    void (*get_counters)(softgpuCounters *);
} device_functions;

static inline bool find_symbol(void *library, const char *name, void *slot)
{
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(slot, &found, sizeof found);
    return found != NULL;
}

static inline bool find_device(device_functions *d)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return find_symbol(library, "softgpuSetChecks", &d->set_checks) && find_symbol(library, "softgpuReportCount", &d->report_count)
        && find_symbol(library, "softgpuGetReport", &d->get_report) && find_symbol(library, "softgpuClearReports", &d->clear_reports)
        && find_symbol(library, "softgpuSetSeed", &d->set_seed) && find_symbol(library, "softgpuFail", &d->inject)
        && find_symbol(library, "softgpuResetCounters", &d->reset_counters) && find_symbol(library, "softgpuGetCounters", &d->get_counters);
}

/* Prints the first reports and forgets them all; how many there were. */
static inline size_t take_reports(const device_functions *d)
{
    softgpuReport r;
    size_t count = d->report_count();
    for (size_t i = 0; i < count && i < 3 && !d->get_report(i, &r); i++)
        diag("%s", r.text);
    d->clear_reports();
    return count;
}

#endif
