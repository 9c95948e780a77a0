/* Takes finite differences of the forward operation, in double. */
#include "differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The line alone, in double. */
typedef struct bench {
    cot_desc desc;
    cot_view view[OPERANDS];
} bench;

static int set_up(bench *t, const scene *s)
{
    memset(t, 0, sizeof *t);
    t->desc = s->c.desc;
    t->desc.element = COT_F64;
    t->desc.rank = 1;
    t->desc.axis = 0;
    t->desc.shape[0] = (int32_t)s->n;
    for (int o = COT_DY; o < COT_DX; o++) {
        if (!s->view[o].rank)
            continue;
        if (operand_make(&t->desc, (cot_operand)o, &t->view[o]))
            return -1;
        memcpy(t->view[o].data, s->values[o], (size_t)t->view[o].length * sizeof(double));
    }
    return 0;
}

static void tear_down(bench *t)
{
    for (int o = COT_DY; o < COT_DX; o++)
        free(t->view[o].data);
}

static cot_status run_forward(bench *t)
{
    cot_args args;
    point_args(&args, t->view);
    return cot_forward(&t->desc, &args, NULL);
}

static double *cells(const bench *t, cot_operand operand) { return t->view[operand].data; }

/* A power of two, so that x + h and x - h are exact wherever x has bits to spare. */
static double step_at(double x)
{
    return isfinite(x) && x != 0 ? ldexp(1, ilogb(x) > -4 ? ilogb(x) - 16 : -20) : 0x1p-20;
}

static double loss(const bench *t)
{
    double total = 0;
    for (int64_t i = 0; i < t->view[COT_Y].length; i++)
        total += cells(t, COT_DY)[i] * cells(t, COT_Y)[i];
    return total;
}

/* y_i(x + h) - y_i(x - h), weighted: differences first, since large terms that do not change would drown them. */
static int slope_of_line(bench *t, cot_operand input, int64_t j, double *before, double *slope)
{
    double *x = cells(t, input), at = x[j], h = step_at(at);
    size_t bytes = (size_t)t->view[COT_Y].length * sizeof(double);
    x[j] = at - h;
    cot_status status = run_forward(t);
    memcpy(before, t->view[COT_Y].data, bytes);
    x[j] = at + h;
    status = status ? status : run_forward(t);
    for (int64_t i = 0; i < t->view[COT_Y].length; i++)
        cells(t, COT_Y)[i] -= before[i];
    *slope = loss(t) / (2 * h);
    x[j] = at;
    return status != COT_OK;
}

int differences(const scene *s, cot_operand input, double *slopes)
{
    bench t;
    double *before = malloc(((size_t)s->n + 1) * sizeof *before);
    int failed = set_up(&t, s) || !before;
    if (!failed && cot_has_axis(cot_op_get(s->c.desc.op))) {
        for (int64_t j = 0; j < s->n && !failed; j++)
            failed = slope_of_line(&t, input, j, before, &slopes[j]);
    } else if (!failed) { /* cells do not know each other: all at once */
        double *x = cells(&t, input);
        for (int64_t j = 0; j < s->n; j++)
            x[j] -= step_at(s->values[input][j]);
        failed = run_forward(&t) != COT_OK;
        memcpy(before, t.view[COT_Y].data, (size_t)s->n * sizeof *before);
        for (int64_t j = 0; j < s->n; j++)
            x[j] = s->values[input][j] + step_at(s->values[input][j]);
        failed |= run_forward(&t) != COT_OK;
        for (int64_t j = 0; j < s->n; j++)
            slopes[j] = s->values[COT_DY][j] * (cells(&t, COT_Y)[j] - before[j]) / (2 * step_at(s->values[input][j]));
    }
    tear_down(&t);
    free(before);
    return failed;
}
