/* Opening a backend by the name that the command line gives it. */
#include "backends.h"
#include "adapter.h"
#include "child.h"
#include "conformance/fingerprint/ordered.h"
#include "conformance/innocent/innocent.h"
#include "conformance/mutant/mutant.h"
#include "proxy.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A library runs in a child of ours: another copy of this very program, which loads it. */
static cot_status open_library(const char *path, const char *options, cot_backend **backend, cot_error *error)
{
    return proxy_open(path, (const char *const[]){ "/proc/self/exe", "serve", path, NULL }, options, backend, error);
}

cot_status suite_library_open_shuffled(const char *path, const char *options, cot_backend **backend, cot_error *error)
{
    const char *const words[] = { "/proc/self/exe", "serve", "--order", "1", path, NULL };
    return proxy_open(path, words, options, backend, error);
}

int suite_is_library(const char *name) { return strncmp(name, "process:", 8) && strchr(name, '/'); }

static cot_status open_process(const char *command, const char *options, cot_backend **backend, cot_error *error)
{
    return proxy_open(command, (const char *const[]){ SHELL, "-c", command, NULL }, options, backend, error);
}

/* Where the build or the installation has put a file: beside this program, or in the library's directory. */
static int find_file(const char *name, char path[PATH_MAX])
{
    char self[PATH_MAX / 2];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    snprintf(path, PATH_MAX, "%s/%s", dirname(self), name);
    if (access(path, R_OK))
        snprintf(path, PATH_MAX, "%s/%s", PKGLIBDIR, name);
    return access(path, R_OK);
}

/* The reference in WebAssembly, under node. */
static cot_status open_wasm(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    char file[64], path[PATH_MAX];
    snprintf(file, sizeof file, "wasm/%s.js", name);
    if (!find_file(file, path))
        return proxy_open(name, (const char *const[]){ "node", path, NULL }, options, backend, error);
    *error = (cot_error){ .code = COT_UNSUPPORTED };
    snprintf(error->message, sizeof error->message,
             "backend %s was not built: install emscripten (emcc) and nodejs, then configure and make again", name);
    return COT_UNSUPPORTED;
}

/* A framework: its adapter lies in adapter/, and build/frameworks is where quickstart has put a Python that has it. */
static cot_status open_adapter(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    char file[64], path[PATH_MAX], python[PATH_MAX];
    snprintf(file, sizeof file, "adapter/%s_adapter.py", name);
    int missing = find_file(file, path);
    find_file("frameworks/bin/python3", python);
    if (!missing)
        return adapter_open(name, path, python, options, backend, error);
    *error = (cot_error){ .code = COT_UNSUPPORTED };
    snprintf(error->message, sizeof error->message, "%s is not there: make, or make install, puts it there", file);
    return COT_UNSUPPORTED;
}

/* The command brings its own software device: the library looks for none beside a program. Of a path that an option
 * cannot hold COTANGENT_SOFTGPU may say the same. */
static const char *with_device(const char *options, char text[512])
{
    char path[PATH_MAX];
    const char *given = options ? options : "";
    int missing = find_file("softgpu/libcuda.so.1", path) && find_file("../lib/cotangent/softgpu/libcuda.so.1", path);
    if (missing || strchr(path, ',') || strstr(given, "softgpu="))
        return options;
    return snprintf(text, 512, "%s%ssoftgpu=%s", given, *given ? "," : "", path) < 512 ? text : options;
}

cot_status suite_backend_open_here(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    char text[512];
    if (!strncmp(name, "mutant:", 7))
        return mutant_open(name + 7, options, backend, error);
    if (!strncmp(name, "innocent:", 9))
        return innocent_open(name + 9, options, backend, error);
    if (!strcmp(name, "cuda"))
        return cot_backend_open(name, with_device(options, text), backend, error);
    if (!strncmp(name, "order:", 6))
        return ordered_open(name + 6, options, backend, error);
    return cot_backend_open(name, options, backend, error);
}

cot_status suite_backend_open(const char *name, const char *options, cot_backend **backend, cot_error *error)
{
    if (!strncmp(name, "process:", 8))
        return open_process(name + 8, options, backend, error);
    if (suite_is_library(name))
        return open_library(name, options, backend, error);
    if (!strcmp(name, "wasm") || !strcmp(name, "wasm-nosimd"))
        return open_wasm(name, options, backend, error);
    if (adapter_is(name))
        return open_adapter(name, options, backend, error);
    return suite_backend_open_here(name, options, backend, error);
}

void suite_backend_remark(const cot_backend *backend, char *text, size_t size)
{
    snprintf(text, size, "%s", cot_backend_about(backend)->software ? "software device: no silicon was tested" : "");
}
