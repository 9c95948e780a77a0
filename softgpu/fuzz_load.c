/* Fuzz target: PTX text into the loader. Bad text must be an error, never a crash, a hang or an unbounded allocation. With a main
   of its own (SG_FUZZ_MAIN) it replays files, for make check. */
#include "api_proto.h"
#include "base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static CUcontext ctx;
    CUmodule m;
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (!ctx) { cuInit(0); cuCtxCreate_v2(&ctx, 0, 0); }
    memcpy(text, data, size);
    text[size] = 0;
    if (!cuModuleLoadData(&m, text)) cuModuleUnload(m);
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
        if (f) fclose(f);
        LLVMFuzzerTestOneInput(data, n);
        const char *base = strrchr(argv[i], '/');
        printf("%s %d - %s\n", f ? "ok" : "not ok", i, base ? base + 1 : argv[i]);
    }
    return 0;
}
#endif
