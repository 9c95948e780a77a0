/* Softmax: clauses of section 7, and FWD-SOFTMAX. */
#include "truth_ops.h"

#include <math.h>

static value dy(const work *w, int64_t i) { return given(w, w->line->dy[i]); }
static value y(const work *w, int64_t i) { return given(w, w->line->y[i]); }

static void softmax_dx(work *w) /* SOFTMAX, SOFTMAX-NAN */
{
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = v_mul(y(w, i), dy(w, i));
    value sum = sum_fold(w->terms, w->n, w->compute);
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v_mul(y(w, i), v_sub(dy(w, i), sum));
}

static void log_softmax_dx(work *w) /* LOGSOFTMAX, LOGSOFTMAX-NAN */
{
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = dy(w, i);
    value sum = sum_fold(w->terms, w->n, w->compute);
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v_sub(dy(w, i), v_mul(v_exp(y(w, i)), sum));
}

/* NaN where there is one, as FWD-REDUCE has it. */
static value maximum(const work *w)
{
    double most = w->line->x[0];
    for (int64_t i = 1; i < w->n; i++)
        if (isnan(w->line->x[i]) || w->line->x[i] > most)
            most = isnan(most) ? most : w->line->x[i];
    return given(w, most);
}

static value from_maximum(const work *w, int64_t i, value most)
{
    return v_sub(given(w, w->line->x[i]), most);
}

static value sum_of_exp(work *w, value most)
{
    for (int64_t i = 0; i < w->n; i++)
        w->terms[i] = v_exp(from_maximum(w, i, most));
    return sum_fold(w->terms, w->n, w->compute);
}

static void softmax_y(work *w)
{
    value sum = sum_of_exp(w, maximum(w));
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v_div(w->terms[i], sum);
}

static void log_softmax_y(work *w)
{
    value most = maximum(w), log = v_log(sum_of_exp(w, most));
    for (int64_t i = 0; i < w->n; i++)
        w->first[i] = v_sub(from_maximum(w, i, most), log);
}

const truth_op truth_softmax[] = {
    [COT_SOFTMAX] = { "SOFTMAX", softmax_dx, softmax_y },
    [COT_LOG_SOFTMAX] = { "LOGSOFTMAX", log_softmax_dx, log_softmax_y },
};
