/* softgpu: run a program, or one kernel, on the software device. */
#include "softgpu_cli.h"

static const char usage[] = "usage: softgpu [options] -- PROGRAM [ARGS...]  runs a CUDA program on the device\n"
                            "       softgpu nvcc ARGS...                    compiles one for it: nvcc ARGS...\n"
                            "                                               -cudart shared -arch=compute_80\n"
                            "       softgpu run FILE.ptx --entry NAME ...   runs one kernel on .npy arrays\n"
                            "                                               (softgpu run --help)\n"
                            "       softgpu census FILE.ptx...              lists the opcodes, and those that\n"
                            "                                               are not modelled\n\n"
                            "  --check[=all|NAME,...]  memcheck, initcheck, racecheck, synccheck, leakcheck,\n"
                            "                          lint; and fpcheck, which is not in all\n"
                            "  --report=FILE           where reports go\n"
                            "  --report-format=FORMAT  text, json or sarif\n"
                            "  --counters=FILE         .json, or a table; - is stderr\n"
                            "  --html=FILE             a page of what every line costs\n"
                            "  --trace[=FILE]          every instruction of a thread\n"
                            "  --trace-thread=BX,BY,BZ,TX,TY,TZ   which thread (default: all 0)\n"
                            "  --break=PTXLINE|FILE.cu:LINE,...   its registers, at these lines\n"
                            "  --watch=ALLOCATION+OFFSET[:BYTES]  every access to these bytes\n"
                            "  --seed=N                the order of blocks and warps\n"
                            "  --threads=N             of the host\n\n"
                            "With --check the exit status is 99 where something was reported, notes aside;\n"
                            "98 where a report or the counters could not be written.\n";

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
