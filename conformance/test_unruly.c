/* A plug-in that does mul in f32 well, except that it has bad days: UNRULY in the environment says which, and they come with
 * a problem of 32 cells. */
#include "cotangent.h"

#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

static volatile int never;

static void crash(const cot_args *args)
{
    (void)args;
    raise(SIGSEGV);
}

static void leave(const cot_args *args)
{
    (void)args;
    exit(0);
}

static void hang(const cot_args *args)
{
    (void)args;
    while (!never)
        pause();
}

static void stop(const cot_args *args)
{
    (void)args;
    raise(SIGSTOP);
}

static void break_heap(const cot_args *args)
{
    (void)args;
    volatile char *small = malloc(16);
    for (int i = 0; small && i < 4096; i++)
        small[i] = 0x55;
    free((void *)(uintptr_t)small);
    free(malloc(5000));
}

static void write_far(const cot_args *args)
{
    volatile char *cells = args->da->data;
    cells[args->da->length * 4 + 3000] = 1;
}

static void write_near(const cot_args *args)
{
    ((char *)args->da->data)[args->da->length * 4] = 1;
}

static void write_input(const cot_args *args)
{
    ((char *)args->dy->data)[0] ^= 1;
}

static void write_nothing(const cot_args *args)
{
    memset(args->db->data, 0xFF, (size_t)args->db->length * 4);
}

static void round_up(const cot_args *args)
{
    (void)args;
    fesetround(FE_UPWARD);
}

static void flush(const cot_args *args)
{
    (void)args;
#ifdef __SSE__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#else
    fesetround(FE_UPWARD);
#endif
}

static void chat(const cot_args *args)
{
    (void)args;
    puts("a line on standard output");
    fflush(stdout);
}

static const struct day {
    const char *name;
    void (*act)(const cot_args *args);
} days[] = { { "crash", crash }, { "exit", leave }, { "hang", hang }, { "stop", stop }, { "heap", break_heap }, { "far", write_far },
             { "near", write_near }, { "input", write_input }, { "nothing", write_nothing }, { "rounding", round_up }, { "flush", flush },
             { "chat", chat } };

static int today(const char *name)
{
    const char *mood = getenv("UNRULY");
    return mood && !strcmp(mood, name);
}

__attribute__((constructor)) static void load(void)
{
    if (today("load"))
        raise(SIGSEGV);
}

static cot_status open_unruly(const char *options, void **self, cot_error *error)
{
    (void)options, (void)self, (void)error;
    if (today("open"))
        hang(NULL);
    return COT_OK;
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)error;
    if (desc->op != COT_MUL || desc->element != COT_F32)
        return COT_UNSUPPORTED;
    sku->layouts = COT_LAYOUT_CONTIGUOUS;
    return COT_OK;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc, const cot_args *args,
                      cot_error *error)
{
    (void)self, (void)stream, (void)workspace, (void)bytes, (void)desc, (void)error;
    const float *g = args->dy->data, *a = args->a->data, *b = args->b->data;
    float *da = args->da->data, *db = args->db->data;
    int64_t n = args->da->length;
    for (int64_t i = 0; i < n; i++) {
        float first = g[i] * b[i], second = g[i] * a[i];
        da[i] = first;
        db[i] = second;
    }
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        if (n == 32 && today(days[i].name))
            days[i].act(args);
    return COT_OK;
}

/* A port that checks calls itself, and knows one fault; or none, on a trusting day. */
static cot_status validate(void *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)self;
    int64_t needed = 1;
    for (int i = 0; i < desc->rank; i++)
        needed *= desc->shape[i];
    if (!args || args->a->length >= needed || today("trusting"))
        return COT_OK;
    *error = (cot_error){ COT_BUFFER_TOO_SMALL, COT_A, needed, args->a->length, 0, "a is too short" };
    return COT_BUFFER_TOO_SMALL;
}

COT_API const cot_backend_api *cot_backend_entry(void);
const cot_backend_api *cot_backend_entry(void)
{
    static cot_backend_api api = { .abi = COT_BACKEND_ABI, .size = sizeof api, .name = "unruly", .open = open_unruly,
                                   .capabilities = capabilities, .run = run };
    api.validate = today("careful") || today("trusting") ? validate : NULL;
    return &api;
}
