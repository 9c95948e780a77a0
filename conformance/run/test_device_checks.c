/* What the software device reports fails the case that ran. */
#include "conformance/port/backends.h"
#include "conformance/tap/tap.h"
#include "device_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t reports;

static size_t count_reports(void) { return reports; }
static void clear_reports(void) { reports = 0; }

static int get_report(size_t index, softgpuReport *to)
{
    *to = (softgpuReport){ .check = SOFTGPU_RACECHECK, .text = "a race" };
    return index >= reports;
}

static void test_device_reports(void)
{
    const device_checks device = { .count = count_reports, .get = get_report, .clear = clear_reports };
    verdict v = { .cells = 4 };
    device_checks_judge(&device, &v);
    ok(!v.failed, "a device without a report has nothing against a case");
    reports = 1;
    device_checks_judge(&device, &v);
    ok(v.failed && !strcmp(v.device, "a race") && v.reason == REASON_DEVICE_REPORT, "a report fails its case: %s",
       v.device);
    v = (verdict){ .cells = 4 };
    device_checks_judge(&device, &v);
    ok(!v.failed, "and not the next one");
}

static int has_cuda(void)
{
    for (size_t i = 0; cot_backend_builtin(i); i++)
        if (!strcmp(cot_backend_builtin(i), "cuda"))
            return 1;
    return 0;
}

/* The device's own checks: on, after they have been switched on. */
static void test_device_checks(void)
{
    cot_backend *backend = NULL;
    cot_error error;
    device_checks device;
    char path[1024];
    uint32_t (*checks)(void) = NULL;
    snprintf(path, sizeof path, "%s/softgpu/libcuda.so.1", getenv("builddir") ? getenv("builddir") : ".");
    setenv("COTANGENT_SOFTGPU", path, 0);
    skip(!has_cuda(), 3, "there is no backend cuda in this build");
    ok(!suite_backend_open("cuda", "device=soft", &backend, &error), "the software device opens");
    ok(backend && device_checks_on(&device, backend) && device_function("softgpuGetChecks", &checks),
       "its checks are switched on");
    cmp_ok(checks ? checks() : 0, "==", SOFTGPU_ALL_CHECKS & ~(uint32_t)SOFTGPU_LEAKCHECK, "all that judge a case are");
    cot_backend_close(backend);
    end_skip;
    suite_backend_open("ref", NULL, &backend, &error);
    ok(!device_checks_on(&device, backend), "the reference has no device to be checked");
    cot_backend_close(backend);
}

int main(void)
{
    plan(NO_PLAN);
    test_device_reports();
    test_device_checks();
    return done_testing();
}
