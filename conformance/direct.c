#include "direct.h"

#include <math.h>

static direct_value term(double value)
{
    return (direct_value){ value, fabs(value), 1 };
}

static direct_value max_dx(const direct_line *l, int64_t i) /* MAX, MAX-TIE, MAX-NAN */
{
    return term(l->x[i] == l->y[0] ? l->dy[0] : 0.0);
}

static direct_value cumsum_dx(const direct_line *l, int64_t j) /* CUMSUM, SCAN-REVERSE */
{
    direct_value sum = { -0.0, 0, 0 };
    int64_t first = l->desc->reverse ? 0 : j, last = l->desc->reverse ? j : l->n - 1;
    for (int64_t i = first; i <= last; i++) {
        sum.value += l->dy[i];
        sum.condition += fabs(l->dy[i]);
    }
    return sum;
}

static direct_value mul_da(const direct_line *l, int64_t i) { return term(l->dy[i] * l->b[i]); }
static direct_value mul_db(const direct_line *l, int64_t i) { return term(l->dy[i] * l->a[i]); }

static direct_value lerp_da(const direct_line *l, int64_t i) /* LERP, LERP-WEIGHT */
{
    double w = (double)(float)l->desc->param;
    return (direct_value){ (1 - w) * l->dy[i], (1 + fabs(w)) * fabs(l->dy[i]), 1 };
}

static direct_value lerp_db(const direct_line *l, int64_t i)
{
    return term((double)(float)l->desc->param * l->dy[i]);
}

static direct_value softmax_dx(const direct_line *l, int64_t k) /* SOFTMAX */
{
    double sum = -0.0, size = 0;
    for (int64_t i = 0; i < l->n; i++) {
        sum += l->y[i] * l->dy[i];
        size += fabs(l->y[i] * l->dy[i]);
    }
    return (direct_value){ l->y[k] * (l->dy[k] - sum), fabs(l->y[k]) * (fabs(l->dy[k]) + size), 0 };
}

static const direct_op table[] = {
    [COT_MAX] = { max_dx, NULL },       [COT_MIN] = { max_dx, NULL },       [COT_CUMSUM] = { cumsum_dx, NULL },
    [COT_MUL] = { mul_da, mul_db },     [COT_LERP] = { lerp_da, lerp_db },  [COT_SOFTMAX] = { softmax_dx, NULL },
};

const direct_op *direct_find(cot_op op)
{
    return (size_t)op < sizeof table / sizeof *table && table[op].first ? &table[op] : NULL;
}
