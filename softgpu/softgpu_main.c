/* softgpu: run a program, or one kernel, on the software device. */
#include "cli.h"
#include <errno.h>
#include <unistd.h>

#ifndef SG_LIBDIR
#define SG_LIBDIR "/usr/local/lib/cotangent/softgpu"
#endif

static const char usage[] =
    "usage: softgpu [options] -- program [args...]   run a driver-API program on the software device\n"
    "       softgpu run FILE.ptx --entry NAME ...    run one kernel on .npy arrays\n"
    "       softgpu census FILE.ptx...               list the opcodes, and those that are not modelled\n"
    "options: --check[=all|memcheck,initcheck,racecheck,synccheck,leakcheck,lint]  --counters=FILE (.json, or a table; - is stderr)\n"
    "         --report=FILE  --seed=N (order of blocks and warps)  --threads=N\n"
    "With --check the exit status is 99 where something was reported.\n";

char *slurp(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t n = 0, got = 1;
    while (f && got) {
        char *more = realloc(text, n + 65537);
        if (!more) break;
        text = more;
        got = fread(text + n, 1, 65536, f);
        n += got;
        text[n] = 0;
    }
    if (!f) fprintf(stderr, "softgpu: cannot read %s\n", name);
    else fclose(f);
    return text;
}

static bool value_of(const char *arg, const char *name, const char **value)
{
    size_t n = strlen(name);
    if (strncmp(arg, name, n) || arg[n] != '=') return false;
    *value = arg + n + 1;
    return true;
}

bool take_option(options *o, const char *arg)
{
    const char *number;
    if (!strcmp(arg, "--check")) { o->check = "all"; return true; }
    if (value_of(arg, "--check", &o->check) || value_of(arg, "--counters", &o->counters) || value_of(arg, "--report", &o->report)) return true;
    if (value_of(arg, "--seed", &number)) { o->seed = strtoull(number, NULL, 0); setenv("SOFTGPU_SEED", number, 1); return true; }
    if (value_of(arg, "--threads", &number)) { setenv("SOFTGPU_THREADS", number, 1); return true; }
    return false;
}

/* The directory of libcuda.so.1: beside this program in a build tree, else where it was installed. */
static const char *library_directory(void)
{
    static char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 20);
    if (n > 0) {
        path[n] = 0;
        char *slash = strrchr(path, '/');
        strcpy(slash + 1, "libcuda.so.1");
        if (!access(path, R_OK)) { *slash = 0; return path; }
    }
    return SG_LIBDIR;
}

static int run_program(const options *o, char **argv)
{
    char path[8192];
    const char *old = getenv("LD_LIBRARY_PATH"), *dir = library_directory();
    snprintf(path, sizeof path, "%s%s%s", dir, old ? ":" : "", old ? old : "");
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("SOFTGPU_LOG", "1", 0);
    if (o->check) { setenv("SOFTGPU_CHECK", o->check, 1); setenv("SOFTGPU_EXIT", "99", 0); }
    if (o->counters) setenv("SOFTGPU_COUNTERS", o->counters, 1);
    if (o->report) setenv("SOFTGPU_REPORT", o->report, 1);
    execvp(argv[0], argv);
    fprintf(stderr, "softgpu: cannot run %s: %s\n", argv[0], strerror(errno));
    return 127;
}

int main(int argc, char **argv)
{
    options o = { 0 };
    if (argc > 1 && !strcmp(argv[1], "run")) return cmd_run(&o, argc - 2, argv + 2);
    if (argc > 1 && !strcmp(argv[1], "census")) return cmd_census(argc - 2, argv + 2);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) { fputs(usage, stdout); return 0; }
        if (!strcmp(argv[i], "--") && i + 1 < argc) {
            if (o.check && softgpuParseChecks(o.check) == ~0u) { fprintf(stderr, "softgpu: no such check: %s\n", o.check); return 2; }
            return run_program(&o, argv + i + 1);
        }
        if (!take_option(&o, argv[i])) break;
    }
    fputs(usage, stderr);
    return 2;
}
