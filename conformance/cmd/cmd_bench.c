/* cotangent bench: what a backend's kernels cost. On the software device in counters, the same on every run; else in
 * time. */
#include "bench.h"
#include "conformance/case/clock.h"
#include "cli.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const shapes[] = { "1024x1024", "1x1048576", "1048576x1", "8x131072" };
enum { SHAPES = sizeof shapes / sizeof *shapes, LEAST_RUNS = 5, MOST_RUNS = 50 };
static const double enough = 0.1; /* seconds of runs, where there are enough of them */

typedef struct settings {
    const char *backend, *op_glob, *shape, *convention; /* NULL: the spec's own, and all ops; else those that heed it */
    cot_policies policies;
    cot_element element;
    int counters, json;
    int printed;
    double copy; /* GB/s of a copy by one thread, which the bars are shares of; 0 for memory of the backend's own */
} settings;

typedef struct timing {
    double median, least, most; /* seconds */
    int runs;
} timing;

/* ---- a measurement --------------------------------------------------------------------------- */

static cot_status run_once(bench_problem *b, cot_error *error)
{
    cot_status status = cot_run(b->plan, NULL, b->workspace, b->workspace_bytes, &b->args, error);
    return status ? status : cot_synchronize(b->memory->backend, NULL, error);
}

static int shorter_first(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static timing timing_of(double *seconds, int runs)
{
    qsort(seconds, (size_t)runs, sizeof *seconds, shorter_first);
    return (timing){ (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2, seconds[0], seconds[runs - 1], runs };
}

static cot_status measure_time(bench_problem *b, timing *took, cot_error *error)
{
    double seconds[MOST_RUNS], all = 0;
    int runs = 0;
    cot_status status = run_once(b, error); /* loads what it needs */
    while (!status && runs < MOST_RUNS && (runs < LEAST_RUNS || all < enough)) {
        double start = clock_now();
        status = run_once(b, error);
        seconds[runs] = clock_now() - start;
        all += seconds[runs++];
    }
    if (!status)
        *took = timing_of(seconds, runs);
    return status;
}

/* GB/s, read and written; 0 where there is no memory for it. */
static double measure_copy(void)
{
    enum { BYTES = 1 << 25 };
    char *from = malloc(BYTES), *to = malloc(BYTES);
    double seconds[LEAST_RUNS], rate = 0;
    if (from && to) {
        memset(from, 1, BYTES);
        memcpy(to, from, BYTES);
        for (int i = 0; i < LEAST_RUNS; i++) {
            double start = clock_now();
            memcpy(to, from, BYTES);
            from[i] = to[BYTES - 1 - i]; /* so that no copy can be left out */
            seconds[i] = clock_now() - start;
        }
        rate = 2e-9 * BYTES / timing_of(seconds, LEAST_RUNS).median;
    }
    free(from);
    free(to);
    return rate;
}

static cot_status measure_counters(bench_problem *b, const device_counters *device, softgpuCounters *got,
                                   cot_error *error)
{
    device->reset();
    cot_status status = run_once(b, error);
    device->get(got);
    return status;
}

/* ---- its line -------------------------------------------------------------------------------- */

static const char *axis_name(const bench_problem *b) { return b->desc.axis < 0 ? "-" : b->desc.axis ? "1" : "0"; }

/* "var" or "var,accurate". */
static const char *row_name(const settings *s, const bench_problem *b)
{
    static char name[64];
    snprintf(name, sizeof name, "%s%s%s", b->op->name, s->convention ? "," : "", s->convention ? s->convention : "");
    return name;
}

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static void print_counters(settings *s, const bench_problem *b, const softgpuCounters *c)
{
    static const char *const table = "%-13s %-5s %-10s %-3s %8.2f %8.3f %9llu %8.4f %8llu\n";
    static const char *const json =
        "{\"op\": \"%s\", \"dtype\": \"%s\", \"shape\": \"%s\", \"axis\": \"%s\", \"instructions_per_cell\": %.2f, "
        "\"sectors_over_minimal\": %.3f, \"bank_conflicts\": %llu, \"divergence\": %.4f, \"launches\": %llu}";
    if (s->json)
        fputs(s->printed++ ? ",\n  " : "[\n  ", stdout);
    else if (!s->printed++)
        printf("%-13s %-5s %-10s %-3s %8s %8s %9s %8s %8s\n", "# op", "dtype", "shape", "ax", "PTX/cell", "sectors",
               "conflicts", "diverge", "launches");
    printf(s->json ? json : table, row_name(s, b), cot_element_name(b->desc.element), b->shape, axis_name(b),
           ratio(c->thread_instructions, b->cells),
           ratio(c->global_load_sectors + c->global_store_sectors, b->minimal_sectors),
           (unsigned long long)(c->shared_load_conflicts + c->shared_store_conflicts),
           ratio(c->divergent_branches, c->branches), (unsigned long long)c->launches);
}

/* A share of the copy: full at 1, with a + where it is more. */
static void print_share(double share)
{
    enum { FULL = 10 };
    for (int i = 0; i < FULL && i < share * FULL; i++)
        putchar('#');
    fputs(share > 1 ? "+\n" : "\n", stdout);
}

static void print_time_row(settings *s, const bench_problem *b, const timing *t)
{
    double rate = 32e-9 * (double)b->minimal_sectors / t->median;
    if (!s->printed++) {
        if (s->copy > 0)
            printf("# a copy by one thread: %.1f GB/s; the bars are shares of it\n", s->copy);
        printf("%-13s %-5s %-10s %-3s %10s %7s %4s %7s\n", "# op", "dtype", "shape", "ax", "median us", "spread",
               "runs", "GB/s");
    }
    printf("%-13s %-5s %-10s %-3s %10.1f %6.0f%% %4d %7.2f ", row_name(s, b), cot_element_name(b->desc.element),
           b->shape, axis_name(b), 1e6 * t->median, 100 * (t->most - t->least) / t->median, t->runs, rate);
    print_share(s->copy > 0 ? rate / s->copy : 0);
}

static void print_time_json(settings *s, const bench_problem *b, const timing *t)
{
    printf("%s{\"op\": \"%s\", \"dtype\": \"%s\", \"shape\": \"%s\", \"axis\": \"%s\", \"microseconds\": %.1f, "
           "\"least_microseconds\": %.1f, \"most_microseconds\": %.1f, \"runs\": %d, \"gigabytes_per_second\": %.2f}",
           s->printed++ ? ",\n  " : "[\n  ", row_name(s, b), cot_element_name(b->desc.element), b->shape, axis_name(b),
           1e6 * t->median, 1e6 * t->least, 1e6 * t->most, t->runs, 32e-9 * (double)b->minimal_sectors / t->median);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int bench_one(settings *s, bench_problem *b, const device_counters *device)
{
    softgpuCounters counters;
    timing took;
    cot_error error;
    cot_status status = device ? measure_counters(b, device, &counters, &error) : measure_time(b, &took, &error);
    if (status)
        return cli_fail(cli_exit_code(status), "%s %s: %s", b->op->name, b->shape, error.message);
    if (device)
        print_counters(s, b, &counters);
    else
        (s->json ? print_time_json : print_time_row)(s, b, &took);
    return EXIT_GOOD;
}

static int bench_shape(settings *s, bench_memory *memory, const cot_op_info *op, cot_element element, const char *shape,
                       const device_counters *device)
{
    int status = EXIT_GOOD, first = cot_has_axis(op) ? 1 : -1,
        last = cot_has_axis(op) ? 0 : -1; /* rows, then columns */
    for (int axis = first; axis >= last && !status; axis--) {
        bench_problem b;
        cot_error error;
        cot_status made = bench_make(&b, memory, op, element, shape, axis, &error);
        if (made == COT_UNSUPPORTED)
            return EXIT_GOOD;
        status = made ? cli_fail(cli_exit_code(made), "%s %s: %s", op->name, shape, error.message)
                      : bench_one(s, &b, device);
        bench_free(&b);
    }
    return status;
}

static int is_wanted(const settings *s, const cot_op_info *op)
{
    return (!s->op_glob || !fnmatch(s->op_glob, op->name, 0))
           && (!s->convention || !cot_uses_spec_policies(op->op, &s->policies));
}

static int bench_all(settings *s, bench_memory *memory, const device_counters *device)
{
    const cot_op_info *op;
    int status = EXIT_GOOD;
    for (size_t i = 0; (op = cot_op_at(i)) && !status; i++)
        for (int e = COT_F16; e <= COT_F64 && !status; e++)
            for (int n = 0; n < SHAPES && !status; n++)
                if (is_wanted(s, op) && (!s->element || e == (int)s->element)
                    && (!s->shape || !strcmp(s->shape, shapes[n])))
                    status = bench_shape(s, memory, op, (cot_element)e, shapes[n], device);
    if (s->json && !status)
        puts(s->printed ? "\n]" : "[]");
    return status;
}

static int bench_backend(settings *s, cot_backend *backend)
{
    device_counters device;
    bench_memory memory;
    cot_error error;
    if (s->counters && !device_counters_find(&device))
        return cli_fail(EXIT_UNUSABLE, "counters need the software device: --backend cuda --device soft");
    cot_status made = bench_memory_make(&memory, backend, &error);
    int status = made ? cli_fail(cli_exit_code(made), "%s", error.message) : EXIT_GOOD;
    memory.policies = s->policies;
    if (s->counters)
        device.set(SOFTGPU_COUNTERS);
    if (!s->counters && !s->json && !cot_backend_about(backend)->own_memory)
        s->copy = measure_copy();
    if (!status)
        status = bench_all(s, &memory, s->counters ? &device : NULL);
    bench_memory_free(&memory);
    return status;
}

static int check_shape(const char *shape)
{
    for (int i = 0; shape && i < SHAPES; i++)
        if (!strcmp(shape, shapes[i]))
            return 0;
    return shape ? cli_fail(EXIT_USAGE, "--shape %s: expected 1024x1024, 1x1048576, 1048576x1 or 8x131072", shape) : 0;
}

static int run(int argc, char **argv)
{
    const char *dtype = NULL;
    settings s = { .backend = "ref" };
    cot_backend *backend;
    int status;
    const cli_option options[] = {
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &s.backend, NULL },
        CLI_DEVICE,
        CLI_TIMEOUT,
        { "--op", "GLOB", "only ops that match", &s.op_glob, NULL },
        { "--dtype", "TYPE", "only f16, bf16, f32 or f64", &dtype, NULL },
        { "--shape", "SHAPE", "only 1024x1024, 1x1048576, 1048576x1 or 8x131072", &s.shape, NULL },
        { "--convention", "NAME", "torch, jax or accurate: only ops that heed it", &s.convention, NULL },
        { "--counters", NULL, "PTX instructions per cell, sectors over the least, bank conflicts, divergence, launches",
          NULL, &s.counters },
        { "--json", NULL, "an array of objects", NULL, &s.json },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_bench, options, 0, &status) < 0)
        return status;
    if ((status = check_shape(s.shape)) || (status = cli_policies(s.convention, NULL, &s.policies)))
        return status;
    if (s.json)
        cli_results_only();
    if ((dtype && (status = cli_element(dtype, &s.element))) || (status = cli_backend(s.backend, &backend)))
        return status;
    status = bench_backend(&s, backend);
    cot_backend_close(backend);
    return status;
}

const cli_command cli_bench = { "bench", "", "Measures a backend's kernels: time, or the software device's counters",
                                run };
