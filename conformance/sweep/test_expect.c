/* The quick evaluation against truth, at pairs of every kind: its own evaluation has the spec's bits, its exact value
 * is as near as it says, and where it says that a bound holds truth says so too. */
#include "expect.h"
#include "conformance/tap/tap.h"
#include "conformance/truth/truth.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { PAIRS = 8 * RUN };

typedef struct counts {
    int64_t cells, bits, bounded, close, wrong;
} counts;

static uint64_t state = 1;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* Bits at random; every fourth number is one of those where something happens. */
static float draw_number(cot_element element)
{
    static const double special[] = {
        0,           -0.0,  1,       -1,      2,        3,         -4, 0.5, (double)INFINITY, -(double)INFINITY,
        (double)NAN, 65504, 0x1p-24, 0x1p-14, 0x1p-133, 0x1.fep127
    };
    uint32_t cell = draw(), pick = draw();
    if (pick % 4 == 0)
        cot_cell_set(element, &cell, special[pick / 4 % 16]);
    return (float)cot_cell_get(element, &cell);
}

static int same(double a, double b) { return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)); }

/* Not 0: the cell contradicts truth. */
static int contradicts(const expected *e, const float *want, int out, int i, const truth_cell *t, counts *n)
{
    int decided = (t->holds & (TRUTH_EDGE | TRUTH_BITS)) != 0 && !e->open[i];
    n->cells++;
    n->bits += decided;
    n->close += e->open[i];
    if (decided && !same((double)want[i], t->literal))
        return 1;
    if (!(e->condition[out][i] > 0))
        return 0;
    double exact = ldexp(t->exact, t->exponent), condition = ldexp(t->condition, t->exponent);
    n->bounded++;
    return !(t->holds & TRUTH_BOUND) || fabs(e->exact[out][i] - exact) > EXACT_ERROR * fabs(exact)
           || fabs(e->condition[out][i] - condition) > 0x1p-40 * condition;
}

typedef struct sample {
    float g[RUN], a[RUN], b[RUN], want[2][RUN];
    double wide[3][RUN];
    truth_cell truth[2][RUN];
    expected e;
} sample;

static void compare_run(const cot_desc *desc, sample *s, counts *n)
{
    operand_run in = expect_weights(desc);
    truth_line line = { .desc = desc, .n = RUN, .dy = s->wide[0], .a = s->wide[1], .b = s->wide[2] };
    for (int i = 0; i < RUN; i++) {
        s->wide[0][i] = (double)(s->g[i] = draw_number(desc->element));
        s->wide[1][i] = (double)(s->a[i] = i % 5 ? draw_number(desc->element) : s->g[i]);
        s->wide[2][i] = (double)(s->b[i] = i % 7 ? draw_number(desc->element) : s->a[i]);
    }
    in.g = s->g, in.a = s->a, in.b = s->b;
    expect_of(desc->op)(&in, &s->e);
    truth_gradient(&line, s->truth[0], s->truth[1]);
    for (int out = 0; out < 2; out++) {
        round_run(desc->element, s->e.literal[out], s->want[out]);
        for (int i = 0; i < RUN; i++)
            if (contradicts(&s->e, s->want[out], out, i, &s->truth[out][i], n) && !n->wrong++)
                diag("%s d%c(%a, %a, %a): %a exactly %a +- %a, truth %a exactly %a +- %a, 0x%x",
                     cot_op_get(desc->op)->name, "ab"[out], s -> wide[0][i], s -> wide[1][i], s -> wide[2][i],
                     (double)s -> want[out][i], s -> e.exact[out][i], s->e.condition[out][i], s->truth[out][i].literal,
                     s->truth[out][i].exact, s->truth[out][i].condition, s->truth[out][i].holds);
    }
}

static void test_op(cot_op op, cot_element element)
{
    static sample s;
    counts n = { 0 };
    cot_desc desc = { COT_SIZED(cot_desc), .op = op, .element = element, .rank = 1, .shape = { RUN }, .param = 0.3 };
    memset(&s, 0, sizeof s);
    for (int i = 0; i < PAIRS / RUN; i++)
        compare_run(&desc, &s, &n);
    ok(!n.wrong && n.bits > n.cells / 20 && n.bounded > n.cells / 20,
       "%s %s: %lld cells, %lld by bits, %lld within a bound, %lld close", cot_op_get(op)->name,
       cot_element_name(element), (long long)n.cells, (long long)n.bits, (long long)n.bounded, (long long)n.close);
}

/* Every cell of a 16-bit type, there and back, as the library has it. */
static void test_cells(cot_element element)
{
    int wrong = 0;
    for (int from = 0; from < 65536; from += RUN) {
        uint16_t cells[RUN];
        float wide[RUN], back[RUN];
        for (int i = 0; i < RUN; i++)
            cells[i] = (uint16_t)(from + i);
        widen_run(element, cells, wide);
        round_run(element, wide, back);
        for (int i = 0; i < RUN; i++)
            wrong +=
                !same((double)wide[i], cot_cell_get(element, &cells[i])) || !same((double)wide[i], (double)back[i]);
    }
    ok(!wrong, "%s: every cell is widened exactly, and stays when it is rounded", cot_element_name(element));
}

/* Floats next to the middle of two neighbours, and anywhere. */
static void test_rounding(cot_element element)
{
    int wrong = 0;
    for (int k = 0; k < 64; k++) {
        float in[RUN], out[RUN];
        for (int i = 0; i < RUN; i++) {
            uint32_t bits = draw(), mask = element == COT_F16 ? 0x1fff : 0xffff;
            bits = i % 2 ? bits : ((bits & ~mask) | (mask / 2 + 1)) + draw() % 3 - 1;
            memcpy(&in[i], &bits, sizeof bits);
        }
        round_run(element, in, out);
        for (int i = 0; i < RUN; i++) {
            uint16_t cell;
            cot_cell_set(element, &cell, (double)in[i]);
            wrong += !same((double)out[i], cot_cell_get(element, &cell));
        }
    }
    ok(!wrong, "%s: floats round to it as the library rounds them", cot_element_name(element));
}

int main(void)
{
    static const cot_op ops[] = { COT_ADD,     COT_SUB, COT_MUL,   COT_DIV,   COT_MAXIMUM,
                                  COT_MINIMUM, COT_POW, COT_ATAN2, COT_HYPOT, COT_LERP };
    plan(NO_PLAN);
    for (int e = COT_F16; e <= COT_F32; e++)
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
            test_op(ops[i], (cot_element)e);
    for (int e = COT_F16; e <= COT_BF16; e++) {
        test_cells((cot_element)e);
        test_rounding((cot_element)e);
    }
    truth_end();
    return done_testing();
}
