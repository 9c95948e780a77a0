/* softgpu: run a program, or one kernel, on the software device. */
#include "softgpu_cli.h"

static const char usage[] =
    "usage: softgpu [options] -- program [args...]   run a CUDA program on the software device\n"
    "       softgpu nvcc ARGS...                     compile one for it: nvcc ARGS... -cudart shared -arch=compute_80\n"
    "       softgpu run FILE.ptx --entry NAME ...    run one kernel on .npy arrays (softgpu run --help)\n"
    "       softgpu census FILE.ptx...               list the opcodes, and those that are not modelled\n"
    "options: --check[=all|memcheck,initcheck,racecheck,synccheck,leakcheck,lint,fpcheck]   fpcheck is not in all\n"
    "         --report=FILE  --report-format=text|json|sarif\n"
    "         --counters=FILE (.json, or a table; - is stderr)\n"
    "         --trace[=FILE]  --break=PTXLINE|FILE.cu:LINE,...  --trace-thread=BX,BY,BZ,TX,TY,TZ (default all 0)\n"
    "         --watch=ALLOCATION+OFFSET[:BYTES] (every access to these bytes)  --html=FILE (a page of what every line "
    "costs)\n"
    "         --seed=N (order of blocks and warps)  --threads=N\n"
    "With --check the exit status is 99 where something was reported, notes aside; 98 where a report or the counters\n"
    "could not be written.\n";

char *slurp(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t n = 0, got = 1;
    bool bad = !f;
    while (!bad && got) {
        char *more = realloc(text, n + 65537);
        text = more ? more : text;
        got = more ? fread(text + n, 1, 65536, f) : 0;
        n += got;
        bad = !more || ferror(f);
        if (more)
            text[n] = 0;
    }
    if (f)
        fclose(f);
    if (bad) {
        fprintf(stderr, "softgpu: cannot read %s\n", name);
        free(text);
        return NULL;
    }
    return text;
}

int main(int argc, char **argv)
{
    options o = { 0 };
    if (argc > 1 && !strcmp(argv[1], "run"))
        return cmd_run(&o, argc - 2, argv + 2);
    if (argc > 1 && !strcmp(argv[1], "census"))
        return cmd_census(argc - 2, argv + 2);
    if (argc > 1 && !strcmp(argv[1], "nvcc"))
        return cmd_nvcc(argc - 2, argv + 2);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(usage, stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--") && i + 1 < argc)
            return run_program(&o, argv + i + 1);
        enum taken taken = take_option(&o, argv[i]);
        if (taken == TAKEN_WRONG)
            return 2;
        if (taken == TAKEN_NOT)
            break;
    }
    fputs(usage, stderr);
    return 2;
}
