/* The clauses of reductions over lines of one cell, (a, b) being (x, y), and of softmax over lines of two, whose y is
 * (a, b). Every cell of dy is g. */
#include "expect_near.h"

/* ---- reductions: da is dx ---------------------------------------------------------------------- */

static void expect_extremum(const operand_run *in, expected *e) /* MAX, MAX-NAN, MAX-ZERO */
{
    for (int i = 0; i < RUN; i++)
        put_exact(e, 0, i, in->a[i] == in->b[i] ? in->g[i] : 0);
}

/* g * factor / divisor, one after the other. */
static void put_quotient(expected *e, int i, float g, float factor, float divisor)
{
    double product = (double)g * (double)factor;
    e->literal[0][i] = g * factor / divisor;
    e->exact[0][i] = product / (double)divisor;
    e->condition[0][i] = bounded(e->exact[0][i], is_normal(product) & is_normal((double)divisor));
}

static void expect_prod(const operand_run *in, expected *e) /* PROD, PROD-ZERO */
{
    for (int i = 0; i < RUN; i++)
        put_quotient(e, i, in->g[i], in->b[i], in->a[i]);
}

static void expect_norm2(const operand_run *in, expected *e) /* NORM2, NORM2-ZERO */
{
    for (int i = 0; i < RUN; i++)
        put_quotient(e, i, in->g[i], in->a[i], in->b[i]);
}

/* The difference is rounded before it is exponentiated, so that its size counts as well. */
static void expect_logsumexp(const operand_run *in, expected *e) /* LSE, LSE-INF */
{
    for (int i = 0; i < RUN; i++) {
        float g = in->g[i], less = in->a[i] - in->b[i];
        double difference = (double)in->a[i] - (double)in->b[i], literal = exp((double)less);
        double power = difference == (double)less ? literal : exp(difference);
        e->open[i] = (unsigned char)is_close(literal, LIBM_ERROR);
        e->literal[0][i] = g * (float)literal;
        e->exact[0][i] = (double)g * power;
        e->condition[0][i] = bounded(e->exact[0][i], is_normal(power)) * (1 + fabs(difference));
    }
}

/* ---- softmax: da and db are dx of the line's two cells ----------------------------------------- */

/* The sum cancels, so that a result may be far smaller than its terms, which are what its error is relative to. */
static double terms(double size, int normal) { return normal & is_normal(size) ? size : 0; }

static void put_share(const operand_run *in, expected *e, int out, int i, float y, double sum, float literal_sum)
{
    float g = in->g[i];
    double dy = (double)g, left = (double)in->a[i] * dy, right = (double)in->b[i] * dy;
    double size = fabs(left) + fabs(right);
    int normal = (is_normal(left) | (left == 0)) & (is_normal(right) | (right == 0)) & is_normal(dy);
    e->literal[out][i] = y * (g - literal_sum);
    e->exact[out][i] = (double)y * (dy - sum);
    e->condition[out][i] = terms(fabs((double)y) * (fabs(dy) + size * (1 + in->additions)), normal);
}

static void expect_softmax(const operand_run *in, expected *e) /* SOFTMAX, SOFTMAX-NAN, FOLD-ORDER */
{
    for (int i = 0; i < RUN; i++) {
        float g = in->g[i], literal_sum = in->a[i] * g + in->b[i] * g;
        double sum = (double)in->a[i] * (double)g + (double)in->b[i] * (double)g;
        put_share(in, e, 0, i, in->a[i], sum, literal_sum);
        put_share(in, e, 1, i, in->b[i], sum, literal_sum);
    }
}

static void put_log_share(const operand_run *in, expected *e, int out, int i, float y)
{
    float g = in->g[i];
    double power = exp((double)y), dy = (double)g, sum = 2 * dy;
    int normal = is_normal(power) & is_normal(dy) & is_normal(sum) & is_normal(power * sum);
    e->open[i] |= (unsigned char)is_close(power, LIBM_ERROR);
    e->literal[out][i] = g - (float)power * (g + g);
    e->exact[out][i] = dy - power * sum;
    e->condition[out][i] = terms(fabs(dy) + power * fabs(sum) * (1 + in->additions), normal);
}

static void expect_log_softmax(const operand_run *in, expected *e) /* LOGSOFTMAX, LOGSOFTMAX-NAN, FOLD-ORDER */
{
    for (int i = 0; i < RUN; i++) {
        e->open[i] = 0;
        put_log_share(in, e, 0, i, in->a[i]);
        put_log_share(in, e, 1, i, in->b[i]);
    }
}

expect_fn *expect_of_lines(cot_op op)
{
    switch ((int)op) {
    case COT_MAX:
    case COT_MIN: return expect_extremum;
    case COT_PROD: return expect_prod;
    case COT_NORM2: return expect_norm2;
    case COT_LOGSUMEXP: return expect_logsumexp;
    case COT_SOFTMAX: return expect_softmax;
    case COT_LOG_SOFTMAX: return expect_log_softmax;
    default: return NULL;
    }
}
