/* The clauses of the elementwise operations over runs of pairs, in loops that a compiler makes vectors of. */
#include "expect_near.h"

#include <string.h>

/* ---- add, sub, maximum, minimum: nothing is rounded but by a division by two -------------------- */

static void expect_add(const operand_run *in, expected *e) /* ADD */
{
    for (int i = 0; i < RUN; i++) {
        put_exact(e, 0, i, in->g[i]);
        put_exact(e, 1, i, in->g[i]);
    }
}

static void expect_sub(const operand_run *in, expected *e) /* SUB */
{
    for (int i = 0; i < RUN; i++) {
        put_exact(e, 0, i, in->g[i]);
        put_exact(e, 1, i, -in->g[i]);
    }
}

/* MAXIMUM, MAXIMUM-TIE, MAXIMUM-NAN: what an operand takes, by how it compares with the other. */
static float share(float g, int tie, int loses) { return tie ? g / 2 : loses ? 0 : g; }

static void expect_maximum(const operand_run *in, expected *e)
{
    for (int i = 0; i < RUN; i++) {
        int tie = in->a[i] == in->b[i];
        put_exact(e, 0, i, share(in->g[i], tie, in->a[i] < in->b[i]));
        put_exact(e, 1, i, share(in->g[i], tie, in->b[i] < in->a[i]));
    }
}

static void expect_minimum(const operand_run *in, expected *e)
{
    for (int i = 0; i < RUN; i++) {
        int tie = in->a[i] == in->b[i];
        put_exact(e, 0, i, share(in->g[i], tie, in->a[i] > in->b[i]));
        put_exact(e, 1, i, share(in->g[i], tie, in->b[i] > in->a[i]));
    }
}

/* ---- mul, div, lerp -------------------------------------------------------------------------- */

static void expect_mul(const operand_run *in, expected *e) /* MUL */
{
    for (int i = 0; i < RUN; i++) {
        double g = (double)in->g[i], da = g * (double)in->b[i], db = g * (double)in->a[i];
        e->literal[0][i] = in->g[i] * in->b[i];
        e->literal[1][i] = in->g[i] * in->a[i];
        e->exact[0][i] = da;
        e->exact[1][i] = db;
        e->condition[0][i] = bounded(da, 1);
        e->condition[1][i] = bounded(db, 1);
    }
}

static void expect_div(const operand_run *in, expected *e) /* DIV, DIV-OVERFLOW */
{
    for (int i = 0; i < RUN; i++) {
        float g = in->g[i], a = in->a[i], b = in->b[i];
        double product = (double)g * (double)a, square = (double)b * (double)b;
        e->literal[0][i] = g / b;
        e->literal[1][i] = -(g * a) / (b * b);
        e->exact[0][i] = (double)g / (double)b;
        e->exact[1][i] = -product / square;
        e->condition[0][i] = bounded(e->exact[0][i], is_normal((double)b));
        e->condition[1][i] = bounded(e->exact[1][i], is_normal(product) & is_normal(square));
    }
}

static void expect_lerp(const operand_run *in, expected *e) /* LERP */
{
    for (int i = 0; i < RUN; i++) {
        double g = (double)in->g[i], da = in->exact_left * g, db = (double)in->w * g;
        e->literal[0][i] = in->left * in->g[i];
        e->literal[1][i] = in->w * in->g[i];
        e->exact[0][i] = da;
        e->exact[1][i] = db;
        e->condition[0][i] = bounded(da, is_normal(in->exact_left));
        e->condition[1][i] = bounded(db, is_normal((double)in->w));
    }
}

/* ---- atan2, hypot ---------------------------------------------------------------------------- */

static void expect_atan2(const operand_run *in, expected *e) /* ATAN2, ATAN2-ZERO */
{
    for (int i = 0; i < RUN; i++) {
        float g = in->g[i], a = in->a[i], b = in->b[i], sum = a * a + b * b;
        double aa = (double)a * (double)a, bb = (double)b * (double)b, square = aa + bb;
        double up = (double)g * (double)b, down = -(double)g * (double)a;
        int normal = is_normal(aa) & is_normal(bb) & is_normal(square);
        e->literal[0][i] = g * b / sum;
        e->literal[1][i] = -g * a / sum;
        e->exact[0][i] = up / square;
        e->exact[1][i] = down / square;
        e->condition[0][i] = bounded(e->exact[0][i], normal & is_normal(up));
        e->condition[1][i] = bounded(e->exact[1][i], normal & is_normal(down));
    }
}

static void expect_hypot(const operand_run *in, expected *e) /* HYPOT, HYPOT-ZERO */
{
    for (int i = 0; i < RUN; i++) {
        float g = in->g[i], a = in->a[i], b = in->b[i];
        double root = sqrt((double)a * (double)a + (double)b * (double)b);
        int infinite = (fabsf(a) == INFINITY) | (fabsf(b) == INFINITY);
        double h = infinite ? (double)INFINITY : root, up = (double)g * (double)a, down = (double)g * (double)b;
        e->open[i] = (unsigned char)is_close(h, 0x1p-51); /* two roundings */
        e->literal[0][i] = g * a / (float)h;
        e->literal[1][i] = g * b / (float)h;
        e->exact[0][i] = up / h;
        e->exact[1][i] = down / h;
        e->condition[0][i] = bounded(e->exact[0][i], is_normal(h) & is_normal(up));
        e->condition[1][i] = bounded(e->exact[1][i], is_normal(h) & is_normal(down));
    }
}

/* ---- pow ------------------------------------------------------------------------------------- */

/* What a run's pairs share, mostly: its a. */
typedef struct base {
    float a;
    double log, log_size; /* of a, and of its magnitude where that is a number other than 0 */
    int known;
} base;

static void look_up(base *last, float a)
{
    if (last->known && !memcmp(&last->a, &a, sizeof a))
        return;
    int number = a != 0 && fabsf(a) <= 0x1.fffffep127F;
    *last = (base){ a, log((double)a), number ? log(fabs((double)a)) : 0, 1 };
}

static void expect_power(const operand_run *in, int i, const base *of, expected *e)
{
    float g = in->g[i], a = in->a[i], b = in->b[i], less = b - 1;
    double exponent = (double)b - 1, product = (double)g * (double)b;
    double literal = pow((double)a, (double)less), power = pow((double)a, (double)b);
    double lowered = exponent == (double)less ? literal : pow((double)a, exponent);
    int is_exact = (exponent == (double)less) & (exponent + 1 == (double)b) & ((double)b - exponent == 1);
    int sign_is_sure = is_exact || a > 0; /* where b - 1 is rounded, it may be odd or even by that */
    e->open[i] =
        (unsigned char)(is_close(literal, LIBM_ERROR) | is_close(power, LIBM_ERROR) | is_close(of->log, LIBM_ERROR));
    e->literal[0][i] = g * b * (float)literal;
    e->literal[1][i] = g * (float)power * (float)of->log;
    e->exact[0][i] = product * lowered;
    e->exact[1][i] = (double)g * power * of->log;
    e->condition[0][i] = bounded(e->exact[0][i], sign_is_sure & is_normal(product) & is_normal(lowered))
                         * (1 + fabs(exponent * of->log_size));
    e->condition[1][i] = bounded(e->exact[1][i], is_normal(power) & is_normal((double)g * power) & is_normal(of->log));
}

static void expect_pow(const operand_run *in, expected *e) /* POW, POW-ZERO, POW-NEGATIVE */
{
    base last = { 0 };
    for (int i = 0; i < RUN; i++) {
        look_up(&last, in->a[i]);
        expect_power(in, i, &last, e);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

expect_fn *expect_of(cot_op op)
{
    switch ((int)op) {
    case COT_ADD: return expect_add;
    case COT_SUB: return expect_sub;
    case COT_MUL: return expect_mul;
    case COT_DIV: return expect_div;
    case COT_MAXIMUM: return expect_maximum;
    case COT_MINIMUM: return expect_minimum;
    case COT_POW: return expect_pow;
    case COT_ATAN2: return expect_atan2;
    case COT_HYPOT: return expect_hypot;
    case COT_LERP: return expect_lerp;
    default: return expect_of_lines(op);
    }
}

/* ---- rounding to the element type ------------------------------------------------------------- */

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Below the least normal number the last place is that of 0.5. */
static float to_f16(float value)
{
    uint32_t bits = bits_of(value), sign = bits & 0x80000000u;
    uint32_t kept = ((bits & 0x7fffffffu) + 0xfffu + (bits >> 13 & 1)) & ~0x1fffu;
    uint32_t normal = kept >= 0x47800000u ? 0x7f800000u : kept;
    uint32_t small = bits_of((fabsf(value) + 0.5F) - 0.5F);
    uint32_t size = fabsf(value) < 0x1p-14F ? small : normal;
    return value == value ? of_bits(size | sign) : value;
}

static float to_bf16(float value)
{
    uint32_t bits = bits_of(value);
    return value == value ? of_bits((bits + 0x7fffu + (bits >> 16 & 1)) & ~0xffffu) : value;
}

void round_run(cot_element element, const float *in, float *out)
{
    if (element == COT_F16)
        for (int i = 0; i < RUN; i++)
            out[i] = to_f16(in[i]);
    else if (element == COT_BF16)
        for (int i = 0; i < RUN; i++)
            out[i] = to_bf16(in[i]);
    else
        memcpy(out, in, RUN * sizeof *out);
}

/* The exponent's bias differs by 112; all ones stand for infinities and NaN in both. */
static float of_f16(uint16_t cell)
{
    uint32_t size = cell & 0x7fffu, sign = (uint32_t)(cell & 0x8000u) << 16;
    uint32_t scaled = bits_of(of_bits(size << 13) * 0x1p112F);
    return of_bits((size >= 0x7c00u ? size << 13 | 0x7f800000u : scaled) | sign);
}

void widen_run(cot_element element, const void *cells, float *out)
{
    const uint16_t *narrow = cells;
    if (element == COT_F16)
        for (int i = 0; i < RUN; i++)
            out[i] = of_f16(narrow[i]);
    else if (element == COT_BF16)
        for (int i = 0; i < RUN; i++)
            out[i] = of_bits((uint32_t)narrow[i] << 16);
    else
        memcpy(out, cells, RUN * sizeof *out);
}

operand_run expect_weights(const cot_desc *desc) /* LERP-WEIGHT */
{
    float w = (float)desc->param;
    return (operand_run){ .w = w, .left = 1 - w, .exact_left = 1 - (double)w };
}
