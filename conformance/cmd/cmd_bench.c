/* cotangent bench: what a backend's kernels cost. On the software device in counters, the same on every run; else in
 * time. */
#include "bench.h"
#include "conformance/case/clock.h"
#include "cli.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char *const shapes[] = { "1024x1024", "1x1048576", "1048576x1", "8x131072" };
enum { SHAPES = sizeof shapes / sizeof *shapes, REPEATS = 5 };

typedef struct settings {
    const char *backend, *op_glob, *shape;
    cot_element element;
    int counters, json;
    int printed;
} settings;

/* ---- a measurement --------------------------------------------------------------------------- */

static cot_status run_once(bench_problem *b, cot_error *error)
{
    cot_status status = cot_run(b->plan, NULL, b->workspace, b->workspace_bytes, &b->args, error);
    return status ? status : cot_synchronize(b->memory->backend, NULL, error);
}

static cot_status measure_time(bench_problem *b, double *seconds, cot_error *error)
{
    cot_status status = run_once(b, error); /* loads what it needs */
    *seconds = 1e9;
    for (int i = 0; i < REPEATS && !status; i++) {
        double start = clock_now();
        status = run_once(b, error);
        double took = clock_now() - start;
        *seconds = took < *seconds ? took : *seconds;
    }
    return status;
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

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static void print_counters(settings *s, const bench_problem *b, const softgpuCounters *c)
{
    static const char *const table = "%-13s %-5s %-10s %-3s %8.2f %8.3f %10llu %8.4f %3llu\n";
    static const char *const json =
        "{\"op\": \"%s\", \"dtype\": \"%s\", \"shape\": \"%s\", \"axis\": \"%s\", \"instructions_per_cell\": %.2f, "
        "\"sectors_over_minimal\": %.3f, \"bank_conflicts\": %llu, \"divergence\": %.4f, \"launches\": %llu}";
    if (s->json)
        fputs(s->printed++ ? ",\n  " : "[\n  ", stdout);
    else if (!s->printed++)
        printf("%-13s %-5s %-10s %-3s %8s %8s %10s %8s %3s\n", "# op", "dtype", "shape", "ax", "PTX/cell", "sectors",
               "conflicts", "diverge", "launches");
    printf(s->json ? json : table, b->op->name, cot_element_name(b->desc.element), b->shape, axis_name(b),
           ratio(c->thread_instructions, b->cells),
           ratio(c->global_load_sectors + c->global_store_sectors, b->minimal_sectors),
           (unsigned long long)(c->shared_load_conflicts + c->shared_store_conflicts),
           ratio(c->divergent_branches, c->branches), (unsigned long long)c->launches);
}

static void print_time(settings *s, const bench_problem *b, double seconds)
{
    static const char *const table = "%-13s %-5s %-10s %-3s %10.1f us %8.2f GB/s\n";
    static const char *const json = "{\"op\": \"%s\", \"dtype\": \"%s\", \"shape\": \"%s\", \"axis\": \"%s\", "
                                    "\"microseconds\": %.1f, \"gigabytes_per_second\": %.2f}";
    if (s->json)
        fputs(s->printed ? ",\n  " : "[\n  ", stdout);
    s->printed++;
    printf(s->json ? json : table, b->op->name, cot_element_name(b->desc.element), b->shape, axis_name(b),
           1e6 * seconds, 32e-9 * (double)b->minimal_sectors / seconds);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int bench_one(settings *s, bench_problem *b, const device_counters *device)
{
    softgpuCounters counters;
    double seconds;
    cot_error error;
    cot_status status = device ? measure_counters(b, device, &counters, &error) : measure_time(b, &seconds, &error);
    if (status)
        return cli_fail(cli_exit_code(status), "%s %s: %s", b->op->name, b->shape, error.message);
    if (device)
        print_counters(s, b, &counters);
    else
        print_time(s, b, seconds);
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

static int bench_all(settings *s, bench_memory *memory, const device_counters *device)
{
    const cot_op_info *op;
    int status = EXIT_GOOD;
    for (size_t i = 0; (op = cot_op_at(i)) && !status; i++)
        for (int e = COT_F16; e <= COT_F64 && !status; e++)
            for (int n = 0; n < SHAPES && !status; n++)
                if ((!s->op_glob || !fnmatch(s->op_glob, op->name, 0)) && (!s->element || e == (int)s->element)
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
    if (s->counters)
        device.set(SOFTGPU_COUNTERS);
    if (!status)
        status = bench_all(s, &memory, s->counters ? &device : NULL);
    bench_memory_free(&memory);
    return status;
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
        { "--op", "GLOB", "only ops that match", &s.op_glob, NULL },
        { "--dtype", "TYPE", "only f16, bf16, f32 or f64", &dtype, NULL },
        { "--shape", "SHAPE", "only 1024x1024, 1x1048576, 1048576x1 or 8x131072", &s.shape, NULL },
        { "--counters", NULL, "PTX instructions per cell, sectors over the least, bank conflicts, divergence, launches",
          NULL, &s.counters },
        { "--json", NULL, "an array of objects", NULL, &s.json },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_bench, options, 0, &status) < 0)
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
