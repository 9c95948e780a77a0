/* What a sweep asks of the C library's double exp, log and pow, at every number of the 16-bit types where they take
 * one, and at pairs of numbers at random: that they are within LIBM_ERROR of truth. */
#include "expect.h"
#include "conformance/tap/tap.h"
#include "conformance/truth/truth.h"

#include <math.h>
#include <stdint.h>

static const double least = 0x1p-151, most = 0x1p129; /* beyond these everything rounds to the same float */

typedef struct measured {
    int64_t numbers, wrong;
    double worst;
} measured;

static void measure(measured *m, double got, const truth_cell *want)
{
    double exact = ldexp(want->exact, want->exponent), size = fabs(exact);
    double off = fabs((got - exact) - ldexp(want->rest, want->exponent));
    m->numbers++;
    if (!(size >= least && size <= most)) {
        m->wrong += size < least ? !(fabs(got) < 2 * least) : !(fabs(got) > most / 2);
        return;
    }
    m->worst = off > m->worst * size ? off / size : m->worst;
    m->wrong += !(off <= LIBM_ERROR * size) || signbit(got) != signbit(exact);
}

static void report(const measured *m, int64_t least_numbers, const char *what)
{
    ok(!m->wrong && m->numbers >= least_numbers, "%s: %lld numbers, within 2^%.1f", what, (long long)m->numbers,
       log2(m->worst));
}

static cot_desc desc_of(cot_op op)
{
    return (cot_desc){ COT_SIZED(cot_desc), .op = op, .element = COT_F64, .rank = 1, .shape = { 1 } };
}

/* exp(a - b), as dx of a logsumexp. */
static void measure_exp(measured *m, double a, double b)
{
    cot_desc desc = desc_of(COT_LOGSUMEXP);
    double g = 1;
    truth_line line = { .desc = &desc, .n = 1, .dy = &g, .x = &a, .y = &b };
    truth_cell dx;
    int sure;
    if (isfinite(a) && isfinite(b) && !truth_gradient_by(TRUTH_WIDE, &line, &dx, NULL, &sure))
        measure(m, exp(a - b), &dx);
}

/* log a, as db of a pow at b = 0. */
static void measure_log(measured *m, double a)
{
    cot_desc desc = desc_of(COT_POW);
    double g = 1, b = 0;
    truth_line line = { .desc = &desc, .n = 1, .dy = &g, .a = &a, .b = &b };
    truth_cell da, db;
    int sure;
    if (isfinite(a) && a > 0 && a != 1 && !truth_gradient_by(TRUTH_WIDE, &line, &da, &db, &sure))
        measure(m, log(a), &db);
}

static void measure_pow(measured *m, double a, double b)
{
    cot_desc desc = desc_of(COT_POW);
    truth_line line = { .desc = &desc, .n = 1, .a = &a, .b = &b };
    truth_cell y;
    if (isfinite(a) && a > 0 && isfinite(b) && !truth_forward(&line, &y))
        measure(m, pow(a, b), &y);
}

static void test_every(cot_element element)
{
    measured of_exp = { 0 }, of_log = { 0 };
    for (int i = 0; i < 65536; i++) {
        uint16_t cell = (uint16_t)i;
        double number = cot_cell_get(element, &cell);
        measure_exp(&of_exp, number, 0);
        measure_log(&of_log, number);
    }
    report(&of_exp, 60000, element == COT_F16 ? "exp of every f16" : "exp of every bf16");
    report(&of_log, 30000, element == COT_F16 ? "log of every f16" : "log of every bf16");
}

static double draw(cot_element element)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint32_t cell = (uint32_t)(state >> 32);
    return cot_cell_get(element, &cell);
}

/* Powers that floats can hold are few among all: a is near 1 in every other draw. */
static void test_pairs(cot_element element)
{
    enum { DRAWS = 20000 };
    measured of_exp = { 0 }, of_pow = { 0 };
    for (int i = 0; i < DRAWS; i++) {
        double a = draw(element), b = draw(element);
        measure_exp(&of_exp, fmod(a, 64), fmod(b, 64));
        measure_pow(&of_pow, i % 2 ? fabs(a) : (double)(float)(1 + fmod(a, 1) / 4), i % 2 ? b : fmod(b, 512));
    }
    report(&of_exp, DRAWS / 2, "exp of differences");
    report(&of_pow, DRAWS / 2, "pow of pairs");
}

int main(void)
{
    plan(NO_PLAN);
    for (int e = COT_F16; e <= COT_F32; e++)
        test_pairs((cot_element)e);
    test_every(COT_F16);
    test_every(COT_BF16);
    truth_end();
    return done_testing();
}
