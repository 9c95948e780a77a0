/* Fuzz target: PTX text into the loader, and what loads is run, with all checks on and with none, on memory that is
 * there: every eight bytes of parameters point into an allocation, as a pointer or as a pair of numbers. Bad text must
 * be an error, never a crash, a hang or an unbounded allocation. With a main of its own (SG_FUZZ_MAIN) it replays
 * files, for make check. */
#include "softgpu/api/api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static CUcontext ctx;

enum { PARAMS = 65536, MEMORY = 65536 };

/* Numbers that the kernels find in memory: small ones, floats and large ones. */
static CUdeviceptr filled_memory(void)
{
    static u32 words[MEMORY / 4];
    CUdeviceptr p = 0;
    for (u32 i = 0; i < COUNT(words); i++)
        words[i] = i % 3 == 0 ? i % 64 : i % 3 == 1 ? 0x3f800000 + i * 0x1001 : i * 2654435761u;
    if (!cuMemAlloc_v2(&p, sizeof words))
        cuMemcpyHtoD_v2(p, words, sizeof words);
    return p;
}

/* They lie apart, so that not all arrays of a kernel are one. */
static const void *pointers(CUdeviceptr p)
{
    static CUdeviceptr params[PARAMS / 8];
    for (u32 i = 0; i < COUNT(params); i++)
        params[i] = p + i % 8 * (MEMORY / 8);
    return params;
}

static void run_kernels(CUmodule m)
{
    CUdeviceptr words = filled_memory();
    void *params = (void *)(uintptr_t)pointers(words);
    for (int i = 0; i < m->nkernels && i < 4; i++) {
        CUfunction f;
        size_t size = m->kernels[i].param_size;
        void *extra[] = { LAUNCH_PARAM_BUFFER, params, LAUNCH_PARAM_SIZE, &size, LAUNCH_PARAM_END };
        if (cuModuleGetFunction(&f, m, m->kernels[i].f->name))
            continue;
        cuLaunchKernel(f, 2, 1, 1, 40, 1, 1, 64, NULL, NULL, extra);
        if (!cuCtxSynchronize())
            continue;
        cuCtxDestroy_v2(ctx); /* a fault spoils the context, and with it the module */
        ctx = NULL;
        return;
    }
    cuMemFree_v2(words);
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
