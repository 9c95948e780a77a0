/* The host's side: which device is opened, what a plan says of it, streams, threads, too little memory. */
#include "test_device.h"
#include "test_trial.h"

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static cot_backend *ref, *cuda;
static device_functions device;

/* ---- devices and options --------------------------------------------------------------------- */

static void refuses(const char *options, cot_status wanted, const char *says)
{
    cot_backend *backend = NULL;
    cot_error error = { 0 };
    cot_status status = cot_backend_open("cuda", options, &backend, &error);
    ok(status == wanted && !backend && strstr(error.message, says), "%s: %s, %s", options ? options : "no options",
       cot_status_name(status), error.message);
    cot_backend_close(backend);
}

static void test_devices(void)
{
    cot_backend *backend;
    cot_error error;
    refuses("device=fast", COT_INVALID_PROBLEM, "real, soft or a number");
    refuses("speed=9", COT_INVALID_PROBLEM, "there is no option \"speed=9\"");
    if (cot_backend_open("cuda", "device=real", &backend, &error)) {
        refuses("device=real", COT_UNSUPPORTED, "there is no GPU");
        refuses("device=0", COT_UNSUPPORTED, "there is no GPU");
        setenv("COTANGENT_DEVICE", "real", 1);
        refuses(NULL, COT_UNSUPPORTED, "there is no GPU");
        cmp_ok(cot_backend_open("cuda", "device=soft", &backend, &error), "==", COT_OK,
               "an option is stronger than the environment");
        unsetenv("COTANGENT_DEVICE");
    }
    cot_backend_close(backend);
    setenv("COTANGENT_SOFTGPU", "/nowhere/libcuda.so.1", 1);
    refuses("device=soft", COT_UNSUPPORTED, "/nowhere/libcuda.so.1");
    unsetenv("COTANGENT_SOFTGPU");
    refuses("device=soft,softgpu=/nowhere/else.so", COT_UNSUPPORTED, "/nowhere/else.so");
    name_device();
}

static void test_identity(void)
{
    const cot_desc desc = { COT_SIZED(cot_desc), .op = COT_VAR, .element = COT_F16, .rank = 1, .shape = { 9 } };
    cot_plan *plan;
    cot_error error;
    if (!ok(!cot_select(cuda, &desc, NULL, &plan, &error), "a plan"))
        return;
    const cot_sku *sku = cot_plan_sku(plan);
    ok(sku->software, "it runs on no silicon, and says so");
    cmp_ok(sku->arch, ">=", 75, "sm_%u", sku->arch);
    is(sku->backend, "cuda", "the backend");
    is(sku->device, "Cotangent software device", "the device");
    ok(sku->guarantee.bit_identical && sku->guarantee.deterministic && sku->guarantee.order == COT_ORDER_FOLD
           && sku->guarantee.math == COT_F32,
       "the guarantee: the spec's bits");
    cot_plan_free(plan);
}

/* ptx=DIRECTORY: kernels come from there, and from nowhere else. */
static void test_directory(void)
{
    trial t = { .desc = { COT_SIZED(cot_desc), .op = COT_ADD, .element = COT_F32, .rank = 1, .shape = { 9 } } };
    char *got[COT_DB + 1];
    cot_backend *backend = NULL;
    cot_error error = { 0 };
    bool opened = trial_make(&t) && !cot_backend_open("cuda", "device=soft,ptx=/nowhere", &backend, &error);
    ok(opened && trial_run(&t, backend, NULL, got, &error) == COT_INTERNAL
           && strstr(error.message, "CUDA_ERROR_FILE_NOT_FOUND"),
       "a directory without PTX: %s", error.message);
    cot_backend_close(backend);
    trial_free(&t);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static trial problem_of(cot_op op, int32_t rows, int32_t columns)
{
    return (trial){ .desc = { COT_SIZED(cot_desc), .op = op, .element = COT_F32, .rank = 2, .shape = { rows, columns },
                              .axis = 1 } };
}

static bool same_bits(trial *t, void *stream)
{
    char *expected[COT_DB + 1] = { 0 }, *got[COT_DB + 1] = { 0 };
    cot_error error;
    bool same = !trial_run(t, ref, NULL, expected, &error) && !trial_run(t, cuda, stream, got, &error);
    same = same && trial_differences(t, expected, got) == 0;
    results_free(expected);
    results_free(got);
    return same;
}

/* What the host computes for a launch does not depend on how its caller rounds. */
static void test_modes(void)
{
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    trial t = problem_of(COT_LERP, 3, 16);
    t.desc.param = 0.1;
    ok(trial_make(&t), "a problem with a weight that no float is");
    for (int i = 0; i < 3; i++) {
        fesetround(modes[i]);
        volatile double weight = t.desc.param;
        volatile float single = (float)weight; /* volatile: else the compiler compares as if it were to nearest */
        bool moved = single == (modes[i] == FE_UPWARD ? 0x1.99999ap-4f : 0x1.999998p-4f);
        bool same = same_bits(&t, NULL);
        fesetround(FE_TONEAREST);
        ok(moved && same, "the reference's bits in rounding mode %d", modes[i]);
    }
    trial_free(&t);
}

/* Streams belong to a context: the device's primary one, which the backend uses too, and which stays current here. */
static void *make_stream(void *library)
{
    void *context = NULL, *stream = NULL;
    int (*retain)(void **, int), (*set)(void *), (*create)(void **, unsigned);
    bool found = find_symbol(library, "cuDevicePrimaryCtxRetain", &retain)
                 && find_symbol(library, "cuCtxSetCurrent", &set) && find_symbol(library, "cuStreamCreate", &create);
    return found && !retain(&context, 0) && !set(context) && !create(&stream, 1) ? stream : NULL;
}

static void test_stream(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *stream = make_stream(library);
    int (*destroy)(void *), (*release)(int);
    trial t = problem_of(COT_MUL, 3, 700);
    ok(stream && trial_make(&t) && same_bits(&t, stream), "a stream of the caller's own");
    ok(find_symbol(library, "cuStreamDestroy_v2", &destroy) && !destroy(stream)
           && find_symbol(library, "cuDevicePrimaryCtxRelease_v2", &release) && !release(0),
       "which the caller gives back");
    trial_free(&t);
}

enum { THREADS = 4, TURNS = 12 };

static void *work(void *bad)
{
    static const cot_op ops[] = { COT_MAX, COT_ADD, COT_LOGSUMEXP, COT_CUMSUM, COT_SOFTMAX };
    int *failures = bad;
    for (int i = 0; i < TURNS; i++) {
        trial t = problem_of(ops[i % 5], 5 + i, 90);
        char *got[COT_DB + 1], *again[COT_DB + 1];
        cot_error error;
        t.desc.element = (cot_element)(COT_F16 + i % 4);
        if (!trial_make(&t) || trial_run(&t, cuda, NULL, got, &error)) {
            ++*failures;
            continue;
        }
        if (trial_run(&t, ref, NULL, again, &error) || trial_differences(&t, again, got))
            ++*failures;
        results_free(got);
        results_free(again);
        trial_free(&t);
    }
    return NULL;
}

/* A backend whose modules nobody has loaded yet, shared by several threads. */
static void test_threads(void)
{
    pthread_t threads[THREADS];
    int failures[THREADS] = { 0 }, all = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &failures[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += failures[i];
    }
    cmp_ok(all, "==", 0, "%d threads, %d runs each, one backend", THREADS, TURNS);
}

/* A device whose host threads have worked goes on in a child of fork, on one. */
static void test_fork(void)
{
    trial t = problem_of(COT_ADD, 40, 4000);
    int status = 0;
    ok(trial_make(&t) && same_bits(&t, NULL), "a launch of many blocks");
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(60); /* a hang is a failure */
        _exit(same_bits(&t, NULL) ? 0 : 1);
    }
    ok(child > 0 && waitpid(child, &status, 0) == child && !status, "and the same in a child of fork: status %d",
       status);
    trial_free(&t);
}

/* ---- too little ------------------------------------------------------------------------------ */

static void test_failures(void)
{
    static const struct {
        int kind;
        const char *call;
    } kinds[] = {
        { SOFTGPU_FAIL_ALLOC, "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY" },
        { SOFTGPU_FAIL_COPY, "cuMemcpyHtoD: CUDA_ERROR_" },
        { SOFTGPU_FAIL_LAUNCH, "cuLaunchKernel: CUDA_ERROR_" },
    };
    trial t = problem_of(COT_MIN, 4, 60);
    ok(trial_make(&t), "a problem");
    for (int i = 0; i < 3; i++) {
        char *got[COT_DB + 1];
        cot_error error = { 0 };
        device.inject(kinds[i].kind, 1);
        cot_status status = trial_run(&t, cuda, NULL, got, &error);
        device.inject(kinds[i].kind, 0);
        ok(status == COT_INTERNAL && error.native > 0 && strstr(error.message, kinds[i].call), "%s", error.message);
    }
    ok(same_bits(&t, NULL), "and all is well afterwards");
    trial_free(&t);
    void *memory = NULL;
    cot_error error = { 0 };
    cot_status status = cot_alloc(cuda, (size_t)1 << 50, &memory, &error);
    ok(status == COT_INTERNAL && !memory && strstr(error.message, "OUT_OF_MEMORY"), "a petabyte: %s", error.message);
}

int main(void)
{
    if (!open_backends("device=soft", &ref, &cuda, &device))
        return done_testing();
    test_devices();
    test_directory();
    test_identity();
    test_threads();
    test_stream();
    test_modes();
    test_fork();
    test_failures();
    cot_backend_close(cuda);
    cmp_ok((long long)take_reports(&device), "==", 0, "no report, no leak");
    cot_backend_close(ref);
    return done_testing();
}
