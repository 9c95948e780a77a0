#include "device_checks.h"
#include "backends.h"
#include "verdict.h"

#include <dlfcn.h>
#include <string.h>

int device_function(const char *symbol, void *slot)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *found = library ? dlsym(library, symbol) : NULL;
    memcpy(slot, &found, sizeof found);
    return found != NULL;
}

int device_checks_on(device_checks *device, cot_backend *backend)
{
    char remark[64];
    suite_backend_remark(backend, remark, sizeof remark);
    int found = *remark && device_function("softgpuSetChecks", &device->set) && device_function("softgpuReportCount", &device->count)
        && device_function("softgpuGetReport", &device->get) && device_function("softgpuClearReports", &device->clear);
    if (found)
        device->set(SOFTGPU_ALL_CHECKS & ~(uint32_t)SOFTGPU_LEAKCHECK); /* a context outlives a case */
    return found;
}

void device_checks_judge(const device_checks *device, verdict *v)
{
    softgpuReport report;
    if (device->count() == 0 || device->get(0, &report))
        return;
    verdict_fail(v, LEVEL_E, report.check == SOFTGPU_MEMCHECK ? "LAYOUT-ONLY-CELLS" : "DETERMINISM", "the software device reports: %s", report.text);
    device->clear();
}
