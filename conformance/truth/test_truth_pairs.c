/* The binary ops at every pair of special values: truth's literal evaluation against the machine's own arithmetic. */
#include "test_truth.h"

#include <float.h>

static sample s;

static const double plain[] = { 0.0, -0.0, 1, -1, 2, .5, -3, (double)INFINITY, -(double)INFINITY, (double)NAN };
static const double extreme[] = { 0x1p-149,  -0x1.8p-140,   0x1p-126,   0x1.8p-75, 0x1.fffffep127,
                                  -0x1p120,  0x1.234566p70, 0x1p-24,    65504,     0x1p-1074,
                                  0x1p-1022, DBL_MAX,       -0x1.5p600, 0x1.3p-560 };
enum { PLAIN = sizeof plain / sizeof *plain, EXTREME = sizeof extreme / sizeof *extreme, ALL = PLAIN + EXTREME };

static double special(cot_element element, int i)
{
    double number = i < PLAIN ? plain[i] : extreme[i - PLAIN], cell[1] = { 0 };
    cot_cell_set(element, cell, number);
    return cot_cell_get(element, cell);
}

/* ---- by hand --------------------------------------------------------------------------------- */

typedef struct both {
    double a, b;
} both;

static cot_element wide; /* the compute type. For + - * / a double rounded to float is the float result */

static double r(double number) { return wide == COT_F64 ? number : (double)(float)number; }

static both maximum(double g, double a, double b)
{
    if (isnan(a) || isnan(b))
        return (both){ g, g };
    if (a == b)
        return (both){ r(g / 2), r(g / 2) };
    return a > b ? (both){ g, 0 } : (both){ 0, g };
}

static both by_hand(cot_op op, double g, double a, double b)
{
    double w = (double)0.3f, square = r(r(a * a) + r(b * b));
    switch (op) {
    case COT_ADD: return (both){ g, g };
    case COT_SUB: return (both){ g, -g };
    case COT_MUL: return (both){ r(g * b), r(g * a) };
    case COT_DIV: return (both){ r(g / b), r(-r(g * a) / r(b * b)) };
    case COT_MAXIMUM: return maximum(g, a, b);
    case COT_MINIMUM: return maximum(g, -a, -b);
    case COT_ATAN2: return (both){ r(r(g * b) / square), r(r(-g * a) / square) };
    case COT_LERP: return (both){ r(r(1 - w) * g), r(w * g) };
    case COT_POW: return (both){ g * b * pow(a, b - 1), g * pow(a, b) * log(a) };
    default: return (both){ g * a / hypot(a, b), g * b / hypot(a, b) };
    }
}

/* POLICY-LOSERS with `product`, and POLICY-PAIR-NAN with `neither`: the spec's +0 is g * 0. */
static both with_products(double g, double a, double b)
{
    if (isnan(a) || isnan(b))
        return (both){ g * 0, g * 0 };
    if (a == b)
        return (both){ r(g / 2), r(g / 2) };
    return a > b ? (both){ g, g * 0 } : (both){ g * 0, g };
}

/* POLICY-QUOTIENT */
static both carefully(cot_op op, double g, double a, double b)
{
    double h = hypot(a, b);
    switch (op) {
    case COT_DIV: return (both){ r(g / b), r(-g * r(r(a / b) / b)) };
    case COT_ATAN2: return (both){ g * (b / h / h), -g * (a / h / h) };
    default: return (both){ g * (a / h), g * (b / h) };
    }
}

/* ---- comparing ------------------------------------------------------------------------------- */

static double stored(cot_element element, double number)
{
    double cell[1] = { 0 };
    float narrow = (float)number;
    cot_cell_set(element, cell, wide == COT_F64 ? number : (double)narrow);
    return cot_cell_get(element, cell);
}

static both wanted(cot_op op, double g, double a, double b)
{
    const cot_policies *p = &s.desc.policies;
    int first = op == COT_DIV ? p->quotient != COT_QUOTIENT_LITERAL : p->quotient == COT_QUOTIENT_CAREFUL;
    if (p->losers == COT_LOSERS_PRODUCT)
        return op == COT_MAXIMUM ? with_products(g, a, b) : with_products(g, -a, -b);
    return first ? carefully(op, g, a, b) : by_hand(op, g, a, b);
}

static int all_bits(cot_op op, cot_element element, double g)
{
    int wrong = 0;
    for (int i = 0; i < ALL * ALL; i++) {
        double a = special(element, i / ALL), b = special(element, i % ALL);
        both want = wanted(op, g, a, b);
        int good = same_number(s.first[i].literal, stored(element, want.a))
                   && same_number(s.second[i].literal, stored(element, want.b));
        good = good && s.first[i].holds & TRUTH_BITS && s.second[i].holds & TRUTH_BITS;
        if (!good && !wrong++)
            diag("g=%a a=%a b=%a: literal %a, %a, by hand %a, %a", g, a, b, s.first[i].literal, s.second[i].literal,
                 want.a, want.b);
    }
    return !wrong;
}

static int is_edge(double number) { return !isfinite(number) || number == 0; }

/* An edge must be known as one, and nothing else: these operands neither overflow nor round on the way. */
static int same_edge(const truth_cell *cell, double want)
{
    int known = !!(cell->holds & TRUTH_EDGE);
    return is_edge(want) ? known && same_number(cell->literal, want)
                         : !known && fabs(cell->literal - want) <= 1e-15 * fabs(want);
}

static int all_edges(cot_op op, double g)
{
    int wrong = 0;
    for (int i = 0; i < PLAIN; i++)
        for (int j = 0; j < PLAIN; j++) {
            both want = wanted(op, g, plain[i], plain[j]);
            const truth_cell *da = &s.first[i * ALL + j], *db = &s.second[i * ALL + j];
            if (!(same_edge(da, want.a) && same_edge(db, want.b)) && !wrong++)
                diag("g=%g a=%g b=%g: literal %g, %g, by hand %g, %g", g, plain[i], plain[j], da->literal, db->literal,
                     want.a, want.b);
        }
    return !wrong;
}

static void evaluate(cot_op op, cot_element element, double g, cot_policies policies)
{
    start_sample(&s, op, element, ALL * ALL);
    s.desc.param = 0.3, s.desc.policies = policies;
    wide = element == COT_F64 ? COT_F64 : COT_F32;
    for (int i = 0; i < ALL * ALL; i++) {
        s.dy[i] = g;
        s.a[i] = special(element, i / ALL);
        s.b[i] = special(element, i % ALL);
    }
    run_gradient(&s);
}

static const double gs[] = { 3, -0.1, -0.0, (double)INFINITY, (double)NAN, 0x1p-20, 60000 };

static const char *named(cot_policies p)
{
    static const char *const quotients[] = { "", ", carefully", ", carefully in div and norm2" };
    static const char *const losers[] = { "", ", losers' products in max and min", ", losers' products" };
    return p.losers ? losers[p.losers] : quotients[p.quotient];
}

static void check_bits(cot_op op, cot_policies policies)
{
    for (int e = COT_F16; e <= COT_F64; e++) {
        int good = 1;
        for (size_t i = 0; i < sizeof gs / sizeof *gs; i++) {
            double g = stored((cot_element)e, gs[i]);
            evaluate(op, (cot_element)e, g, policies);
            good &= all_bits(op, (cot_element)e, g);
        }
        ok(good, "%s %s: the bits of %d pairs%s", cot_op_get(op)->name, cot_element_name((cot_element)e), ALL * ALL,
           named(policies));
    }
}

static void check_edges(cot_op op, cot_policies policies)
{
    for (size_t i = 0; i < 3; i++) {
        evaluate(op, COT_F64, gs[i], policies);
        ok(all_edges(op, gs[i]), "%s with g=%g: the edges of %d pairs%s", cot_op_get(op)->name, gs[i], PLAIN * PLAIN,
           named(policies));
    }
}

int main(void)
{
    static const cot_op exact_ops[] = { COT_ADD,     COT_SUB,     COT_MUL,   COT_DIV,
                                        COT_MAXIMUM, COT_MINIMUM, COT_ATAN2, COT_LERP };
    const cot_policies spec = { 0 }, careful = { .quotient = COT_QUOTIENT_CAREFUL },
                       div_norm2 = { .quotient = COT_QUOTIENT_DIV_NORM2 },
                       products = { .losers = COT_LOSERS_PRODUCT, .pair_nan = COT_PAIR_NAN_NEITHER },
                       in_lines = { .losers = COT_LOSERS_LINE_PRODUCT };
    plan(NO_PLAN);
    for (size_t o = 0; o < sizeof exact_ops / sizeof *exact_ops; o++)
        check_bits(exact_ops[o], spec);
    for (int op = COT_POW; op <= COT_HYPOT; op++)
        check_edges((cot_op)op, spec);
    check_bits(COT_DIV, careful);
    check_edges(COT_ATAN2, careful);
    check_edges(COT_HYPOT, careful);
    check_bits(COT_DIV, div_norm2);
    check_bits(COT_ATAN2, div_norm2);
    check_edges(COT_HYPOT, div_norm2);
    check_bits(COT_MAXIMUM, products);
    check_bits(COT_MINIMUM, products);
    check_bits(COT_MAXIMUM, in_lines);
    truth_end();
    return done_testing();
}
