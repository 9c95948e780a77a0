/* exp and log of all 2^32 floats through whole backends: the reference's loops of every kind, WebAssembly, the CUDA
 * kernels on the software device. exp is logsumexp's g exp(x - y) with g = 1 and y = 0, log is pow's g a^b log a with g
 * = 1 and b = 0. Every cell must be the float that is nearest to the true value. The C library's double function
 * screens; where it leaves a doubt, MPFR judges. Takes many minutes.
 *
 *     long_floats [EVERY [FIRST]]    of 4,096 lines of 2^20 floats every EVERYth, from FIRST on */
#include "conformance/case/device_run.h"
#include "conformance/port/backends.h"
#include "conformance/tap/tap.h"

#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 1 << 12, CELLS = 1 << 20 };

typedef struct function {
    const char *name;
    cot_op op;
    cot_operand argument, result;
    double (*screen)(double x);
    int (*truth)(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding);
} function;

static const function functions[] = {
    { "exp", COT_LOGSUMEXP, COT_X, COT_DX, exp, mpfr_exp },
    { "log", COT_POW, COT_A, COT_DB, log, mpfr_log },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* `%s` in a name is the build's directory. */
typedef struct execution {
    const char *name, *options, *device; /* which it must say that it runs on; NULL: the software device */
    cot_backend *backend;
    long cells[FUNCTIONS], wrong[FUNCTIONS];
} execution;

static execution executions[] = {
    { .name = "ref", .options = "isa=baseline", .device = "cpu, baseline" },
    { .name = "ref", .options = "isa=avx2", .device = "cpu, AVX2" },
    { .name = "ref", .options = "isa=avx512", .device = "cpu, AVX-512" },
    { .name = "process:exec node '%s/wasm/wasm.js'", .device = "WebAssembly, SIMD" },
    { .name = "process:exec node '%s/wasm/wasm-nosimd.js'", .device = "WebAssembly" },
    { .name = "cuda", .options = "device=soft" },
};
enum { EXECUTIONS = sizeof executions / sizeof *executions };

static float of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return f != f ? 0x7fc00000 : bits; /* which NaN is not defined */
}

/* MPFR in binary32's own range and precision. */
static float settled(const function *f, float x)
{
    mpfr_t r, exact;
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    mpfr_inits2(24, r, exact, (mpfr_ptr)0);
    mpfr_set_flt(exact, x, MPFR_RNDN);
    int rounded = f->truth(r, exact, MPFR_RNDN);
    mpfr_subnormalize(r, rounded, MPFR_RNDN);
    float nearest = mpfr_get_flt(r, MPFR_RNDN);
    mpfr_clears(r, exact, (mpfr_ptr)0);
    return nearest;
}

/* The screen is within 2^-51 of itself: where a wider interval holds one float only, that is the nearest. */
static float expected(const function *f, float x)
{
    double near = f->screen((double)x);
    float low = (float)(near * (1 - 0x1p-48)), high = (float)(near * (1 + 0x1p-48));
    return near != near || bits_of(low) == bits_of(high) ? low : settled(f, x);
}

/* ---- a line of floats -------------------------------------------------------------------------------------------- */

typedef struct line {
    cot_desc desc;
    cot_view views[OPERANDS];
    float *x, *got, *want;
} line;

/* The op's other operands are what makes its formula the function alone. */
static int line_make(line *l, const function *f)
{
    int missing = !(l->want = malloc(CELLS * sizeof *l->want));
    l->desc = (cot_desc){ COT_SIZED(cot_desc), .op = f->op, .element = COT_F32, .rank = 1, .shape = { CELLS } };
    for (int o = COT_DY; o < OPERANDS; o++)
        if (cot_operand_used(cot_op_get(f->op), (cot_operand)o))
            missing |= operand_make(&l->desc, (cot_operand)o, &l->views[o]);
    if (missing)
        return -1;
    float *g = l->views[COT_DY].data;
    for (int64_t i = 0; i < l->views[COT_DY].length; i++)
        g[i] = 1;
    l->x = l->views[f->argument].data;
    l->got = l->views[f->result].data;
    return 0;
}

static void line_free(line *l)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(l->views[o].data);
    free(l->want);
}

static void line_fill(line *l, const function *f, uint32_t number)
{
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (uint32_t i = 0; i < CELLS; i++) {
        l->x[i] = of_bits(number << 20 | i);
        l->want[i] = expected(f, l->x[i]);
    }
}

static void compare(const line *l, execution *e, const function *f)
{
    long *wrong = &e->wrong[f - functions];
    for (int i = 0; i < CELLS; i++)
        if (bits_of(l->got[i]) != bits_of(l->want[i]) && (*wrong)++ == 0)
            diag("%s %s: %s(%a) is %a, not %a", e->name, e->options ? e->options : "", f->name, (double)l->x[i],
                 (double)l->got[i], (double)l->want[i]);
    e->cells[f - functions] += CELLS;
}

/* A call that fails, or writes nothing, leaves its cells wrong. */
static void run_line(line *l, execution *e, const function *f)
{
    cot_error error;
    memset(l->got, 0x55, CELLS * sizeof *l->got);
    if (device_execute(e->backend, &l->desc, l->views, &error))
        diag("%s: %s", e->name, error.message);
    compare(l, e, f);
}

/* ---- the executions ---------------------------------------------------------------------------------------------- */

static void open_one(execution *e)
{
    const char *builddir = getenv("builddir") ? getenv("builddir") : ".";
    char name[1024], device[1024];
    cot_error error;
    snprintf(name, sizeof name, e->name, builddir);
    snprintf(device, sizeof device, "%s/softgpu/libcuda.so.1", builddir);
    setenv("COTANGENT_SOFTGPU", device, 0);
    if (suite_backend_open(name, e->options, &e->backend, &error)) {
        e->backend = NULL;
        skip(1, 1, "%s %s: %s", name, e->options ? e->options : "", error.message);
        end_skip;
        return;
    }
    const cot_backend_info *about = cot_backend_about(e->backend);
    ok(e->device ? !strcmp(about->device, e->device) : about->software, "%s runs on %s", e->device ? e->device : name,
       about->device);
}

static void test_function(const function *f, uint32_t every, uint32_t first)
{
    line l = { 0 };
    if (line_make(&l, f))
        BAIL_OUT("out of memory");
    for (uint32_t number = first; number < LINES; number += every) {
        line_fill(&l, f, number);
        for (execution *e = executions; e < executions + EXECUTIONS; e++)
            if (e->backend)
                run_line(&l, e, f);
    }
    line_free(&l);
    for (const execution *e = executions; e < executions + EXECUTIONS; e++)
        if (e->backend)
            ok(e->cells[f - functions] > 0 && !e->wrong[f - functions],
               "%s: %ld floats, %ld not correctly rounded (%s)", f->name, e->cells[f - functions],
               e->wrong[f - functions], cot_backend_about(e->backend)->device);
}

int main(int argc, char **argv)
{
    uint32_t every = argc > 1 ? (uint32_t)atol(argv[1]) : 1, first = argc > 2 ? (uint32_t)atol(argv[2]) : 0;
    plan(NO_PLAN);
    for (execution *e = executions; e < executions + EXECUTIONS; e++)
        open_one(e);
    for (const function *f = functions; f < functions + FUNCTIONS; f++)
        test_function(f, every ? every : 1, first);
    for (execution *e = executions; e < executions + EXECUTIONS; e++)
        if (e->backend)
            cot_backend_close(e->backend);
    return done_testing();
}
