/* What the formulas of truth are made of. A value is the same quantity seen in three ways at once:
 *
 *   exact      what the clause's formula says, at the operands as given
 *   condition  the magnitude that a rounding error is relative to (clause BOUND): the formula again, with every term taken
 *              by its absolute value
 *   literal    what the clause's own evaluation gives: every operation rounded to the compute type, in the spec's order
 *
 * A formula is written once, out of the functions below, and yields all three. */
#ifndef COT_TRUTH_VALUE_H
#define COT_TRUTH_VALUE_H

#include "truth_real.h"

#include <stdint.h>

/* What is known of a literal. */
enum {
    LITERAL_INEXACT = 1,   /* something on the way was rounded */
    LITERAL_FUNCTION = 2,  /* ... by exp, log, pow or hypot, which may be an ULP or two off: the bits are not decided */
    LITERAL_FRAGILE = 4,   /* rounded numbers cancelled: whether it is 0, and its sign, hang on the order and on luck */
    LITERAL_TINY = 8,      /* the last operation underflowed and lost bits */
    LITERAL_UNDERFLOW = 16, /* an earlier one did: the least normal number stood for its size in the condition */
    LITERAL_HUGE = 32,     /* the last operation overflowed */
    LITERAL_RANGE = 64     /* an earlier one did, or a divisor underflowed: no bound holds (clause BOUND) */
};

typedef struct literal {
    double value;
    const real_format *format; /* of the compute type */
    unsigned flags;
} literal;

typedef struct value {
    real exact, condition;
    literal literal;
    int given; /* an operand, or a constant: carries no error yet */
} value;

extern const real_format compute_float, compute_double;

value v_given(const real_format *compute, double operand);

value v_add(value a, value b);
value v_sub(value a, value b);
value v_mul(value a, value b);
value v_div(value a, value b);
value v_neg(value a);
value v_sqrt(value a);
value v_exp(value a);
value v_log(value a); /* of a given value or a sum without cancellation */
value v_pow(value base, value exponent); /* the base as given */
value v_hypot(value a, value b);         /* both as given, here and in atan2 */
value v_atan2(value a, value b);

/* Rounding errs by half an ULP of the result or, where it underflows, of the least normal number: whoever goes on from a
 * result that underflowed takes that number for its size. The functions above and below do. */
value v_used(value a);

/* A literal's class (NaN, infinite, zero) that every sound evaluation of the clause must share. */
int literal_is_firm(literal a);

double least_normal(const real_format *format);

literal l_add(literal a, literal b);
literal l_sub(literal a, literal b);
literal l_mul(literal a, literal b);
literal l_exp(literal a);

/* ---- sums in the spec's orders (truth_order.c) --------------------------------------------------------------------- */

/* The exact part of each is a plain running total; only the literal part knows tiles, lanes and segments. */
value sum_fold(const value *terms, int64_t n, const real_format *compute);     /* FOLD-ORDER; +0 where n is 0 */
value product_fold(const value *terms, int64_t n, const real_format *compute); /* 1 where n is 0 */

/* restart[i] says that the sum begins anew after term i; NULL: never. */
void sum_scan(const value *terms, int64_t n, const unsigned char *restart, value *results); /* SCAN-ORDER */
void product_scan(const value *terms, int64_t n, value *results);

/* G_i = d_i + a_i * G_(i-1), in the order of the arrays; a_0 is not used (SCAN-RECURRENCE). */
void recurrence(const value *d, const value *a, int64_t n, value *results);
void recurrence_literal(const value *d, const value *a, int64_t n, value *results); /* leaves exact and condition */

#endif
