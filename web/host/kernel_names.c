/* The kernels that lines of the page's lengths take on the backend cuda, a line "element kernel" each: those that the
 * page carries. */
#include "conformance/case/device_run.h"
#include "softgpu/softgpu.h"
#include "conformance/judge/trial.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const int32_t lengths[] = { 1,   2,   3,   4,   5,   7,    8,    9,    15,   16,   17,
                                   31,  32,  33,  48,  63,  64,   65,   96,   100,  127,  128,
                                   129, 255, 256, 257, 512, 1000, 1024, 1025, 2048, 3000, 4096 };

typedef int get_launch(size_t index, const char **kernel, softgpuCounters *counters);

static void *device; /* the software device, which the backend has loaded */

static void *function_of(const char *name)
{
    void *found = dlsym(device, name);
    if (!found)
        fprintf(stderr, "the software device has no %s\n", name);
    return found;
}

static void print_launches(cot_element element)
{
    static char seen[1 << 16];
    union {
        void *object;
        get_launch *function;
    } launch = { function_of("softgpuGetLaunch") };
    const char *kernel;
    softgpuCounters counters;
    for (size_t i = 0; launch.object && !launch.function(i, &kernel, &counters); i++) {
        char line[160];
        snprintf(line, sizeof line, "%s %s\n", cot_element_name(element), kernel);
        if (strstr(seen, line) || strlen(seen) + strlen(line) >= sizeof seen)
            continue;
        strcat(seen, line);
        fputs(line, stdout);
    }
}

static int run_length(cot_backend *backend, const cot_op_info *op, cot_element element, int32_t n)
{
    problem p;
    trial t = { .p = NULL };
    cot_error error;
    test_case c = { .desc = { COT_SIZED(cot_desc), .op = op->op, .element = element, .rank = 1, .shape = { n } } };
    if (problem_make(&p, &c))
        return 1;
    cot_status status = trial_run(&t, backend, &p, first_fill, &error);
    if (status)
        fprintf(stderr, "%s %s %d: %s\n", op->name, cot_element_name(element), n, error.message);
    trial_free(&t);
    problem_free(&p);
    return status != COT_OK;
}

int main(void)
{
    cot_backend *backend;
    cot_error error;
    if (cot_backend_open("cuda", "device=soft", &backend, &error))
        return fprintf(stderr, "%s: the page goes without kernels\n", error.message), 0;
    device = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!device)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    union {
        void *object;
        void (*function)(uint32_t);
    } checks = { function_of("softgpuSetChecks") };
    union {
        void *object;
        void (*function)(void);
    } reset = { function_of("softgpuResetCounters") };
    int failed = !checks.object || !reset.object;
    if (!failed)
        checks.function(SOFTGPU_COUNTERS);
    for (size_t i = 0; !failed && cot_op_at(i); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
                reset.function();
                failed |= run_length(backend, cot_op_at(i), (cot_element)e, lengths[k]);
                print_launches((cot_element)e);
            }
    cot_backend_close(backend);
    return failed;
}
