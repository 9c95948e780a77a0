/* Speed of the software device: thread-instructions a second of two kernels of bench/softgpu_speed.cu, with checks off,
 * with counters, and with everything on. usage: softgpu_speed kernels.ptx rows columns; prints one line per kernel and
 * mode, as "kernel mode seconds thread-instructions". */
#include "softgpu/api/api_proto.h"
#include "conformance/case/clock.h"
#include "softgpu/softgpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(CUresult r, const char *what)
{
    if (!r)
        return;
    fprintf(stderr, "%s: error %d: %s\n", what, r, softgpuLastMessage());
    exit(1);
}

static char *slurp(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = calloc(1, 1 << 22);
    if (!f || !text) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(1);
    }
    text[fread(text, 1, (1 << 22) - 1, f)] = 0;
    fclose(f);
    return text;
}

typedef struct job {
    const char *name;
    CUfunction f;
    unsigned grid, block;
    void **args;
} job;

static double launch(const job *j)
{
    double start = clock_now();
    must(cuLaunchKernel(j->f, j->grid, 1, 1, j->block, 1, 1, 0, NULL, j->args, NULL), j->name);
    must(cuCtxSynchronize(), j->name);
    return clock_now() - start;
}

static void measure(const job *j)
{
    static const struct {
        const char *name;
        uint32_t checks;
        int repeats;
    } modes[] = {
        { "off", 0, 20 },
        { "counters", SOFTGPU_COUNTERS, 5 },
        { "all", SOFTGPU_ALL_CHECKS, 5 },
    };
    softgpuCounters c;
    softgpuResetCounters();
    softgpuSetChecks(SOFTGPU_COUNTERS);
    launch(j);
    softgpuGetCounters(&c);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        double best = 1e9;
        softgpuSetChecks(modes[m].checks);
        for (int i = 0; i < modes[m].repeats; i++) {
            double t = launch(j);
            best = t < best ? t : best;
        }
        printf("%s %s %.6f %llu\n", j->name, modes[m].name, best, (unsigned long long)c.thread_instructions);
    }
    if (softgpuReportCount())
        fprintf(stderr, "%s: the checks reported something\n", j->name);
}

int main(int argc, char **argv)
{
    int rows = argc > 2 ? atoi(argv[2]) : 256, columns = argc > 3 ? atoi(argv[3]) : 1024, n = rows * columns;
    CUcontext ctx;
    CUmodule m;
    CUdeviceptr y, g, dx;
    if (argc < 2)
        return 2;
    must(cuInit(0), "cuInit");
    must(cuCtxCreate_v2(&ctx, 0, 0), "context");
    softgpuSetChecks(SOFTGPU_ALL_CHECKS); /* so that memory is watched from the start */
    must(cuModuleLoadData(&m, slurp(argv[1])), argv[1]);
    must(cuMemAlloc_v2(&y, (size_t)n * 4), "memory");
    must(cuMemAlloc_v2(&g, (size_t)n * 4), "memory");
    must(cuMemAlloc_v2(&dx, (size_t)n * 4), "memory");
    must(cuMemsetD32_v2(y, 0x3c000000, (size_t)n), "fill");
    must(cuMemsetD32_v2(g, 0x3f000000, (size_t)n), "fill");
    void *softmax_args[] = { &y, &g, &dx, &columns }, *reduce_args[] = { &y, &dx, &n };
    job jobs[] = { { "softmax_backward", NULL, (unsigned)rows, 128, softmax_args },
                   { "reduce", NULL, (unsigned)(n + 255) / 256, 256, reduce_args } };
    for (int i = 0; i < 2; i++) {
        must(cuModuleGetFunction(&jobs[i].f, m, jobs[i].name), jobs[i].name);
        measure(&jobs[i]);
    }
    return 0;
}
