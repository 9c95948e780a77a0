/* The state of the driver: lock, contexts of the thread, environment, messages. */
#include "api.h"
#include "softgpu/check/findings.h"
#include <pthread.h>
#include <stdarg.h>
#include <time.h>

state sg;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { STACK = 64 };
static _Thread_local context *stack[STACK];
static _Thread_local int depth;
static _Thread_local char message[512];

static const capability capabilities[] = {
    { 75, 1024, 16, 64 << 10, 64 << 10 },   { 80, 2048, 32, 164 << 10, 163 << 10 },
    { 86, 1536, 16, 100 << 10, 99 << 10 },  { 89, 1536, 24, 100 << 10, 99 << 10 },
    { 90, 2048, 32, 228 << 10, 227 << 10 }, { 100, 2048, 32, 228 << 10, 227 << 10 },
    { 120, 1536, 24, 100 << 10, 99 << 10 },
};

static u64 number(const char *name, u64 otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static const capability *choose_capability(void)
{
    const char *text = getenv("SOFTGPU_CC");
    int major = 12, minor = 0;
    if (text)
        sscanf(text, "%d.%d", &major, &minor);
    const capability *best = &capabilities[0];
    for (size_t i = 0; i < COUNT(capabilities); i++)
        if (capabilities[i].cc <= major * 10 + minor)
            best = &capabilities[i];
    return best;
}

static void read_environment(void)
{
    static const char *const fails[] = { "SOFTGPU_FAIL_ALLOC", "SOFTGPU_FAIL_COPY", "SOFTGPU_FAIL_LOAD",
                                         "SOFTGPU_FAIL_LAUNCH" };
    const char *checks = getenv("SOFTGPU_CHECK");
    u32 parsed = checks ? softgpuParseChecks(checks) : 0;
    u32 counting = getenv("SOFTGPU_COUNTERS") ? SOFTGPU_COUNTERS : 0;
    u32 tracing = getenv("SOFTGPU_TRACE") || getenv("SOFTGPU_BREAK") ? SOFTGPU_TRACE : 0;
    tracing |= (getenv("SOFTGPU_HTML") ? SOFTGPU_PROFILE : 0u) | (getenv("SOFTGPU_WATCH") ? SOFTGPU_WATCH : 0u);
    if (parsed == ~0u)
        fprintf(stderr, "softgpu: SOFTGPU_CHECK=%s names no check that there is; all are on\n", checks);
    set_checks((parsed == ~0u ? SOFTGPU_ALL_CHECKS : parsed) | counting | tracing);
    sg.seed = number("SOFTGPU_SEED", 0);
    sg.budget = number("SOFTGPU_BUDGET", (u64)1 << 30);
    sg.threads = (int)number("SOFTGPU_THREADS", 0);
    sg.log = number("SOFTGPU_LOG", 0) != 0;
    set_report_log(sg.log);
    sg.cap = choose_capability();
    for (size_t i = 0; i < COUNT(fails); i++)
        sg.fail_at[i] = number(fails[i], 0);
    memory_start(&sg.mem, number("SOFTGPU_MEMORY", (u64)8 << 30), &sg.observers);
    if (checks || getenv("SOFTGPU_COUNTERS") || getenv("SOFTGPU_HTML"))
        report_at_exit();
}

void sg_setup(void) { pthread_once(&once, read_environment); }

CUresult enter(void)
{
    sg_setup();
    pthread_mutex_lock(&lock);
    return sg.ready ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult leave(CUresult r)
{
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult enter_context(context **ctx)
{
    CUresult r = enter();
    *ctx = current_context();
    if (r)
        return r;
    if (!*ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!is_context(*ctx))
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return (*ctx)->sticky;
}

CUresult enter_out(context **c, const void *out)
{
    CUresult r = enter_context(c);
    return r ? r : out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult enter_stream(CUstream s, context **c, const void *out)
{
    CUresult r = enter_out(c, out);
    return r ? r : is_stream(*c, s) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult enter_event(CUevent e, context **c, const void *out)
{
    CUresult r = enter_out(c, out);
    return r ? r : is_event(*c, e) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult enter_function(CUfunction f, const void *out)
{
    context *c;
    CUresult r = enter_out(&c, out);
    return r ? r : is_function(f) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static void set_message(const char *format, va_list args)
{
    vsnprintf(message, sizeof message, format, args);
    if (sg.log)
        fprintf(stderr, "softgpu: %s\n", message);
}

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(format, args);
    va_end(args);
}

CUresult leave_with(CUresult r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(format, args);
    va_end(args);
    return leave(r);
}

CUDAAPI const char *softgpuLastMessage(void) { return message; }

bool is_context(const context *c)
{
    for (const context *i = sg.contexts; i; i = i->next)
        if (i == c)
            return true;
    return sg.primary_active && c == &sg.primary;
}

static bool search_modules(const context *c, const module_object *m)
{
    for (const module_object *i = c->modules; i; i = i->next)
        if (i == m)
            return true;
    return false;
}

bool is_module(const module_object *m)
{
    for (const context *c = sg.contexts; c; c = c->next)
        if (search_modules(c, m))
            return true;
    return search_modules(&sg.primary, m);
}

static bool search_functions(const context *c, CUfunction f)
{
    for (const module_object *m = c->modules; m; m = m->next)
        for (const function_object *i = m->functions; i; i = i->next)
            if (i == f)
                return true;
    return false;
}

bool is_function(CUfunction f)
{
    for (const context *c = sg.contexts; c; c = c->next)
        if (search_functions(c, f))
            return true;
    return search_functions(&sg.primary, f);
}

/* 0, 1 and 2 are the default, legacy and per-thread streams. */
bool is_stream(const context *c, CUstream s)
{
    if ((uintptr_t)s <= 2)
        return true;
    for (const stream_object *i = c->streams; i; i = i->next)
        if (i == s)
            return true;
    return false;
}

bool is_event(const context *c, CUevent e)
{
    for (const event_object *i = c->events; i; i = i->next)
        if (i == e)
            return true;
    return false;
}

context *current_context(void) { return depth ? stack[depth - 1] : NULL; }

CUresult push_context(context *c)
{
    if (depth == STACK)
        return CUDA_ERROR_INVALID_VALUE;
    stack[depth++] = c;
    return CUDA_SUCCESS;
}

context *pop_context(void) { return depth ? stack[--depth] : NULL; }

void set_context(context *c)
{
    if (depth)
        depth--;
    if (c)
        stack[depth++] = c;
}

void forget_context(const context *c)
{
    int kept = 0;
    for (int i = 0; i < depth; i++)
        if (stack[i] != c)
            stack[kept++] = stack[i];
    depth = kept;
}

bool injected(int kind)
{
    if (!sg.fail_at[kind] || --sg.fail_at[kind])
        return false;
    say("an injected fault");
    return true;
}

double sg_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

CUDAAPI void softgpuSetSeed(uint64_t seed)
{
    enter();
    sg.seed = seed;
    leave(0);
}
CUDAAPI void softgpuSetBudget(uint64_t n)
{
    enter();
    sg.budget = n;
    leave(0);
}
CUDAAPI void softgpuSetThreads(int n)
{
    enter();
    sg.threads = n;
    leave(0);
}

CUDAAPI void softgpuFail(int kind, uint64_t nth)
{
    enter();
    if (kind >= 0 && kind < SOFTGPU_FAIL_KINDS)
        sg.fail_at[kind] = nth;
    leave(0);
}

CUDAAPI int softgpuFlipBit(uint64_t address, int bit)
{
    alloc *a;
    enter();
    u8 *p = bit >= 0 && bit < 8 ? device_range(address, 1, &a) : NULL;
    if (p)
        *p ^= (u8)(1 << bit);
    return leave(p ? 0 : -1);
}
