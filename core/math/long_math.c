/* exp and log of all 2^32 floats. The C library's double function screens: MPFR judges what is close to the bound or to
 * the worst so far. Takes minutes. */
#include <math.h>

#include "measure.h"
#include "conformance/tap/tap.h"

enum { CHUNKS = 1 << 12, BLOCK = 1 << 10 }; /* of 2^20 floats, in blocks for the vectoriser */

#define MARGIN 1e-6 /* ULP of float; far above the screen's own error, which is about 2^-29 */

typedef struct {
    double units;
    float where;
} worst;

/* |got - truth| in float's ULP of the truth. */
static double screened(float got, double truth)
{
    uint64_t e = bits_d(truth) >> 52 & 0x7ff;
    uint64_t least = 1023 - 149, ulp = e > least + 23 ? e - 23 : least;
    double clamped = got > 0x1.fffffep127f ? 0x1p128 : (double)got;
    return fabs(clamped - (truth > 0x1p128 ? 0x1p128 : truth)) * real_d((2046 - ulp) << 52);
}

static void exp_block(float *y, const float *x)
{
    for (int i = 0; i < BLOCK; i++)
        y[i] = exp_f(x[i]);
}

static void log_block(float *y, const float *x)
{
    for (int i = 0; i < BLOCK; i++)
        y[i] = log_f(x[i]);
}

typedef struct {
    const function *fn;
    void (*block)(float *y, const float *x);
    double (*screen)(double);
    double bound;
} job;

/* The worse of w and the error at x. The screen settles it where it can: special values that agree, and errors that are
 * clearly smaller. */
static worst judge(const job *j, worst w, float x, float got)
{
    double truth = j->screen((double)x);
    if (truth != truth ? got != got : bits_d((double)got) == bits_d(truth))
        return w;
    int ordinary = got == got && fabs(truth) < 0x1p200 && truth != 0;
    if (ordinary && screened(got, truth) < w.units - MARGIN)
        return w;
    double units = error_at(j->fn, 0, (double)x, 0);
    worst here = { units, x };
    return units > w.units ? here : w;
}

static worst chunk_worst(const job *j, uint32_t chunk)
{
    float x[BLOCK], y[BLOCK];
    worst w = { 0.5, 0 }; /* an error of half a unit is no news */
    for (uint32_t b = 0; b < (1u << 20) / BLOCK; b++) {
        for (uint32_t i = 0; i < BLOCK; i++)
            x[i] = real_f(chunk << 20 | b * BLOCK | i);
        j->block(y, x);
        for (int i = 0; i < BLOCK; i++)
            w = judge(j, w, x[i], y[i]);
    }
    return w;
}

static void test_all(const job *j)
{
    static worst found[CHUNKS];
    worst w = { 0, 0 };
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (int c = 0; c < CHUNKS; c++)
        found[c] = chunk_worst(j, (uint32_t)c);
    for (int c = 0; c < CHUNKS; c++)
        w = found[c].units > w.units ? found[c] : w;
    note("%s_f: %.6f ULP at %a", j->fn->name, w.units, (double)w.where);
    ok(w.units <= j->bound, "%s_f: all 2^32 floats within %g ULP", j->fn->name, j->bound);
}

int main(void)
{
    const job jobs[] = { { &functions[EXP], exp_block, exp, 0.79 }, { &functions[LOG], log_block, log, 0.67 } };
    test_all(&jobs[0]);
    test_all(&jobs[1]);
    return done_testing();
}
