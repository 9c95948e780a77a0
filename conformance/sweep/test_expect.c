/* The quick evaluation against truth, at pairs of every kind: its own evaluation has the spec's bits, its exact value
 * is as near as it says, and where it says that a bound holds truth says so too. */
#include "doubt.h"
#include "expect.h"
#include "sweep_pairs.h"
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

/* What the additions of softmax's sum count for, against the roundings of its formula: any number will do here. */
static const double additions = 0.34375;

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
    double exact = ldexp(t->exact, t->exponent);
    double condition = ldexp(t->condition + additions * t->summed, t->exponent);
    double size = t->summed > 0 ? condition : exact; /* a sum may cancel */
    n->bounded++;
    return !(t->holds & TRUTH_BOUND) || fabs(e->exact[out][i] - exact) > EXACT_ERROR * fabs(size)
           || fabs(e->condition[out][i] - condition) > 0x1p-40 * condition;
}

typedef struct sample {
    float g[RUN], a[RUN], b[RUN], want[2][RUN];
    double wide[3][RUN];
    truth_cell truth[2][RUN];
    expected e;
} sample;

static void ask_truth(const cot_desc *desc, sample *s)
{
    truth_line line = { .desc = desc, .n = RUN, .dy = s->wide[0], .a = s->wide[1], .b = s->wide[2] };
    int lines = pairing_of(desc->op) == PAIRS_LINE;
    if (pairing_of(desc->op) == PAIRS_AB) {
        truth_gradient(&line, s->truth[0], s->truth[1]);
        return;
    }
    for (int i = 0; i < RUN; i++) {
        double g[] = { s->wide[0][i], s->wide[0][i] }, pair[] = { s->wide[1][i], s->wide[2][i] };
        truth_cell dx[2];
        line = (truth_line){ .desc = desc, .n = lines ? 2 : 1, .dy = g, .x = pair, .y = lines ? pair : pair + 1 };
        truth_gradient(&line, dx, NULL);
        s->truth[0][i] = dx[0];
        if (lines)
            s->truth[1][i] = dx[1];
    }
}

static void compare_run(const cot_desc *desc, sample *s, counts *n)
{
    operand_run in = expect_weights(desc);
    for (int i = 0; i < RUN; i++) {
        s->wide[0][i] = (double)(s->g[i] = draw_number(desc->element));
        s->wide[1][i] = (double)(s->a[i] = i % 5 ? draw_number(desc->element) : s->g[i]);
        s->wide[2][i] = (double)(s->b[i] = i % 7 ? draw_number(desc->element) : s->a[i]);
    }
    in.g = s->g, in.a = s->a, in.b = s->b, in.additions = additions;
    expect_of(desc->op)(&in, &s->e);
    ask_truth(desc, s);
    for (int out = 0; out < results_of(desc->op); out++) {
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
    cot_desc desc = pairs_desc(op, element);
    desc.param = 0.3;
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

/* Truth's floats of the functions are those that the C library's doubles round to, wherever these decide them; so a
 * close call, which is settled by truth, gets the spec's bits as well. */
static void test_settling(cot_op op)
{
    static sample s;
    cot_desc desc = pairs_desc(op, COT_F32);
    doubt d = { .desc = &desc, .roundings = 8, .depth = 1, .bits = 1 };
    int wrong = 0, numbers = 0;
    compare_run(&desc, &s, &(counts){ 0 });
    for (int i = 0; i < RUN; i++)
        for (d.out = 0; d.out < results_of(op); d.out++) {
            float want = s.want[d.out][i];
            d.g = s.wide[0][i], d.a = s.wide[1][i], d.b = s.wide[2][i], d.got = (double)want, d.open = 1;
            wrong += !s.e.open[i] && (doubt_settle(&d) || d.wrong || !same((double)d.literal, (double)want));
            numbers += isfinite(want) && want != 0;
        }
    ok(!wrong && numbers > RUN / 8, "%s: a close call is settled to the spec's bits, of %d numbers",
       cot_op_get(op)->name, numbers);
}

/* Powers half-way between two floats go to the even one; whatever is called a close call, truth must not move. */
static void test_ties(void)
{
    cot_desc desc = pairs_desc(COT_POW, COT_F32);
    int ties = 0, wrong = 0;
    for (int base = 257; base < 321; base += 2) { /* the cube has 25 bits, the last of them 1 */
        double cube = (double)base * base * base;
        float g = 1, b = 4, literal = g * b * (float)cube;
        doubt d = { &desc, .g = 1, .a = base, .b = 4, .got = (double)literal, .open = 1, .bits = 1, .roundings = 8 };
        ties += fabs(cube - (double)(float)cube) == 1;
        wrong += doubt_settle(&d) || d.wrong || !same((double)d.literal, (double)literal);
    }
    ok(!wrong && ties == 32, "powers half-way between two floats: %d, all to the even one", ties);
}

/* In f32, whose bound is the smallest: what so many functions of the C library may err by, over the bound. */
static void test_margin(cot_op op, int functions)
{
    cot_desc desc = pairs_desc(op, COT_F32);
    double roundings = cot_bound_under(&desc, COT_ORDER_FOLD).roundings, error = functions * LIBM_ERROR;
    ok(roundings > 0 && error < RATIO_ERROR / 2 * roundings * 0x1p-24,
       "%s: what is asked of the C library moves no ratio by a close call's margin", cot_op_get(op)->name);
}

static void test_ops(cot_element element)
{
    int unpaired = 0;
    const cot_op_info *op;
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        unpaired += !pairing_of(op->op) != !expect_of(op->op);
        if (pairing_of(op->op) && expect_of(op->op))
            test_op(op->op, element);
    }
    ok(!unpaired, "%s: every op that has pairs is expected, and no other", cot_element_name(element));
}

int main(void)
{
    plan(NO_PLAN);
    for (int e = COT_F16; e <= COT_F32; e++)
        test_ops((cot_element)e);
    test_settling(COT_HYPOT);
    test_settling(COT_POW);
    test_settling(COT_LOGSUMEXP);
    test_settling(COT_LOG_SOFTMAX);
    test_ties();
    test_margin(COT_POW, 2);
    test_margin(COT_LOGSUMEXP, 1);
    test_margin(COT_LOG_SOFTMAX, 1);
    for (int e = COT_F16; e <= COT_BF16; e++) {
        test_cells((cot_element)e);
        test_rounding((cot_element)e);
    }
    truth_end();
    return done_testing();
}
