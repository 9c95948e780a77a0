/* Bad days: every driver call of a whole run fails in turn, alone, and with every call after it. */
#include "test_device.h"
#include "fixture_driver.h"
#include "test_trial.h"

#include <stdio.h>
#include <stdlib.h>

static faulty_state *driver;

/* A whole life: open, select, memory in, run, wait, memory out, close. A result is compared with the reference's. */
static cot_status live(const trial *t, char *const expected[COT_DB + 1], cot_error *error, int64_t *different)
{
    cot_backend *backend;
    char *got[COT_DB + 1];
    *different = 0;
    cot_status status = cot_backend_open("cuda", "device=soft", &backend, error);
    if (status)
        return status;
    status = trial_run(t, backend, NULL, got, error);
    if (!status) {
        *different = trial_differences(t, expected, got);
        results_free(got);
    }
    cot_backend_close(backend);
    return status;
}

static void arm(int fail_at, int stays) { *driver = (faulty_state){ .fail_at = fail_at, .stays = stays }; }

/* What the call that failed alone leaves: giving back cannot be had where it is that call, or the one that makes it
 * possible. */
static bool is_clean(void)
{
    bool giving = driver->failed
                  && (strstr(driver->failed, "Free") || strstr(driver->failed, "Release")
                      || strstr(driver->failed, "Unload") || strstr(driver->failed, "CtxP"));
    return giving || (!driver->contexts && !driver->pushed && !driver->modules && !driver->allocations);
}

static bool tells(const cot_error *error)
{
    const char *name = driver->failed ? driver->failed : "";
    size_t length = strcspn(name, "_");
    char plain[64];
    snprintf(plain, sizeof plain, "%.*s", (int)length, name);
    return error->code == COT_INTERNAL && error->native == FAULTY_CODE
           && strstr(error->message, "CUDA_ERROR_ECC_UNCORRECTABLE") && strstr(error->message, plain);
}

/* Calls whose failure cannot be reported: they give something back. */
static bool is_silent(void)
{
    const char *const silent[] = { "cuMemFree_v2", "cuModuleUnload", "cuDevicePrimaryCtxRelease_v2",
                                   "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2" };
    for (int i = 0; i < 5 && driver->failed; i++)
        if (!strcmp(driver->failed, silent[i]))
            return true;
    return false;
}

static void test_each(const trial *t, char *const expected[COT_DB + 1], int calls)
{
    int bad = 0, reported = 0;
    for (int n = 1; n <= calls; n++) {
        cot_error error = { 0 };
        int64_t different;
        arm(n, 0);
        cot_status status = live(t, expected, &error, &different);
        bool good = (status ? tells(&error) : is_silent()) && is_clean() && !different;
        reported += status != COT_OK;
        if (!good)
            diag("call %d, %s: %s \"%s\", %lld cells differ, left: %d contexts, %d pushed, %d modules, %d allocations",
                 n, driver->failed, cot_status_name(status), error.message, (long long)different, driver->contexts,
                 driver->pushed, driver->modules, driver->allocations);
        bad += !good;
    }
    ok(!bad && reported > calls / 2,
       "each of %d calls failing alone: told with the driver's name, or harmless; nothing is left", calls);
}

static void test_lost(const trial *t, char *const expected[COT_DB + 1], int calls)
{
    int told = 0, fine = 0;
    for (int n = 1; n <= calls; n++) {
        cot_error error = { 0 };
        int64_t different;
        arm(n, 1);
        cot_status status = live(t, expected, &error, &different);
        told += status && tells(&error) && !different;
        fine += !status && !different;
    }
    cmp_ok(told + fine, "==", calls, "the device lost at each of %d calls: told, or too late to matter", calls);
    cmp_ok(told, ">", calls / 2, "most are told");
}

/* The outputs after a launch that failed: untouched, and the message says so. */
static void test_untouched(const trial *t, char *const expected[COT_DB + 1], int calls)
{
    cot_error error = { 0 };
    int64_t different;
    bool said = false;
    for (int n = 1; n <= calls && !said; n++) {
        arm(n, 0);
        live(t, expected, &error, &different);
        said = driver->failed && !strcmp(driver->failed, "cuLaunchKernel")
               && strstr(error.message, "the outputs are untouched") && !driver->launches;
    }
    ok(said, "a launch that fails: %s", error.message);
    arm(1, 0);
    driver->nameless = 1;
    live(t, expected, &error, &different);
    ok(strstr(error.message, "no name for") && error.native == FAULTY_CODE,
       "an error without a name keeps its number: %s", error.message);
}

int main(void)
{
    const char *builddir = getenv("builddir");
    char path[512], real[512];
    snprintf(path, sizeof path, "%s/backend_cuda/fixture_driver.so", builddir ? builddir : ".");
    snprintf(real, sizeof real, "%s/softgpu/libcuda.so.1", builddir ? builddir : ".");
    setenv("COTANGENT_SOFTGPU", path, 1);
    setenv("FAULTY_BEHIND", real, 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    faulty_state *(*get)(void);
    plan(NO_PLAN);
    if (!ok(find_symbol(library, "faulty", &get), "a driver that can fail"))
        return done_testing();
    driver = get();
    trial t = { .desc = { COT_SIZED(cot_desc), .op = COT_MAX, .element = COT_F32, .rank = 2, .shape = { 3, 50 },
                          .axis = 1 } };
    char *expected[COT_DB + 1];
    cot_backend *ref;
    cot_error error = { 0 };
    int64_t different;
    if (!ok(trial_make(&t) && !cot_backend_open("ref", NULL, &ref, &error)
                && !trial_run(&t, ref, NULL, expected, &error),
            "a problem"))
        return done_testing();
    arm(0, 0);
    ok(!live(&t, expected, &error, &different) && !different && is_clean(),
       "a good day: the reference's bits, nothing left %s", error.message);
    int calls = driver->calls;
    cmp_ok(calls, ">", 20, "so many calls of the driver");
    test_each(&t, expected, calls);
    test_lost(&t, expected, calls);
    test_untouched(&t, expected, calls);
    results_free(expected);
    trial_free(&t);
    cot_backend_close(ref);
    return done_testing();
}
