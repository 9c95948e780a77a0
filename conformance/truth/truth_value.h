/* What the formulas of truth are made of. A value is the same quantity seen in three ways at once:
 *
 *   exact:   what the clause's formula says, at the operands as given;
 *   sizes:   the magnitudes that rounding errors are relative to (clause BOUND-CONDITION): `condition` those of the
 *            formula's own operations, which is the formula again with the absolute value of every term; `summed`
 *            those of additions in a sum, each of which counts as often as additions follow one another there; and
 *            `spread`, the same for terms of random signs;
 *   literal: what the clause's own evaluation gives, with every operation rounded to the compute type, in the spec's
 *            order, and what of it another sound evaluation must share.
 *
 * A formula is written once, out of the functions of truth_value.inc, and yields all three. */

/* What is known of a literal. */
enum {
    LITERAL_INEXACT = 1,  /* something on the way was rounded, or would be in another sound evaluation */
    LITERAL_FUNCTION = 2, /* ... by exp, log, pow or hypot, which may be an ULP or two off: the bits are not decided */
    LITERAL_FRAGILE = 4,  /* rounded numbers cancelled: whether it is 0, and its sign, hang on the order and on luck */
    LITERAL_TINY = 8,     /* the last operation underflowed and lost bits */
    LITERAL_UNDERFLOW = 16, /* an earlier one did: the least normal number stood for its size in the condition */
    LITERAL_HUGE = 32,      /* the last operation overflowed */
    LITERAL_RANGE = 64,     /* an earlier one did, or may in another order, or a divisor underflowed: no bound holds */
    LITERAL_UP = 1024,      /* with RANGE: another sound evaluation may give an infinity, */
    LITERAL_DOWN = 2048,    /* a zero, */
    LITERAL_LOST = 4096,    /* or NaN; */
    LITERAL_TURNS = 8192,   /* and the sign of that infinity is open */
    LITERAL_FOREIGN = 128,  /* y is none that the forward operation gives */
    LITERAL_SIGNLESS = 256, /* a zero whose sign hangs on what a sum started with */
    LITERAL_ODD = 512       /* whether an exponent is odd, and so the sign of a power, hangs on its rounding */
};

typedef struct literal {
    double value;
    const real_format *format; /* of the compute type */
    unsigned flags;
} literal;

typedef struct value {
    real exact;
    bulk condition, summed, spread;
    literal literal;
    int given; /* an operand, or a constant: carries no error yet */
    bulk
        bend; /* how far exact / literal is from 1 in the divisors that underflowed: another may have lost only these */
} value;
