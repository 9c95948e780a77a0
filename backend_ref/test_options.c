/* The reference's options, and that each does what it says: which loops run, on how many threads, whether results are
 * written past the caches, and in which floating-point environment. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "conformance/tap/tap.h"
#include "test_witness.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 1 << 16 };

static cot_backend *opened(const char *options)
{
    cot_backend *backend = NULL;
    cot_error error;
    if (cot_backend_open("ref", options, &backend, &error))
        BAIL_OUT("%s: %s", options, error.message);
    return backend;
}

static cot_plan *planned(cot_backend *backend, int32_t cells)
{
    cot_desc desc = { COT_SIZED(cot_desc), .op = COT_ADD, .element = COT_F32, .rank = 1, .shape = { cells } };
    cot_plan *plan = NULL;
    cot_error error;
    if (cot_select(backend, &desc, NULL, &plan, &error))
        BAIL_OUT("%s", error.message);
    return plan;
}

/* A gradient of `cells` cells. */
static void call(cot_backend *backend, int32_t cells)
{
    static float g[CELLS], da[CELLS], db[CELLS];
    cot_view v[] = { cot_contiguous(COT_F32, 1, &cells, g), cot_contiguous(COT_F32, 1, &cells, da),
                     cot_contiguous(COT_F32, 1, &cells, db) };
    cot_args args = { COT_SIZED(cot_args), .dy = &v[0], .da = &v[1], .db = &v[2] };
    cot_plan *plan = planned(backend, cells);
    if (cot_run(plan, NULL, NULL, 0, &args, NULL))
        BAIL_OUT("a good call failed");
    cot_plan_free(plan);
}

static witness seen_at(const char *options, int32_t cells)
{
    witness w;
    cot_backend *backend = opened(options);
    memset(&w, 0, sizeof w);
    witness_watch(&w, backend);
    call(backend, cells);
    cot_backend_close(backend);
    return w;
}

/* ---- which loops ----------------------------------------------------------------------------- */

static void test_isa(const char *option, int here, const char *device)
{
    cot_backend *backend = NULL;
    cot_error error = { 0 };
    cot_status status = cot_backend_open("ref", option, &backend, &error);
    if (here) {
        cot_plan *plan = status ? NULL : planned(backend, 8);
        is(plan ? cot_plan_sku(plan)->device : error.message, device, "%s: a plan says which loops", option);
        cot_plan_free(plan);
    } else {
        cmp_ok(status, "==", COT_UNSUPPORTED, "%s is refused where it is not built or the processor has it not",
               option);
    }
    cot_backend_close(backend);
}

/* What this build and this processor have. */
static int has_avx2(void)
{
#ifdef HAVE_AVX2
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

static int has_avx512(void)
{
#ifdef HAVE_AVX512
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
           && __builtin_cpu_supports("avx512vl");
#else
    return 0;
#endif
}

static void test_loops(void)
{
    const char *widest = has_avx512() ? "cpu, AVX-512" : has_avx2() ? "cpu, AVX2" : "cpu, baseline";
    test_isa("isa=baseline", 1, "cpu, baseline");
    test_isa("isa=avx2", has_avx2(), "cpu, AVX2");
    test_isa("isa=avx512", has_avx512(), "cpu, AVX-512");
    test_isa("isa=best", 1, widest);
    test_isa("", 1, widest);
    test_isa("isa=neon", 0, NULL);
}

/* ---- threads, streaming ---------------------------------------------------------------------- */

static void test_threads(void)
{
    char option[32];
    for (int threads = 1; threads <= 4; threads++) {
        snprintf(option, sizeof option, "threads=%d", threads);
        witness w = seen_at(option, CELLS);
#ifdef _OPENMP
        cmp_ok(witness_threads(&w), "==", threads, "%s: so many work", option);
#else
        cmp_ok(witness_threads(&w), "==", 1, "%s: without OpenMP one works", option);
#endif
    }
    witness w = seen_at("threads=4", 64);
    cmp_ok(witness_threads(&w), "==", 1, "a few cells are not worth a second thread");
}

static void test_stream(void)
{
    witness w = seen_at("threads=1,stream=0", 64);
    ok(w.streamed && !w.kept, "stream=0: results of any size are written past the caches");
    w = seen_at("threads=1,stream=256", 64);
    ok(w.kept && !w.streamed, "stream=256: not those of 256 bytes");
    w = seen_at("threads=1,stream=255", 64);
    ok(w.streamed && !w.kept, "stream=255: they are");
    w = seen_at("threads=1", CELLS);
    ok(w.kept && !w.streamed, "what fits into the caches stays there");
}

/* ---- what is no option ----------------------------------------------------------------------- */

static void refused(const char *options, cot_status status, const char *says)
{
    cot_backend *backend = NULL;
    cot_error error = { 0 };
    cmp_ok(cot_backend_open("ref", options, &backend, &error), "==", status, "\"%s\" is refused", options);
    ok(!backend && strstr(error.message, says), "and says: %s", says);
}

static void test_refusals(void)
{
    refused("threads=0", COT_INVALID_PROBLEM, "threads=0: expected 1 to 1024");
    refused("threads=1025", COT_INVALID_PROBLEM, "expected 1 to 1024");
    refused("threads=", COT_INVALID_PROBLEM, "expected 1 to 1024");
    refused("threads=2x", COT_INVALID_PROBLEM, "threads=2x");
    refused("stream=-1", COT_INVALID_PROBLEM, "stream=-1: expected 0 to");
    refused("isa=", COT_UNSUPPORTED, "isa=baseline and isa=best are");
    refused("thread=1", COT_INVALID_PROBLEM, "there is no option \"thread=1\"");
    refused("threads=1,isa=baseline,colour", COT_INVALID_PROBLEM, "there is no option \"colour\"");
}

/* ---- the floating-point environment ---------------------------------------------------------- */

__attribute__((noinline)) static int rounds_upwards(void) /* the sum is made here, not later */
{
    volatile float one = 1, tiny = 0x1p-30f;
    return one + tiny > one;
}

static void test_rounding(void)
{
    witness w;
    cot_backend *backend = opened("threads=2");
    memset(&w, 0, sizeof w);
    witness_watch(&w, backend);
    fesetround(FE_UPWARD);
    int before = rounds_upwards();
    call(backend, CELLS);
    int after = rounds_upwards();
    fesetround(FE_TONEAREST);
    ok(before, "a caller that rounds upwards does");
    ok(w.default_mode >= 1 && !w.other_mode, "inside, every thread rounds to nearest");
    ok(after, "and the caller's mode is back afterwards");
    cot_backend_close(backend);
}

static void test_flushing(void)
{
#ifdef __SSE2__
    witness w;
    cot_backend *backend = opened("threads=2");
    memset(&w, 0, sizeof w);
    witness_watch(&w, backend);
    volatile float least = 0x1p-149f, two = 2;
    _mm_setcsr(_mm_getcsr() | FLUSHES);
    volatile float flushed = least * two;
    call(backend, CELLS);
    unsigned after = _mm_getcsr() & FLUSHES;
    _mm_setcsr(_mm_getcsr() & ~(unsigned)FLUSHES);
    ok(flushed == 0, "a caller that flushes subnormals does");
    ok(w.default_mode >= 1 && !w.other_mode, "inside, no thread flushes");
    ok(after == FLUSHES, "and the caller's mode is back afterwards");
    cot_backend_close(backend);
#else
    skip(1, 3, "flushing is tried with SSE's modes");
    end_skip;
#endif
}

/* ---- fork ------------------------------------------------------------------------------------ */

static void test_fork(void)
{
    witness w = seen_at("threads=3", CELLS);
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(60); /* a hang is a failure */
        w = seen_at("threads=3", CELLS);
        _exit(w.default_mode >= 1 && !w.other_mode ? 0 : 1);
    }
    ok(w.default_mode == 3, "three threads work in a parent");
    ok(child > 0 && waitpid(child, &status, 0) == child && !status, "and its child does its part alone: status %d",
       status);
}

int main(void)
{
    plan(NO_PLAN);
    test_loops();
    test_threads();
    test_stream();
    test_refusals();
    test_rounding();
    test_flushing();
    test_fork();
    return done_testing();
}
