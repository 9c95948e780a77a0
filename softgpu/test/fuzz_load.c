/* Fuzz target: PTX text into the loader, and what loads is run, with all checks on and with none. Bad text must be an
 * error, never a crash, a hang or an unbounded allocation. With a main of its own (SG_FUZZ_MAIN) it replays files, for
 * make check. */
#include "softgpu/api/api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static CUcontext ctx;

static void run_kernels(CUmodule m)
{
    static char zeros[65536];
    for (int i = 0; i < m->nkernels && i < 4; i++) {
        CUfunction f;
        size_t size = m->kernels[i].param_size;
        void *extra[] = { LAUNCH_PARAM_BUFFER, zeros, LAUNCH_PARAM_SIZE, &size, LAUNCH_PARAM_END };
        if (cuModuleGetFunction(&f, m, m->kernels[i].f->name))
            continue;
        cuLaunchKernel(f, 2, 1, 1, 40, 1, 1, 64, NULL, NULL, extra);
        if (!cuCtxSynchronize())
            continue;
        cuCtxDestroy_v2(ctx); /* a fault spoils the context, and with it the module */
        ctx = NULL;
        return;
    }
    cuModuleUnload(m);
}

static void load_and_run(const char *text, unsigned checks)
{
    CUmodule m;
    if (!ctx)
        cuCtxCreate_v2(&ctx, 0, 0);
    softgpuSetChecks(checks);
    if (!cuModuleLoadData(&m, text))
        run_kernels(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    cuInit(0);
    softgpuSetBudget(2000);
    softgpuClearReports();
    softgpuResetCounters();
    memcpy(text, data, size);
    text[size] = 0;
    load_and_run(text, (SOFTGPU_ALL_CHECKS & ~SOFTGPU_LEAKCHECK) | SOFTGPU_COUNTERS | SOFTGPU_FPCHECK);
    load_and_run(text, 0);
    free(text);
    return 0;
}

#ifdef SG_FUZZ_MAIN
int main(int argc, char **argv)
{
    printf("1..%d\n", argc - 1);
    for (int i = 1; i < argc; i++) {
        static uint8_t data[1 << 20];
        FILE *f = fopen(argv[i], "rb");
        size_t n = f ? fread(data, 1, sizeof data, f) : 0;
        if (f)
            fclose(f);
        LLVMFuzzerTestOneInput(data, n);
        const char *base = strrchr(argv[i], '/');
        printf("%s %d - %s\n", f ? "ok" : "not ok", i, base ? base + 1 : argv[i]);
    }
    return 0;
}
#endif
