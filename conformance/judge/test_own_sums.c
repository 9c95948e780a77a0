/* Somebody's own numbers: a sum that is within the bound of any order, and further off than rounding takes it, is
 * wrong; right sums of the same numbers, in whatever order, are not. */
#include "conformance/tap/tap.h"
#include "judge_views.h"
#include "own_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1 << 17 };

static float g[LENGTH], y[LENGTH], dx[LENGTH];

static uint32_t drawn;

static double uniform(void) /* in [0, 1) */
{
    drawn = drawn * 1664525u + 1013904223u;
    return (double)(drawn >> 8) * 0x1p-24;
}

/* ---- what a line holds, and what g is -------------------------------------------------------- */

typedef double number_fn(int i);

static double either_sign(int i) { return (void)i, 2 * uniform() - 1; }
static double positive(int i) { return (void)i, 0.5 + uniform(); }
static double constant(int i) { return (void)i, 1.1; }
static double alternating(int i) { return i & 1 ? 1.1 : -1.1 + 1e-5; }
static double ramp(int i) { return 2.0 * i / LENGTH - 0.9; }

static void fill(number_fn *number, uint32_t seed)
{
    drawn = seed;
    for (int i = 0; i < LENGTH; i++) {
        g[i] = (float)number(i);
        y[i] = (float)((0.5 + uniform()) / LENGTH);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

typedef double sum_fn(void);

static float term(int i) { return y[i] * g[i]; }

static double exact(void)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += (double)y[i] * (double)g[i];
    return sum;
}

static double strided(int stride) /* sums of every stride-th term, added up; 1: one after the other */
{
    float total = 0;
    for (int from = 0; from < stride; from++) {
        float sum = 0;
        for (int i = from; i < LENGTH; i += stride)
            sum += term(i);
        total += sum;
    }
    return (double)total;
}

static double in_turn(void) { return strided(1); }
static double of_lanes(void) { return strided(4); }
static double of_many_lanes(void) { return strided(1000); }

static double backward(void)
{
    float sum = 0;
    for (int i = LENGTH; i > 0; i--)
        sum += term(i - 1);
    return (double)sum;
}

static double in_blocks(void)
{
    float sum = 0;
    for (int from = 0; from < LENGTH; from += 128) {
        float block = 0;
        for (int i = from; i < from + 128; i++)
            block += term(i);
        sum += block;
    }
    return (double)sum;
}

static double left_out(void) { return 0; }
static double halved(void) { return exact() / 2; }

static double in_bf16(void)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++) {
        uint16_t cell;
        cot_cell_set(COT_BF16, &cell, sum + (double)term(i));
        sum = cot_cell_get(COT_BF16, &cell);
    }
    return sum;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static verdict judged(sum_fn *sum)
{
    cot_desc desc = { COT_SIZED(cot_desc), .op = COT_SOFTMAX, .element = COT_F32, .rank = 1, .shape = { LENGTH } };
    cot_view views[OPERANDS] = { { 0 } };
    verdict v;
    float s = (float)sum();
    for (int i = 0; i < LENGTH; i++)
        dx[i] = y[i] * (g[i] - s);
    void *const memory[OPERANDS] = { [COT_DY] = g, [COT_Y] = y, [COT_DX] = dx };
    for (int o = COT_DY; o < OPERANDS; o++)
        if (memory[o])
            views[o] = cot_contiguous(COT_F32, 1, desc.shape, memory[o]);
    if (judge_views(&desc, views, &v))
        BAIL_OUT("out of memory");
    return v;
}

typedef struct numbers {
    const char *name;
    number_fn *of;
} numbers;

static void acquit(const numbers *of, uint32_t seed)
{
    static sum_fn *const right[] = { in_turn, backward, of_lanes, of_many_lanes, in_blocks, exact };
    int accused = 0;
    fill(of->of, seed);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        accused += judged(right[i]).failed != 0;
    cmp_ok(accused, "==", 0, "numbers that are %s, seed %u: no right sum is accused", of->name, seed);
}

static void accuse(sum_fn *sum, sum_taken taken, const char *about)
{
    verdict v = judged(sum);
    ok(v.failed && v.reason == REASON_SUM && v.taken == taken,
       "%s: wrong, though within the bound of any order (%s, taken %d)", about, v.clause, v.taken);
}

int main(void)
{
    static const numbers of[] = { { "of either sign", either_sign },
                                  { "positive", positive },
                                  { "one constant", constant },
                                  { "alternating", alternating },
                                  { "a ramp", ramp } };
    plan(NO_PLAN);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (uint32_t seed = 1; seed < 2; seed++)
            acquit(&of[i], seed);
    fill(either_sign, 7);
    ok(fabs(exact()) > 3e-4 && fabs(exact()) < 3e-3, "a sum that is small beside its terms: %g", exact());
    accuse(left_out, SUM_LEFT_OUT, "the sum left out");
    accuse(halved, SUM_HALVED, "half of the sum");
    accuse(in_bf16, SUM_WHOLE, "an accumulator of 8 bits");
    return done_testing();
}
