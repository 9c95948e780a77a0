/* The software device's checkers, found in the driver that a backend has loaded. */
#include "device_checks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int device_function(const char *symbol, void *slot)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *found = library ? dlsym(library, symbol) : NULL;
    memcpy(slot, &found, sizeof found);
    return found != NULL;
}

int device_checks_find(device_checks *device)
{
    return device_function("softgpuSetChecks", &device->set) && device_function("softgpuReportCount", &device->count)
           && device_function("softgpuGetReport", &device->get)
           && device_function("softgpuClearReports", &device->clear)
           && device_function("softgpuSetSeed", &device->order);
}

void device_checks_start(const device_checks *device, int claims_bits)
{
    uint32_t none = SOFTGPU_LEAKCHECK | (claims_bits ? 0u : SOFTGPU_LINT); /* a context outlives a case */
    device->set(SOFTGPU_ALL_CHECKS & ~none);
}

int device_checks_on(device_checks *device, cot_backend *backend)
{
    int found = cot_backend_about(backend)->software && device_checks_find(device);
    if (found)
        device_checks_start(device, 1);
    return found;
}

static const char *clause_of(uint32_t check) { return check == SOFTGPU_MEMCHECK ? "LAYOUT-ONLY-CELLS" : "DETERMINISM"; }

enum { REPORTED = 0x53470000 }; /* no driver's own code; the check is in its lower bits */
static const char served[] = "the software device reports: ";

int device_checks_report(const device_checks *device, char *message, size_t bytes)
{
    softgpuReport report;
    if (device->count() == 0 || device->get(0, &report))
        return 0;
    snprintf(message, bytes, "%s%s", served, report.text);
    device->clear();
    return REPORTED | (int)report.check;
}

void device_checks_served(verdict *v)
{
    verdict as_ours = { .cells = v->cells };
    if (v->reason != REASON_FAILED_CALL || (v->said.native & ~0xffff) != REPORTED
        || strncmp(v->said.message, served, strlen(served)) != 0)
        return;
    verdict_fail(&as_ours, REASON_DEVICE_REPORT, clause_of((uint32_t)v->said.native & 0xffff));
    snprintf(as_ours.device, sizeof as_ours.device, "%s", v->said.message + strlen(served));
    *v = as_ours;
}

void device_checks_judge(const device_checks *device, verdict *v)
{
    softgpuReport report;
    if (device->count() == 0 || device->get(0, &report))
        return;
    if (verdict_fail(v, REASON_DEVICE_REPORT, clause_of(report.check)))
        snprintf(v->device, sizeof v->device, "%s", report.text);
    device->clear();
}
