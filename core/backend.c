/* The registry: built-in backends by name, shared libraries by path; and a backend's memory. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "builtin.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_DLOPEN
#include <dlfcn.h>
#endif

static const cot_backend_api *(*const builtins[])(void) = {
    cot_backend_ref,
#ifdef HAVE_CUDA
    cot_backend_cuda,
#endif
};

const char *cot_backend_builtin(size_t index)
{
    return index < sizeof builtins / sizeof *builtins ? builtins[index]()->name : NULL;
}

static const cot_backend_api *find_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i]()->name, name))
            return builtins[i]();
    return NULL;
}

cot_status cot_take_options(const char *backend, const char *options, cot_take_option *take, void *self,
                            cot_error *error)
{
    char text[512];
    cot_status status = COT_OK;
    size_t length = options ? strlen(options) : 0;
    if (length >= sizeof text)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, sizeof text - 1, (int64_t)length,
                        "backend %s: options of %zu characters, expected at most %zu", backend, length,
                        sizeof text - 1);
    strcpy(text, options ? options : "");
    for (char *option = text, *next; option && !status; option = next) {
        next = strchr(option, ',');
        if (next)
            *next++ = 0;
        if (*option)
            status = take(self, option, error);
    }
    return status;
}

/* Optional functions that came later stand behind those of the first table, whose size a plug-in may still have. */
enum { OLDEST_TABLE = offsetof(cot_backend_api, describe) };

/* A table from outside is believed only as far as it can be checked. */
static cot_status check_api(const cot_backend_api *api, const char *name, cot_error *error)
{
    if (!api)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0, "%s: %s returned NULL", name, COT_BACKEND_ENTRY);
    if (api->abi != COT_BACKEND_ABI)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, COT_BACKEND_ABI, api->abi,
                        "%s has backend ABI %u, this library speaks %u: rebuild it against this cotangent.h", name,
                        api->abi, COT_BACKEND_ABI);
    if (api->size < OLDEST_TABLE || api->size > sizeof *api)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, (int64_t)sizeof *api, api->size,
                        "%s has a backend table of %u bytes, expected %zu", name, api->size, sizeof *api);
    if (!api->name || !api->capabilities || !api->run)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 1, 0, "%s: the backend table lacks %s", name,
                        !api->name  ? "a name"
                        : !api->run ? "run"
                                    : "capabilities");
    int memory = !!api->alloc + !!api->free + !!api->copy_in + !!api->copy_out;
    if (memory != 0 && memory != 4)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 4, memory,
                        "%s: the backend table has %d of alloc, free, copy_in and copy_out, expected all or none", name,
                        memory);
    return COT_OK;
}

#ifdef HAVE_DLOPEN
static cot_status load_library(const char *path, void **library, const cot_backend_api **api, cot_error *error)
{
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library)
        return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0, "cannot load %s: %s", path, dlerror());
    union {
        void *object;
        cot_backend_entry_fn function;
    } entry = { dlsym(*library, COT_BACKEND_ENTRY) };
    cot_status status = entry.object ? check_api(*api = entry.function(), path, error)
                                     : cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0, "%s does not export %s",
                                                path, COT_BACKEND_ENTRY);
    if (status)
        dlclose(*library);
    return status;
}

static void unload_library(void *library)
{
    if (library)
        dlclose(library);
}
#else
static cot_status load_library(const char *path, void **library, const cot_backend_api **api, cot_error *error)
{
    (void)library, (void)api;
    return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0, "cannot load %s: this build has no dlopen", path);
}

static void unload_library(void *library) { (void)library; }
#endif

static cot_status find(const char *name, cot_backend *found, cot_error *error)
{
    if (strchr(name, '/'))
        return load_library(name, &found->library, &found->api, error);
    found->api = find_builtin(name);
    if (found->api)
        return COT_OK;
    if (!strcmp(name, "cuda"))
        return cot_fail(
            error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0,
            "backend cuda is not built in: configure found no compiler for its kernels, neither nvcc nor clang");
    return cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 1, 0,
                    "there is no backend \"%s\"; a shared library is named with a slash, as in ./%s", name, name);
}

static void describe(cot_backend *backend)
{
    const cot_backend_api *api = backend->api;
    backend->info = (cot_backend_info){
        .name = api->name, .device = "", .own_memory = api->alloc != NULL, .validates = api->validate != NULL
    };
    if (api->size > offsetof(cot_backend_api, describe) && api->describe)
        api->describe(backend->self, &backend->info);
}

const cot_backend_info *cot_backend_about(const cot_backend *backend) { return backend ? &backend->info : NULL; }

/* Opens what `found` names; on failure nothing of it is left. */
static cot_status open_found(cot_backend *found, cot_status status, const char *options, cot_backend **out,
                             cot_error *error)
{
    if (!status && found->api->open && (status = found->api->open(options, &found->self, error)))
        unload_library(found->library);
    if (status) {
        free(found);
        return status;
    }
    describe(found);
    *out = found;
    return COT_OK;
}

static cot_status allocate(const void *named, const char *what, cot_backend **out, cot_backend **found,
                           cot_error *error)
{
    if (out)
        *out = NULL;
    if (!named || !out)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 1, 0, "%s is NULL", named ? "out" : what);
    cot_good(error);
    *found = calloc(1, sizeof **found);
    return *found ? COT_OK : cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, (int64_t)sizeof **found, 0, "out of memory");
}

cot_status cot_backend_open(const char *name, const char *options, cot_backend **out, cot_error *error)
{
    cot_backend *found = NULL;
    cot_status status = allocate(name, "name", out, &found, error);
    return status ? status : open_found(found, find(name, found, error), options, out, error);
}

cot_status cot_backend_from(const cot_backend_api *api, const char *options, cot_backend **out, cot_error *error)
{
    cot_backend *found = NULL;
    cot_status status = allocate(api, "api", out, &found, error);
    if (status)
        return status;
    found->api = api;
    return open_found(found, check_api(api, "the backend", error), options, out, error);
}

void cot_backend_close(cot_backend *backend)
{
    if (!backend)
        return;
    if (backend->api->close)
        backend->api->close(backend->self);
    unload_library(backend->library);
    free(backend);
}

/* What a call needs, and the caller has not given. */
static cot_status is_null(cot_error *error, const char *what)
{
    return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 1, 0, "%s is NULL", what);
}

cot_status cot_synchronize(cot_backend *backend, cot_stream stream, cot_error *error)
{
    if (!backend)
        return is_null(error, "backend");
    cot_good(error);
    return backend->api->synchronize ? backend->api->synchronize(backend->self, stream, error) : COT_OK;
}

cot_status cot_alloc(cot_backend *backend, size_t bytes, void **memory, cot_error *error)
{
    if (memory)
        *memory = NULL;
    if (!backend || !memory)
        return is_null(error, backend ? "memory" : "backend");
    cot_good(error);
    if (backend->api->alloc)
        return backend->api->alloc(backend->self, bytes, memory, error);
    *memory = malloc(bytes ? bytes : 1);
    return *memory ? COT_OK : cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, (int64_t)bytes, 0, "out of memory");
}

void cot_free(cot_backend *backend, void *memory)
{
    if (!backend || !memory)
        return;
    if (backend->api->free)
        backend->api->free(backend->self, memory);
    else
        free(memory);
}

/* A copy of no bytes needs no memory. */
static cot_status check_copy(const cot_backend *backend, const void *to, const void *from, size_t bytes,
                             cot_error *error)
{
    if (!backend)
        return is_null(error, "backend");
    if (bytes && (!to || !from))
        return is_null(error, to ? "from" : "to");
    return cot_good(error);
}

cot_status cot_copy_in(cot_backend *backend, void *to, const void *from_host, size_t bytes, cot_error *error)
{
    cot_status status = check_copy(backend, to, from_host, bytes, error);
    if (status)
        return status;
    if (backend->api->copy_in)
        return backend->api->copy_in(backend->self, to, from_host, bytes, error);
    if (bytes)
        memcpy(to, from_host, bytes);
    return COT_OK;
}

cot_status cot_copy_out(cot_backend *backend, void *to_host, const void *from, size_t bytes, cot_error *error)
{
    cot_status status = check_copy(backend, to_host, from, bytes, error);
    if (status)
        return status;
    if (backend->api->copy_out)
        return backend->api->copy_out(backend->self, to_host, from, bytes, error);
    if (bytes)
        memcpy(to_host, from, bytes);
    return COT_OK;
}
