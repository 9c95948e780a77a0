/* A launch: CTAs over the host's threads. */
#include "observer.h"
#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif
#if defined __SSE__
#include <xmmintrin.h>
#endif

/* The host may have switched to flushed subnormals or another rounding; lanes need the default. */
typedef struct float_mode {
    u32 saved;
} float_mode;

static float_mode enter_float_mode(void)
{
    float_mode f = { 0 };
#if defined __SSE__
    f.saved = _mm_getcsr();
    _mm_setcsr(0x1f80);
#endif
    return f;
}

static void leave_float_mode(float_mode f)
{
#if defined __SSE__
    _mm_setcsr(f.saved);
#else
    (void)f;
#endif
}

/* Shared between workers: the next CTA, and the lowest that failed. Every CTA below a failed one still runs, so the
 * failure that is reported does not depend on the number of threads. */
typedef struct queue {
    u64 next, failed;
} queue;

static void drain(worker *W, queue *q)
{
    launch *L = W->L;
    for (;;) {
        u64 i = __atomic_fetch_add(&q->next, 1, __ATOMIC_RELAXED);
        if (i >= L->ctas || i > __atomic_load_n(&q->failed, __ATOMIC_RELAXED))
            return;
        W->c.linear = permuted(i, L->ctas, L->seed);
        if (run_cta(W))
            continue;
        W->fault_cta = i;
        u64 old = __atomic_load_n(&q->failed, __ATOMIC_RELAXED);
        while (i < old && !__atomic_compare_exchange_n(&q->failed, &old, i, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
        return;
    }
}

/* A child of fork has one thread, and the runtime may still count on those that worked for its parent. */
#ifdef _OPENMP
static int alone;

static void be_alone(void) { __atomic_store_n(&alone, 1, __ATOMIC_RELAXED); }

static void watch_forks(void) { pthread_atfork(NULL, NULL, be_alone); }
#endif

static int thread_count(const launch *L)
{
    int n = 1;
#ifdef _OPENMP
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    n = L->host_threads > 0 ? L->host_threads : omp_get_max_threads();
    n = __atomic_load_n(&alone, __ATOMIC_RELAXED) ? 1 : n;
#endif
    if (L->k->in_order || !parallel_launch(L->observers) || L->ctas == 1)
        n = 1;
    return (u64)n > L->ctas ? (int)L->ctas : n;
}

executor *choose_executor(bool observed)
{
#if SG_HAS_AVX2
    if (!strcmp(sg_forms()->name, "avx2"))
        return observed ? exec_checked_avx2 : exec_plain_avx2;
#endif
    return observed ? exec_checked : exec_plain;
}

static void run_workers(launch *L, worker *workers, int n)
{
    queue q = { 0, ~(u64)0 };
#ifdef _OPENMP
#pragma omp parallel for num_threads(n) schedule(static, 1)
#endif
    for (int i = 0; i < n; i++) {
        float_mode f = enter_float_mode();
        if (worker_start(&workers[i], L))
            drain(&workers[i], &q);
        else
            raise_fault(&workers[i], FAULT_MEMORY, "the host has no memory for the launch");
        leave_float_mode(f);
    }
}

/* A cooperative launch: a worker for each block, and each step goes to the next block, so that those that wait for
 * others let them run. */
static void run_together(worker *workers, u64 n)
{
    enum step s = STEP_ON;
    u64 running = n;
    float_mode f = enter_float_mode();
    for (u64 i = 0; i < n; i++)
        start_cta(&workers[i]);
    while (running && s != STEP_FAULT) {
        running = 0;
        for (u64 i = 0; i < n && s != STEP_FAULT; i++) {
            worker *W = &workers[permuted(i, n, workers->L->seed)];
            if (W->finished)
                continue;
            s = step_cta(W);
            W->finished = s == STEP_DONE;
            running += s == STEP_ON;
        }
    }
    leave_float_mode(f);
}

static void start_together(launch *L, worker *workers, u64 n)
{
    for (u64 i = 0; i < n; i++) {
        workers[i].c.linear = i;
        if (worker_start(&workers[i], L))
            continue;
        raise_fault(&workers[i], FAULT_MEMORY, "the host has no memory for the launch");
        return;
    }
    run_together(workers, n);
}

/* The fault of the lowest CTA that failed; without one, a fault that an observer reported. */
static enum fault end_workers(worker *workers, int n, char *message, size_t size)
{
    enum fault result = FAULT_NONE;
    u64 lowest = ~(u64)0;
    for (int i = 0; i < n; i++) {
        if (workers[i].fault && workers[i].fault_cta < lowest) {
            lowest = workers[i].fault_cta;
            result = workers[i].fault;
            snprintf(message, size, "%s", workers[i].message);
        }
        if (!result && workers[i].soft_fault)
            result = workers[i].soft_fault;
        worker_end(&workers[i]);
    }
    return result;
}

enum fault run_launch(launch *L, char *message, size_t size)
{
    int n = L->workspace ? (int)L->ctas : thread_count(L);
    enum fault result = FAULT_MEMORY;
    worker *workers = calloc((size_t)n, sizeof *workers);
    L->is_observed = observed_launch(L->observers);
    L->execute = choose_executor(L->is_observed);
    L->local_size = (u32)round_up(L->k->local_size, 16) + (L->k->uses_stack ? STACK_SIZE : 0);
    L->local_stride = (u32)round_up(L->local_size, 16);
    if (workers && observers_begin(L)) {
        if (L->workspace)
            start_together(L, workers, (u64)n);
        else
            run_workers(L, workers, n);
        result = end_workers(workers, n, message, size);
    }
    observers_end(L);
    free(workers);
    return result;
}
