/* exp and log of all 2^32 floats, and pow, hypot and atan2 of a thousand million points: every result must be the
 * correctly rounded one. The C library's double function screens: where it leaves a doubt, MPFR judges. Takes minutes.
 *
 *     long_math [SEED]    other points */
#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "conformance/tap/tap.h"

enum { CHUNKS = 1 << 12, BLOCK = 1 << 10, PAIR_BLOCKS = 240 }; /* of floats, in blocks for the vectoriser */

typedef struct {
    float x[BLOCK], y[BLOCK], r[BLOCK];
} block;

typedef struct {
    int f;
    void (*run)(block *b);
    double (*screen)(double x, double y);
    uint32_t blocks; /* in a chunk */
    uint64_t seed;   /* of points; 0 for all floats */
} job;

static void run_exp(block *b)
{
    for (int i = 0; i < BLOCK; i++)
        b->r[i] = exp_f(b->x[i]);
}

static void run_log(block *b)
{
    for (int i = 0; i < BLOCK; i++)
        b->r[i] = log_f(b->x[i]);
}

static void run_pow(block *b)
{
    for (int i = 0; i < BLOCK; i++)
        b->r[i] = pow_f(b->x[i], b->y[i]);
}

static void run_hypot(block *b)
{
    for (int i = 0; i < BLOCK; i++)
        b->r[i] = hypot_f(b->x[i], b->y[i]);
}

static void run_atan2(block *b)
{
    for (int i = 0; i < BLOCK; i++)
        b->r[i] = atan2_f(b->x[i], b->y[i]);
}

static double screen_exp(double x, double y)
{
    (void)y;
    return exp(x);
}

static double screen_log(double x, double y)
{
    (void)y;
    return log(x);
}

/* The screen, which is within 2^-51 of itself, settles it where a wider interval holds one float only, and where there
 * is no number: MPFR for half of all floats' logarithms would take longer than all the rest. */
static int is_right(const job *j, float x, float y, float got)
{
    double truth = j->screen((double)x, (double)y);
    float low = (float)(truth * (1 - 0x1p-48)), high = (float)(truth * (1 + 0x1p-48));
    if (truth != truth)
        return got != got;
    if (bits_f(low) == bits_f(high))
        return bits_f(got) == bits_f(low);
    return is_rounded((double)got, &functions[j->f], (double)x, (double)y);
}

static void fill(block *b, const job *j, uint32_t chunk, uint32_t at)
{
    source s = { j->seed + ((uint64_t)chunk << 40) + ((uint64_t)at << 20), &format_f };
    for (uint32_t i = 0; i < BLOCK; i++) {
        point all = { (double)real_f(chunk << 20 | at * BLOCK | i), 0 };
        point p = j->seed ? drawings[j->f](&s, (int)(i % KINDS)) : all;
        b->x[i] = (float)p.x;
        b->y[i] = (float)p.y;
    }
}

static long wrong_in(const job *j, uint32_t chunk)
{
    block b;
    long wrong = 0;
    for (uint32_t at = 0; at < j->blocks; at++) {
        fill(&b, j, chunk, at);
        j->run(&b);
        for (int i = 0; i < BLOCK; i++)
            if (!is_right(j, b.x[i], b.y[i], b.r[i]) && wrong++ == 0)
                diag("%s_f(%a, %a) is %a", functions[j->f].name, (double)b.x[i], (double)b.y[i], (double)b.r[i]);
    }
    return wrong;
}

static void test_all(const job *j)
{
    long wrong = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) reduction(+ : wrong)
#endif
    for (int c = 0; c < CHUNKS; c++)
        wrong += wrong_in(j, (uint32_t)c);
    ok(wrong == 0, "%s_f: %s%.0f points, %ld not correctly rounded", functions[j->f].name,
       j->seed ? "" : "all floats, ", (double)j->blocks * BLOCK * CHUNKS, wrong);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
    const uint32_t all = (1u << 20) / BLOCK;
    const job jobs[] = {
        { EXP, run_exp, screen_exp, all, 0 },           { LOG, run_log, screen_log, all, 0 },
        { POW, run_pow, pow, PAIR_BLOCKS, seed },       { HYPOT, run_hypot, hypot, PAIR_BLOCKS, seed },
        { ATAN2, run_atan2, atan2, PAIR_BLOCKS, seed },
    };
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        test_all(&jobs[i]);
    return done_testing();
}
