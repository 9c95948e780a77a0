/* Modules: PTX in, kernels and variables out. */
#include "api.h"
#include "softgpu/image/image.h"

enum { ARENA_LIMIT = 1 << 30 };

static bool is_memory(const var *v) { return v->space == SP_GLOBAL || v->space == SP_CONST; }

static bool no_room(sg_error *err, const var *v, const char *what)
{
    err->line = v->line;
    err->col = 1;
    snprintf(err->text, sizeof err->text, "%s '%.100s'", what, v->name);
    return false;
}

/* A managed variable lies where the host can read it. */
static alloc *var_memory(module_object *mo, const var *v)
{
    u64 size = v->size ? v->size : 1;
    const u8 *host = v->is_managed && v->space == SP_GLOBAL ? shared_block(mo->ctx, (size_t)size, true) : NULL;
    return host ? memory_find(&sg.mem, (u64)(uintptr_t)host) : memory_alloc(&sg.mem, size, v->align);
}

/* Gives every variable of the module its memory; addresses in initialisers follow when all are known. */
static bool allocate_vars(module_object *mo, sg_error *err)
{
    mo->vars = sg_alloc(&mo->m.mem, (size_t)(mo->m.nvars + 1) * sizeof *mo->vars);
    for (int i = 0; i < mo->m.nvars; i++) {
        var *v = mo->m.vars[i];
        if (!is_memory(v) || v->is_extern)
            continue;
        alloc *a = mo->vars[i] = var_memory(mo, v);
        if (!a)
            return no_room(err, v, "no device memory for");
        a->name = v->name;
        a->is_const = v->space == SP_CONST;
        v->address = a->base;
    }
    return true;
}

static void write_vars(module_object *mo)
{
    for (int i = 0; i < mo->m.nvars; i++) {
        const var *v = mo->m.vars[i];
        if (!mo->vars[i])
            continue;
        u8 *host = mo->vars[i]->host;
        if (v->init)
            memcpy(host, v->init, (size_t)v->size);
        else
            memset(host, 0, (size_t)v->size);
        for (int r = 0; r < v->nrelocs; r++) {
            const reloc *at = &v->relocs[r];
            u64 value = at->target ? at->target->address : FUNC_ADDRESS(at->function->index);
            value = (value + (u64)at->addend) >> at->shift;
            memcpy(host + at->offset, &value, at->size);
        }
    }
}

static bool build(module_object *mo, const char *text, size_t len, sg_error *err)
{
    jmp_buf escape;
    mo->m.mem = mo->m.scratch = (arena){ .limit = ARENA_LIMIT, .escape = &escape };
    if (setjmp(escape)) {
        if (!err->line)
            *err = (sg_error){ .line = 1, .col = 1, .text = "the module needs too much memory" };
        return false;
    }
    if (!sg_parse(&mo->m, text, len, err) || !allocate_vars(mo, err))
        return false;
    write_vars(mo);
    return sg_link(&mo->m, sg_forms(), &mo->kernels, &mo->nkernels, err);
}

static void destroy(module_object *mo)
{
    for (int i = 0; mo->vars && i < mo->m.nvars; i++) {
        if (!mo->vars[i])
            continue;
        mo->vars[i]->name = NULL; /* its text dies with the module */
        if (!free_managed(mo->ctx, mo->vars[i]->base))
            memory_free(&sg.mem, mo->vars[i]->base);
    }
    for (function_object *f; (f = mo->functions); free(f))
        mo->functions = f->next;
    sg_arena_free(&mo->m.mem);
    sg_arena_free(&mo->m.scratch);
    free(mo);
}

void unload_module(module_object *mo)
{
    module_object **at = &mo->ctx->modules;
    while (*at != mo)
        at = &(*at)->next;
    *at = mo->next;
    destroy(mo);
}

/* Kernels that are refused do not fail the load; who asks for a log reads of the first of them. */
static void log_refused(const module_object *mo, char *log, size_t size)
{
    for (int i = 0; i < mo->nkernels; i++) {
        const sg_error *e = &mo->kernels[i].refused;
        if (!e->line)
            continue;
        snprintf(log, size, "kernel %.100s is refused: PTX line %d, column %d: %s", mo->kernels[i].f->name, e->line,
                 e->col, e->text);
        return;
    }
}

CUresult load_module(context *ctx, const char *text, size_t len, module_object **out, char *log, size_t log_size)
{
    sg_error err = { 0 };
    module_object *mo = calloc(1, sizeof *mo);
    if (!mo)
        return CUDA_ERROR_OUT_OF_MEMORY;
    mo->ctx = ctx;
    if (!build(mo, text, len, &err)) {
        say("PTX line %d, column %d: %s", err.line, err.col, err.text);
        if (log && log_size)
            snprintf(log, log_size, "PTX line %d, column %d: %s", err.line, err.col, err.text);
        destroy(mo);
        return err.too_new ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_ERROR_INVALID_PTX;
    }
    if (mo->m.sm > sg.cap->cc) {
        say("the PTX is for sm_%d, the device is sm_%d (SOFTGPU_CC)", mo->m.sm, sg.cap->cc);
        destroy(mo);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (log && log_size)
        log_refused(mo, log, log_size);
    mo->next = ctx->modules;
    ctx->modules = mo;
    TELL_DEVICE(&sg.observers, IS_ON(&sg.observers), loaded, &mo->m);
    *out = mo;
    return CUDA_SUCCESS;
}

/* The text that an image holds, to be freed where it is not the image itself; NULL with a message. */
static const char *ptx_of(const void *image, CUresult *r)
{
    char why[300] =
        "the module holds machine code (a cubin): hand over PTX instead, as nvcc -ptx, NVRTC or cuda.core's "
        "compile(\"ptx\") make it; numba-cuda and others link PTX to machine code where they find nvJitLink";
    enum image_kind kind = image_kind(image);
    const char *text = kind == IMAGE_TEXT ? image : NULL;
    if (kind == IMAGE_FATBIN)
        text = fatbin_ptx(image, sg.cap->cc, why, sizeof why);
    if (!text) {
        say("%s", why);
        *r = CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    return text;
}

static CUresult load(CUmodule *out, const void *image, char *log, size_t log_size)
{
    context *c;
    CUresult r = enter_out(&c, out);
    if (!r && !image)
        r = CUDA_ERROR_INVALID_VALUE;
    const char *text = r ? NULL : ptx_of(image, &r);
    if (!r && injected(SOFTGPU_FAIL_LOAD))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (!r)
        r = load_module(c, text, strlen(text), out, log, log_size);
    if (text != image)
        free((char *)(uintptr_t)text);
    return leave(r);
}

CUDAAPI CUresult cuModuleLoadData(CUmodule *out, const void *image) { return load(out, image, NULL, 0); }

CUDAAPI CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned n, const int *options, void **values)
{
    char *log = NULL;
    size_t size = 0;
    for (unsigned i = 0; i < n; i++) {
        if (options[i] == JIT_ERROR_LOG)
            log = values[i];
        if (options[i] == JIT_ERROR_LOG_SIZE)
            size = (size_t)(uintptr_t)values[i];
        if (options[i] == JIT_INFO_LOG_SIZE)
            values[i] = NULL;
    }
    if (log && size)
        log[0] = 0;
    CUresult r = load(out, image, log, size);
    for (unsigned i = 0; i < n; i++)
        if (options[i] == JIT_ERROR_LOG_SIZE)
            values[i] = (void *)(uintptr_t)(log && size ? strlen(log) : 0);
    return r;
}

static char *read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t n = 0, got;
    while (f) {
        char *more = realloc(text, n + 65537);
        if (!more)
            break;
        text = more;
        got = fread(text + n, 1, 65536, f);
        n += got;
        text[n] = 0;
        if (got < 65536)
            break;
    }
    if (f)
        fclose(f);
    return text;
}

CUDAAPI CUresult cuModuleLoad(CUmodule *out, const char *name)
{
    char *text = name ? read_file(name) : NULL;
    CUresult r = text ? load(out, text, NULL, 0) : name ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    free(text);
    return r;
}

CUDAAPI CUresult cuModuleLoadFatBinary(CUmodule *out, const void *image) { return load(out, image, NULL, 0); }

CUDAAPI CUresult cuModuleUnload(CUmodule m)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && !is_module(m))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r)
        unload_module(m);
    return leave(r);
}

static function_object *find_function(module_object *m, const char *name)
{
    for (function_object *f = m->functions; f; f = f->next)
        if (!strcmp(f->k->f->name, name))
            return f;
    for (int i = 0; i < m->nkernels; i++) {
        if (strcmp(m->kernels[i].f->name, name))
            continue;
        function_object *f = calloc(1, sizeof *f);
        if (!f)
            return NULL;
        *f = (function_object){ .next = m->functions, .owner = m, .k = &m->kernels[i] };
        u32 left = 49152 > f->k->shared_size ? 49152 - f->k->shared_size : 0;
        f->max_dynamic_shared = left;
        return m->functions = f;
    }
    return NULL;
}

CUDAAPI CUresult cuModuleGetFunction(CUfunction *out, CUmodule m, const char *name)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!out || !name))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && !is_module(m))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (r)
        return leave(r);
    *out = find_function(m, name);
    if (*out && (*out)->k->refused.line) {
        const sg_error *e = &(*out)->k->refused;
        *out = NULL;
        return leave_with(CUDA_ERROR_NOT_SUPPORTED, "kernel %.100s is refused: PTX line %d, column %d: %s", name,
                          e->line, e->col, e->text);
    }
    return leave(*out ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUDAAPI CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule m)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && !count)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && !is_module(m))
        r = CUDA_ERROR_INVALID_HANDLE;
    if (!r)
        *count = (unsigned)m->nkernels;
    return leave(r);
}

CUDAAPI CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule m, const char *name)
{
    context *c;
    CUresult r = enter_context(&c);
    if (!r && (!name || (!address && !size)))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r && !is_module(m))
        r = CUDA_ERROR_INVALID_HANDLE;
    for (int i = 0; !r && i < m->m.nvars; i++) {
        if (!m->vars[i] || strcmp(m->m.vars[i]->name, name))
            continue;
        if (address)
            *address = m->vars[i]->base;
        if (size)
            *size = (size_t)m->m.vars[i]->size;
        return leave(CUDA_SUCCESS);
    }
    return leave(r ? r : CUDA_ERROR_NOT_FOUND);
}

CUDAAPI CUresult cuModuleGetLoadingMode(int *mode)
{
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = 1;
    return CUDA_SUCCESS;
}
