/* Scans: clauses of section 4, and FWD-SCAN. logcumsumexp has a file of its own. */
#include "truth_scan.h"

#include <math.h>

/* ---- cumsum, cumprod ----------------------------------------------------------------------------------------------- */

/* Gradients are scans against the forward direction: results go back to where their terms came from. */
static void put_against(work *w, const value *results)
{
    for (int64_t p = 0; p < w->n; p++)
        w->first[cell_against(w, p)] = results[p];
}

static void put_along(work *w, const value *results)
{
    for (int64_t p = 0; p < w->n; p++)
        w->first[cell_along(w, p)] = results[p];
}

static value x(const work *w, int64_t i) { return given(w, w->line->x[i]); }
static value y(const work *w, int64_t i) { return given(w, w->line->y[i]); }
static value dy(const work *w, int64_t i) { return given(w, w->line->dy[i]); }

static void cumsum_dx(work *w) /* CUMSUM, SCAN-REVERSE */
{
    for (int64_t p = 0; p < w->n; p++)
        w->terms[p] = dy(w, cell_against(w, p));
    sum_scan(w->terms, w->n, NULL, w->sums);
    put_against(w, w->sums);
}

static void cumsum_y(work *w)
{
    for (int64_t p = 0; p < w->n; p++)
        w->terms[p] = x(w, cell_along(w, p));
    sum_scan(w->terms, w->n, NULL, w->sums);
    put_along(w, w->sums);
}

static void literal_cumprod_dx(work *w) /* CUMPROD, CUMPROD-ZERO */
{
    for (int64_t p = 0; p < w->n; p++)
        w->terms[p] = v_mul(dy(w, cell_against(w, p)), y(w, cell_against(w, p)));
    sum_scan(w->terms, w->n, NULL, w->sums);
    for (int64_t p = 0; p < w->n; p++)
        w->sums[p] = v_div(w->sums[p], x(w, cell_against(w, p)));
    put_against(w, w->sums);
}

/* POLICY-ZEROS-CUMPROD: the product of the cells before j, times H_j = dy_j + x_next * H_next. */
static void exact_cumprod_dx(work *w)
{
    for (int64_t p = 0; p < w->n; p++)
        w->terms[p] = x(w, cell_along(w, p));
    product_scan(w->terms, w->n, w->others);
    for (int64_t p = 0; p < w->n; p++) {
        w->sums[p] = dy(w, cell_against(w, p));
        w->terms[p] = p ? x(w, cell_against(w, p - 1)) : given(w, 1);
    }
    recurrence(w->sums, w->terms, w->n, w->first);
    for (int64_t p = 0; p < w->n; p++)
        w->sums[p] = p < w->n - 1 ? v_mul(w->others[w->n - 2 - p], w->first[p]) : v_mul(given(w, 1), w->first[p]);
    put_against(w, w->sums);
}

static void cumprod_dx(work *w)
{
    w->desc->policies.zeros == COT_ZEROS_EXACT ? exact_cumprod_dx(w) : literal_cumprod_dx(w);
}

static void cumprod_y(work *w)
{
    for (int64_t p = 0; p < w->n; p++)
        w->terms[p] = x(w, cell_along(w, p));
    product_scan(w->terms, w->n, w->sums);
    put_along(w, w->sums);
}

/* ---- cummax, cummin ------------------------------------------------------------------------------------------------ */

/* CUMMAX, CUMMAX-TIE, CUMMAX-NAN, POLICY-SCAN-TIES, POLICY-SCAN-NAN: does `next` take over from the winner? */
static int takes_over(const work *w, double next, double winner)
{
    int every_nan = w->desc->policies.scan_nan == COT_SCAN_NAN_EVERY;
    if (every_nan && (isnan(next) || isnan(winner)))
        return isnan(next);
    if (w->desc->policies.scan_ties == COT_SCAN_TIES_LAST && next == winner)
        return 1;
    return w->desc->op == COT_CUMMAX ? next > winner : next < winner;
}

/* Leaves in `marks` which cells win, in the order of the line. */
static void mark_winners(work *w)
{
    double winner = 0;
    for (int64_t p = 0; p < w->n; p++) {
        int64_t i = cell_along(w, p);
        w->marks[i] = (unsigned char)(p == 0 || takes_over(w, w->line->x[i], winner));
        winner = w->marks[i] ? w->line->x[i] : winner;
    }
}

static void cummax_dx(work *w)
{
    mark_winners(w);
    for (int64_t p = 0; p < w->n; p++)
        w->terms[p] = dy(w, cell_against(w, p));
    if (!w->desc->reverse) /* the marks as the scan meets them */
        for (int64_t i = 0, j = w->n - 1; i < j; i++, j--) {
            unsigned char mark = w->marks[i];
            w->marks[i] = w->marks[j];
            w->marks[j] = mark;
        }
    sum_scan(w->terms, w->n, w->marks, w->sums);
    for (int64_t p = 0; p < w->n; p++)
        w->first[cell_against(w, p)] = w->marks[p] ? w->sums[p] : given(w, 0.0);
}

static void cummax_y(work *w)
{
    double winner = 0;
    mark_winners(w);
    for (int64_t p = 0; p < w->n; p++) {
        int64_t i = cell_along(w, p);
        winner = w->marks[i] ? w->line->x[i] : winner;
        w->first[i] = given(w, winner);
    }
}

const truth_op truth_scan[] = {
    [COT_CUMSUM] = { "CUMSUM", cumsum_dx, cumsum_y },
    [COT_CUMPROD] = { "CUMPROD", cumprod_dx, cumprod_y },
    [COT_CUMMAX] = { "CUMMAX", cummax_dx, cummax_y },
    [COT_CUMMIN] = { "CUMMAX", cummax_dx, cummax_y },
    [COT_LOGCUMSUMEXP] = { "LCSE", logcumsumexp_dx, logcumsumexp_y },
};
