/* How fast the reference is, as ratios within one run:
 *
 *   bandwidth  bytes that an op must move, against a parallel copy past the caches of as many bytes, in turns
 *   growth     time per cell from 2^14 cells up to 2^26, against that at 2^22
 *   extents    time per cell over extents 2^5 to 2^24 at 2^24 cells, against the best
 *
 * usage: bench_ref [bandwidth|growth|extents] [OP] */
#include "core/cotangent.h"
#include "conformance/case/operand.h"
#include "conformance/case/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#endif

static cot_backend *backend;

/* ---- the copy -------------------------------------------------------------------------------- */

typedef void copy_loop(char *to, const char *from, size_t bytes);

#if defined __x86_64__ && defined __GNUC__
__attribute__((target("avx512f"))) static void copy_by_64(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i + 64 <= bytes; i += 64)
        _mm512_stream_si512((void *)(to + i), _mm512_load_si512((const void *)(from + i)));
    _mm_sfence();
}

__attribute__((target("avx"))) static void copy_by_32(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i + 32 <= bytes; i += 32)
        _mm256_stream_si256((__m256i *)(void *)(to + i), _mm256_load_si256((const __m256i *)(const void *)(from + i)));
    _mm_sfence();
}

static void copy_by_16(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i + 16 <= bytes; i += 16)
        _mm_stream_si128((__m128i *)(void *)(to + i), _mm_load_si128((const __m128i *)(const void *)(from + i)));
    _mm_sfence();
}

/* The widest streaming stores that the processor has: with narrow ones the copy is slow, and every op looks fast. */
static copy_loop *widest_copy(int *width)
{
    *width = __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx") ? 32 : 16;
    return *width == 64 ? copy_by_64 : *width == 32 ? copy_by_32 : copy_by_16;
}
#else
static void copy_by_memcpy(char *to, const char *from, size_t bytes) { memcpy(to, from, bytes); }

static copy_loop *widest_copy(int *width)
{
    *width = 0; /* as the C library has it */
    return copy_by_memcpy;
}
#endif

/* Moves `bytes` bytes, half of them reads. */
static double copy_time(char *buffer, size_t bytes)
{
    int width;
    copy_loop *copy_part = widest_copy(&width);
    size_t half = bytes / 2;
    double start = clock_now();
#pragma omp parallel
    {
        size_t me = 0, team = 1;
#ifdef _OPENMP
        me = (size_t)omp_get_thread_num(), team = (size_t)omp_get_num_threads();
#endif
        size_t from = half * me / team / 64 * 64, to = half * (me + 1) / team / 64 * 64;
        copy_part(buffer + half / 64 * 64 + from, buffer + from, to - from);
    }
    return clock_now() - start;
}

/* ---- a problem ------------------------------------------------------------------------------- */

typedef struct bench {
    cot_plan *plan;
    cot_args args;
    cot_view views[OPERANDS];
    size_t bytes; /* read and written */
} bench;

static void fill(float *cells, size_t count, int operand)
{
    uint32_t state = 12345u + (uint32_t)operand;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        cells[i] = 0.25f + (float)(state >> 8) * 0x1p-24f;
    }
}

static void die(const char *what)
{
    fprintf(stderr, "bench_ref: %s\n", what);
    exit(1);
}

static void make(bench *b, const cot_op_info *op, int32_t rows, int32_t cols, int axis)
{
    cot_desc desc = { COT_SIZED(cot_desc),     .op = op->op, .element = COT_F32, .rank = 2,
                      .shape = { rows, cols }, .axis = axis, .correction = 1,    .param = 0.25 };
    cot_error error;
    *b = (bench){ 0 };
    for (int o = COT_DY; o < OPERANDS; o++) {
        int32_t shape[COT_MAX_RANK];
        if (!cot_operand_used(op, (cot_operand)o))
            continue;
        cot_operand_shape(&desc, (cot_operand)o, shape);
        b->views[o] = cot_contiguous(COT_F32, 2, shape, NULL);
        size_t count = (size_t)b->views[o].length;
        b->views[o].data = aligned_alloc(64, (count * 4 + 127) / 64 * 64);
        if (!b->views[o].data)
            die("out of memory");
        fill(b->views[o].data, count, o);
        b->bytes += o == COT_Y && op->needs & COT_Y_UNREAD ? 0 : count * 4;
    }
    point_args(&b->args, b->views);
    if (cot_select(backend, &desc, NULL, &b->plan, &error))
        die(error.message);
}

static double run_time(bench *b)
{
    cot_error error;
    double start = clock_now();
    if (cot_run(b->plan, NULL, NULL, 0, &b->args, &error))
        die(error.message);
    return clock_now() - start;
}

static void drop(bench *b)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(b->views[o].data);
    cot_plan_free(b->plan);
}

/* ---- the three questions --------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over turns of copy and op: on a machine that others use too, the best of each would be a matter of luck.
 */
static double against_copy(const cot_op_info *op, int32_t rows, int32_t cols, int axis, char *buffer)
{
    enum { MOST = 101 };
    bench b;
    double ratio[MOST];
    int turns = 0;
    make(&b, op, rows, cols, axis);
    run_time(&b);
    double end = clock_now() + 0.5;
    while (turns < MOST && (turns < 7 || clock_now() < end)) {
        double copy = copy_time(buffer, b.bytes);
        ratio[turns++] = copy / run_time(&b);
    }
    drop(&b);
    qsort(ratio, (size_t)turns, sizeof *ratio, by_size);
    return ratio[turns / 2];
}

static void bandwidth(const char *only)
{
    char *buffer = aligned_alloc(64, (size_t)6 << 26);
    const cot_op_info *op;
    int width;
    if (!buffer)
        die("out of memory");
    widest_copy(&width);
    memset(buffer, 1, (size_t)6 << 26);
    printf("share of the bandwidth of a copy with stores of %d bytes past the caches, f32,\n", width);
    puts("4096 x 4096 (64 MiB an array)");
    printf("%-14s %8s %8s\n", "op", "rows", "columns");
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        if (!only || !strcmp(only, op->name))
            printf("%-14s %8.2f %8.2f\n", op->name, against_copy(op, 4096, 4096, 1, buffer),
                   against_copy(op, 4096, 4096, 0, buffer));
    free(buffer);
}

typedef struct shape {
    int32_t rows, cols;
} shape;

/* Of three runs, or as many small ones as it takes for caches and threads to be awake. */
static double shortest_time(bench *b)
{
    double best = 1e9, end = clock_now() + 2e-3;
    for (int i = 0; i < 3 || clock_now() < end; i++) {
        double t = run_time(b);
        best = t < best ? t : best;
    }
    return best;
}

/* ns per cell of each shape: the median of rounds through all. Memory that others use too is fast or slow for seconds,
 * so that what is compared must be measured close together: a round is scaled to make its sum that of the fastest. */
static void time_shapes(const cot_op_info *op, const shape *shapes, int count, double *ns)
{
    enum { ROUNDS = 15, MOST = 16 };
    bench b[MOST];
    double times[MOST][ROUNDS], sums[ROUNDS] = { 0 }, least = 1e9;
    for (int i = 0; i < count; i++)
        make(&b[i], op, shapes[i].rows, shapes[i].cols, 1);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++)
            sums[round] += times[i][round] = 1e9 * shortest_time(&b[i]) / ((double)shapes[i].rows * shapes[i].cols);
        least = sums[round] < least ? sums[round] : least;
    }
    for (int i = 0; i < count; i++) {
        for (int round = 0; round < ROUNDS; round++)
            times[i][round] *= least / sums[round];
        qsort(times[i], ROUNDS, sizeof *times[i], by_size);
        ns[i] = times[i][ROUNDS / 2];
        drop(&b[i]);
    }
}

/* Prints a line of times, and the worst of them against `base`, or against the best where that is negative. */
static void print_times(const cot_op_info *op, const double *ns, int count, int base)
{
    double worst = ns[0], best = ns[0];
    printf("%-14s", op->name);
    for (int i = 0; i < count; i++) {
        printf(" %7.3f", ns[i]);
        worst = ns[i] > worst ? ns[i] : worst;
        best = ns[i] < best ? ns[i] : best;
    }
    printf(" %7.2f\n", worst / (base < 0 ? best : ns[base]));
}

static void growth(const char *only)
{
    enum { COUNT = 7 };
    shape shapes[COUNT];
    double ns[COUNT];
    const cot_op_info *op;
    printf("\nns per cell by the number of cells, rows of 1024, f32; the worst against 2^22\n%-14s", "op");
    for (int i = 0; i < COUNT; i++) {
        shapes[i] = (shape){ 1 << (4 + 2 * i), 1 << 10 };
        printf("    2^%d", 14 + 2 * i);
    }
    puts("   worst");
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        if (!only || !strcmp(only, op->name)) {
            time_shapes(op, shapes, COUNT, ns);
            print_times(op, ns, COUNT, 4);
        }
}

static void extents(const char *only)
{
    static const int exponents[] = { 5, 7, 9, 11, 14, 17, 20, 22, 24 };
    enum { COUNT = sizeof exponents / sizeof *exponents };
    shape shapes[COUNT];
    double ns[COUNT];
    const cot_op_info *op;
    printf("\nns per cell by extent along the axis, 2^24 cells, f32; the worst against the best\n%-14s", "op");
    for (int i = 0; i < COUNT; i++) {
        shapes[i] = (shape){ 1 << (24 - exponents[i]), 1 << exponents[i] };
        printf("    2^%-2d", exponents[i]);
    }
    puts("   worst");
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        if (!only || !strcmp(only, op->name)) {
            time_shapes(op, shapes, COUNT, ns);
            print_times(op, ns, COUNT, -1);
        }
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : NULL, *only = argc > 2 ? argv[2] : NULL;
    cot_error error;
    if (cot_backend_open("ref", NULL, &backend, &error))
        die(error.message);
    if (!which || !strcmp(which, "bandwidth"))
        bandwidth(only);
    if (!which || !strcmp(which, "growth"))
        growth(only);
    if (!which || !strcmp(which, "extents"))
        extents(only);
    cot_backend_close(backend);
}
