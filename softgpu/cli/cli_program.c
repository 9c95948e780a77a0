/* A program on the device: the libraries that it finds, and how it is compiled. */
#include "softgpu_cli.h"
#include <errno.h>
#include <unistd.h>

#ifndef SG_LIBDIR
#define SG_LIBDIR "/usr/local/lib/cotangent/softgpu"
#endif

/* The directory of libcuda.so.1 and libcudart.so: beside this program in a build tree, else where they were installed.
 */
static const char *library_directory(void)
{
    static char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 20);
    if (n > 0) {
        path[n] = 0;
        char *slash = strrchr(path, '/');
        strcpy(slash + 1, "libcuda.so.1");
        if (!access(path, R_OK)) {
            *slash = 0;
            return path;
        }
    }
    return SG_LIBDIR;
}

static bool holds(const char *bytes, size_t n, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = bytes; n >= len && (p = memchr(p, word[0], n - len + 1 - (size_t)(p - bytes))); p++)
        if (!memcmp(p, word, len))
            return true;
    return false;
}

/* A program that a shell would find by its name. */
static FILE *open_program(const char *name)
{
    char path[4096];
    const char *dirs = strchr(name, '/') ? "" : getenv("PATH");
    while (dirs) {
        size_t n = strcspn(dirs, ":");
        snprintf(path, sizeof path, "%.*s%s%s", (int)n, dirs, n ? "/" : "", name);
        FILE *f = access(path, X_OK) ? NULL : fopen(path, "rb");
        if (f || !dirs[n])
            return f;
        dirs += n + 1;
    }
    return NULL;
}

/* Device code, and no shared runtime: the runtime is inside, and wants the vendor's own driver. */
static void warn_of_static_runtime(const char *name)
{
    FILE *f = open_program(name);
    size_t room = (size_t)64 << 20;
    char *bytes = f ? malloc(room) : NULL;
    size_t n = bytes ? fread(bytes, 1, room, f) : 0;
    if (n > 4 && !memcmp(bytes, "\177ELF", 4) && holds(bytes, n, ".nvFatBinSegment")
        && !holds(bytes, n, "libcudart.so."))
        fprintf(
            stderr,
            "softgpu: %s has the CUDA runtime linked into it, which runs on the vendor's driver alone: link it with "
            "-cudart shared (CMake: CUDA_RUNTIME_LIBRARY Shared), or compile it with softgpu nvcc\n",
            name);
    free(bytes);
    if (f)
        fclose(f);
}

static int run_argv(char **argv)
{
    execvp(argv[0], argv);
    fprintf(stderr, "softgpu: cannot run %s: %s\n", argv[0], strerror(errno));
    return 127;
}

int run_program(const options *o, char **argv)
{
    char path[8192];
    const char *old = getenv("LD_LIBRARY_PATH"), *dir = library_directory();
    snprintf(path, sizeof path, "%s%s%s", dir, old ? ":" : "", old ? old : "");
    if (!tell_device("LD_LIBRARY_PATH", path, 1) || !tell_device("SOFTGPU_LOG", "1", 0) || !pass_options(o))
        return 127;
    warn_of_static_runtime(argv[0]);
    return run_argv(argv);
}

/* Did the caller say for which device? */
static bool names_device(int argc, char **argv)
{
    static const char *const options_of[] = { "-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code" };
    for (int i = 0; i < argc; i++)
        for (size_t j = 0; j < COUNT(options_of); j++)
            if (!strncmp(argv[i], options_of[j], strlen(options_of[j])))
                return true;
    return false;
}

int cmd_nvcc(int argc, char **argv)
{
    const char *nvcc = getenv("NVCC"), *cc = getenv("SOFTGPU_CC");
    char **all = calloc((size_t)argc + 5, sizeof *all);
    int n = 0;
    if (!all)
        return 127;
    all[n++] = (char *)(uintptr_t)(nvcc && *nvcc ? nvcc : "nvcc");
    all[n++] = (char *)(uintptr_t) "-cudart";
    all[n++] = (char *)(uintptr_t) "shared";
    if (!names_device(argc, argv)) /* PTX that every device from that one on takes */
        all[n++] = (char *)(uintptr_t)(cc && atof(cc) < 8 ? "-arch=compute_75" : "-arch=compute_80");
    for (int i = 0; i < argc; i++)
        all[n++] = argv[i];
    int status = run_argv(all);
    free(all);
    return status;
}
