/* The software device's own functions, for tests: found in the driver that the backend has loaded. */
#ifndef COT_TEST_CUDA_DEVICE_H
#define COT_TEST_CUDA_DEVICE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cotangent.h"
#include "softgpu/softgpu.h"
#include "conformance/tap/tap.h"

typedef struct device_functions {
    void (*set_checks)(uint32_t);
    size_t (*report_count)(void);
    int (*get_report)(size_t, softgpuReport *);
    void (*clear_reports)(void);
    void (*set_seed)(uint64_t);
    void (*inject)(int kind, uint64_t nth);
    void (*reset_counters)(void);
    void (*get_counters)(softgpuCounters *);
    size_t (*launch_count)(void);
    int (*get_launch)(size_t, const char **, softgpuCounters *);
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
    return find_symbol(library, "softgpuSetChecks", &d->set_checks)
           && find_symbol(library, "softgpuReportCount", &d->report_count)
           && find_symbol(library, "softgpuGetReport", &d->get_report)
           && find_symbol(library, "softgpuClearReports", &d->clear_reports)
           && find_symbol(library, "softgpuSetSeed", &d->set_seed) && find_symbol(library, "softgpuFail", &d->inject)
           && find_symbol(library, "softgpuResetCounters", &d->reset_counters)
           && find_symbol(library, "softgpuGetCounters", &d->get_counters)
           && find_symbol(library, "softgpuLaunchCount", &d->launch_count)
           && find_symbol(library, "softgpuGetLaunch", &d->get_launch);
}

/* The strategies that ran: the last word of each kernel's name, once each. */
enum { STRATEGIES = 24 };
typedef struct strategies {
    char name[STRATEGIES][24];
    int count;
} strategies;

static inline bool has_run(const strategies *s, const char *name)
{
    for (int i = 0; i < s->count; i++)
        if (!strcmp(s->name[i], name))
            return true;
    return false;
}

/* Adds the launches since the last call; the device counts with SOFTGPU_COUNTERS among its checks. */
static inline void take_launches(const device_functions *d, strategies *s)
{
    const char *kernel;
    softgpuCounters counters;
    for (size_t i = 0; i < d->launch_count() && !d->get_launch(i, &kernel, &counters); i++) {
        const char *last = strrchr(kernel, '_');
        if (last && s->count < STRATEGIES && !has_run(s, last + 1))
            snprintf(s->name[s->count++], sizeof *s->name, "%s", last + 1);
    }
    d->reset_counters();
}

/* Have all of these run, up to the first NULL, and nothing else? Says what is missing or should not be there. */
static inline bool ran_exactly(const strategies *s, const char *const *names)
{
    int found = 0, wanted = 0;
    for (; names[wanted]; wanted++) {
        found += has_run(s, names[wanted]);
        if (!has_run(s, names[wanted]))
            diag("no kernel %s has run", names[wanted]);
    }
    for (int i = 0; i < s->count && found != s->count; i++)
        diag("%s has run", s->name[i]);
    return found == wanted && found == s->count;
}

/* The library looks for no device beside a program: a test names the build's own. */
static inline void name_device(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/softgpu/libcuda.so.1", getenv("builddir") ? getenv("builddir") : ".");
    setenv("COTANGENT_SOFTGPU", path, 0);
}

/* Opens the reference and the CUDA backend on the software device, with every check on and launches recorded. False:
 * the test is over. */
static inline bool open_backends(const char *options, cot_backend **ref, cot_backend **cuda, device_functions *device)
{
    cot_error error;
    name_device();
    if (cot_backend_open("cuda", options, cuda, &error) || cot_backend_open("ref", NULL, ref, &error)) {
        plan(SKIP_ALL, error.message);
        return false;
    }
    plan(NO_PLAN);
    if (!ok(find_device(device), "the software device is there"))
        return false;
    device->set_checks(SOFTGPU_ALL_CHECKS | SOFTGPU_COUNTERS);
    return true;
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
