#include "judge_lines.h"
#include "judge_cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A case under judgement: a line of each input as doubles, and what truth says of it. */
typedef struct hearing {
    const problem *p;
    const trial *t;
    level upto;
    int axis;
    int64_t n, inner; /* extent along the axis; cells between neighbours on it */
    double *inputs[OPERANDS];
    truth_cell *first, *second;
    double k;
    verdict *v;
} hearing;

/* ---- what is said of a cell ---------------------------------------------------------------------------------------- */

static int64_t index_in(const cot_view *view, const int32_t index[COT_MAX_RANK]) /* extent 1 takes any index */
{
    int64_t cell = 0;
    for (int d = 0; d < view->rank; d++)
        cell = cell * view->shape[d] + (view->shape[d] == 1 ? 0 : index[d]);
    return cell;
}

void verdict_at(verdict *v, const problem *p, cot_operand out, int64_t index, double got, double want)
{
    const cot_view *view = &p->tensors[out].view;
    v->operand = out;
    v->got = got;
    v->want = want;
    for (int d = view->rank - 1; d >= 0; d--) {
        v->index[d] = (int32_t)(index % view->shape[d]);
        index /= view->shape[d];
    }
    for (int o = COT_DY; o < OPERANDS; o++) {
        const tensor *t = &p->tensors[o];
        int read = t->memory && !is_output((cot_operand)o);
        v->inputs[o] = read ? cell_value(&t->view, index_in(&t->view, v->index)) : (double)NAN;
        v->has_inputs |= read ? 1u << o : 0;
    }
}

static void fail_cell(const hearing *h, cot_operand out, int64_t index, const truth_cell *want, double got, cell_verdict cell)
{
    char numbers[256], bound[64] = "";
    const cot_desc *desc = &h->p->c.desc;
    double wanted = cell.ruling == BY_BOUND ? real_to(want->exact) : want->literal;
    if (h->v->failed && cell.at >= h->v->failed_at) {
        h->v->failed++;
        return;
    }
    describe_pair(numbers, sizeof numbers, desc->element, got, wanted);
    if (cell.ruling == BY_BOUND)
        snprintf(bound, sizeof bound, ", error/bound %.3g", cell.ratio);
    verdict_fail(h->v, cell.at, truth_clause(desc->op), "%s%s", numbers, bound);
    verdict_at(h->v, h->p, out, index, got, wanted);
}

/* ---- lines --------------------------------------------------------------------------------------------------------- */

static int64_t first_cell(const hearing *h, int64_t line, int64_t n)
{
    return line / h->inner * h->inner * n + line % h->inner;
}

static void read_line(const hearing *h, cot_operand operand, int64_t line)
{
    const cot_view *view = &h->p->tensors[operand].view;
    int64_t n = view->shape[h->axis], first = first_cell(h, line, n);
    for (int64_t i = 0; i < n; i++)
        h->inputs[operand][i] = cell_value(view, first + i * h->inner);
}

static void count_cell(verdict *v, const truth_cell *want, cell_verdict cell)
{
    v->worst_roundings = fmax(v->worst_roundings, cell.ratio * v->roundings);
    v->cells++;
    v->edge_cells += cell.ruling == BY_EDGE;
    v->nan_cells += cell.ruling == BY_EDGE && isnan(want->literal);
    v->bit_cells += cell.ruling == BY_BITS;
    v->unjudged_cells += cell.ruling == NOT_RULED;
    v->worst = fmax(v->worst, cell.ratio);
    v->worst_ulps = fmax(v->worst_ulps, cell.ulps);
}

static void judge_output(const hearing *h, cot_operand out, const truth_cell *truth, int64_t line)
{
    const cot_view view = trial_view(h->t, out);
    int64_t first = first_cell(h, line, h->n);
    for (int64_t i = 0; i < h->n; i++) {
        double got = cell_value(&view, first + i * h->inner);
        cell_verdict cell = judge_cell(&truth[i], view.element, got, h->k, h->upto);
        count_cell(h->v, &truth[i], cell);
        if (cell.wrong)
            fail_cell(h, out, first + i * h->inner, &truth[i], got, cell);
    }
}

static cot_status hear(const hearing *h)
{
    int pairs = h->p->tensors[COT_DA].memory != NULL;
    cot_operand out = pairs ? COT_DA : COT_DX;
    int64_t lines = h->n ? cell_count(&h->p->tensors[out].view) / h->n : 0;
    truth_line line = { &h->p->c.desc, h->n, h->inputs[COT_DY], h->inputs[COT_X], h->inputs[COT_Y], h->inputs[COT_A], h->inputs[COT_B] };
    cot_status status = COT_OK;
    for (int64_t l = 0; l < lines && !status; l++) {
        for (int o = COT_DY; o < COT_DX; o++)
            if (h->inputs[o])
                read_line(h, (cot_operand)o, l);
        status = truth_gradient(&line, h->first, pairs ? h->second : NULL);
        if (!status)
            judge_output(h, out, h->first, l);
        if (!status && pairs)
            judge_output(h, COT_DB, h->second, l);
    }
    return status;
}

static int allocate(hearing *h)
{
    size_t cells = (size_t)h->n + 1;
    int missing = 0;
    for (int o = COT_DY; o < COT_DX; o++)
        if (h->p->tensors[o].memory)
            missing |= !(h->inputs[o] = malloc(cells * sizeof(double)));
    h->first = malloc(cells * sizeof *h->first);
    h->second = malloc(cells * sizeof *h->second);
    return missing || !h->first || !h->second;
}

static void release(hearing *h)
{
    for (int o = COT_DY; o < COT_DX; o++)
        free(h->inputs[o]);
    free(h->first);
    free(h->second);
}

cot_status judge_lines(const trial *t, level upto, verdict *v)
{
    const cot_desc *desc = &t->p->c.desc;
    hearing h = { .p = t->p, .t = t, .upto = upto, .inner = 1, .k = cot_rounding_bound(desc), .v = v };
    h.axis = has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    h.n = desc->shape[h.axis];
    v->roundings = h.k;
    for (int d = h.axis + 1; d < desc->rank; d++)
        h.inner *= desc->shape[d];
    cot_status status = allocate(&h) ? COT_INTERNAL : hear(&h);
    release(&h);
    return status;
}
