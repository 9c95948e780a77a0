/* The reference backend: the spec's formulas and orders in portable C. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "core/builtin.h"
#include "core/internal.h"
#include "ref_problem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif

typedef struct memory_block {
    size_t bytes;
} memory_block;

enum {
    ALIGNMENT = 64,   /* a block's size stands before its memory */
    CACHES = 4 << 20, /* bytes */
};

typedef struct ref_backend {
    const ref_kernels *kernels; /* the first member: a test puts a witness in its place */
    int64_t threads;
    int64_t stream;                /* bytes of results beyond which they are written past the caches */
    _Atomic(memory_block *) spare; /* one block is kept: small problems would spend their time in malloc */
} ref_backend;

/* ---- options --------------------------------------------------------------------------------- */

static int all_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* The loops for an instruction set, where they are built and this processor runs them. "best": the widest. */
static const ref_kernels *kernels_for(const char *isa)
{
    bool best = !strcmp(isa, "best");
#ifdef HAVE_AVX512
    if ((best || !strcmp(isa, "avx512")) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &cot_ref_avx512;
#endif
#ifdef HAVE_AVX2
    if ((best || !strcmp(isa, "avx2")) && __builtin_cpu_supports("avx2"))
        return &cot_ref_avx2;
#endif
    return best || !strcmp(isa, "baseline") ? &cot_ref_baseline : NULL;
}

/* NAME=N, N from `least` to `most`. */
static cot_status take_number(const char *option, int64_t least, int64_t most, int64_t *number, cot_error *error)
{
    char *end;
    long long value = strtoll(strchr(option, '=') + 1, &end, 10);
    if (*end || end[-1] == '=' || value < least || value > most)
        return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, least, value,
                        "backend ref: %s: expected %lld to %lld", option, (long long)least, (long long)most);
    *number = value;
    return COT_OK;
}

static cot_status take_option(void *self, const char *option, cot_error *error)
{
    ref_backend *b = self;
    if (!strncmp(option, "threads=", 8))
        return take_number(option, 1, 1024, &b->threads, error);
    if (!strncmp(option, "stream=", 7))
        return take_number(option, 0, INT64_MAX, &b->stream, error);
    if (!strncmp(option, "isa=", 4)) {
        b->kernels = kernels_for(option + 4);
        return b->kernels ? COT_OK
                          : cot_fail(error, COT_UNSUPPORTED, COT_NO_OPERAND, 0, 0,
                                     "backend ref: %s: not here; isa=baseline and isa=best are, and avx2 and avx512 on "
                                     "processors that have them",
                                     option);
    }
    return cot_fail(error, COT_INVALID_PROBLEM, COT_NO_OPERAND, 0, 0,
                    "backend ref: there is no option \"%s\": threads=N, isa=NAME or stream=BYTES", option);
}

static cot_status open_ref(const char *options, void **self, cot_error *error)
{
    ref_backend *b = calloc(1, sizeof *b);
    if (!b)
        return cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, (int64_t)sizeof *b, 0, "out of memory");
    b->kernels = kernels_for("best");
    b->threads = all_threads();
    b->stream = CACHES;
    cot_status status = cot_take_options("ref", options, take_option, b, error);
    if (status)
        free(b);
    else
        *self = b;
    return status;
}

static void close_ref(void *self)
{
    ref_backend *b = self;
    free(atomic_load(&b->spare));
    free(b);
}

/* ---- what it does ---------------------------------------------------------------------------- */

static void describe(void *self, cot_backend_info *info)
{
    const ref_backend *b = self;
    info->device = b->kernels->isa;
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    const ref_backend *b = self;
    const cot_op_info *op = cot_op_get(desc->op);
    (void)error;
    sku->layouts = COT_LAYOUT_ALL;
    sku->device = b->kernels->isa;
    sku->guarantee.order = op->order;
    sku->guarantee.ulp_bound = cot_rounding_bound(desc);
    sku->guarantee.deterministic = sku->guarantee.bit_stable = sku->guarantee.bit_identical = 1;
    return COT_OK;
}

static memory_block *take_memory(ref_backend *b, size_t bytes)
{
    memory_block *block = atomic_exchange(&b->spare, NULL);
    if (block && block->bytes >= bytes)
        return block;
    free(block);
    block = aligned_alloc(ALIGNMENT, ALIGNMENT + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (block)
        block->bytes = bytes;
    return block;
}

/* The default floating-point environment holds in every thread while it works. */
static void work(const ref_kernels *kernels, const ref_problem *p, char *memory, int me, int team)
{
    char saved[COT_REF_ENVIRONMENT_SIZE];
    cot_ref_enter(saved);
    kernels->work(p, memory, me, team);
    cot_ref_leave(saved);
}

/* A child of fork has one thread, and the runtime may still count on those that worked for its parent: what would be
 * given to them would never come back. Children of a process whose threads have worked therefore compute alone. */
#ifdef _OPENMP
static atomic_int alone;

static void be_alone(void) { atomic_store(&alone, 1); }

static void watch_forks(void) { pthread_atfork(NULL, NULL, be_alone); }

static int team_for(const ref_problem *p)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (p->threads > 1 && !atomic_load(&alone))
        pthread_once(&once, watch_forks);
    return atomic_load(&alone) ? 1 : (int)p->threads;
}
#endif

static void work_together(const ref_kernels *kernels, const ref_problem *p, char *memory)
{
#ifdef _OPENMP
    int team = team_for(p);
#pragma omp parallel num_threads(team) if (team > 1)
    work(kernels, p, memory, omp_get_thread_num(), omp_get_num_threads());
#else
    work(kernels, p, memory, 0, 1);
#endif
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)stream, (void)workspace, (void)workspace_bytes;
    ref_backend *b = self;
    ref_problem p;
    cot_ref_arrange(&p, desc, args, (int)b->threads, b->stream);
    const ref_kernels *kernels = cot_uses_spec_policies(desc->op, &desc->policies) ? b->kernels : &cot_ref_policies;
    size_t bytes = kernels->bytes_each(&p) * (size_t)p.threads;
    memory_block *block = take_memory(b, bytes);
    if (!block)
        return cot_fail(error, COT_INTERNAL, COT_NO_OPERAND, (int64_t)bytes, 0,
                        "out of memory: backend ref needs %zu bytes", bytes);
    work_together(kernels, &p, (char *)block + ALIGNMENT);
    free(atomic_exchange(&b->spare, block));
    return COT_OK;
}

const cot_backend_api *cot_backend_ref(void)
{
    static const cot_backend_api api = {
        .abi = COT_BACKEND_ABI,
        .size = sizeof api,
        .name = "ref",
        .open = open_ref,
        .close = close_ref,
        .capabilities = capabilities,
        .run = run,
        .describe = describe,
    };
    return &api;
}
