#include "judge_lines.h"
#include "judge_cell.h"
#include "judge_clause.h"
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16, SAMPLE = 2048 }; /* lines that truth is asked about whole; cells of each part of one that is longer */

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
    int exact; /* integers: the bits are the same in every order */
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
    h->v->clause = cell_clause(h->v, cell.at, h->p);
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

/* A run of cells of a line: `truth` is of the first of them on. */
typedef struct part {
    int64_t line, from, count;
} part;

static void judge_output(const hearing *h, cot_operand out, const truth_cell *truth, part at)
{
    const cot_view view = trial_view(h->t, out);
    int64_t first = first_cell(h, at.line, h->n) + at.from * h->inner;
    for (int64_t i = 0; i < at.count; i++) {
        double got = cell_value(&view, first + i * h->inner);
        cell_verdict cell = judge_cell(&truth[i], view.element, got, h->k, h->upto, h->exact);
        h->v->oracle_cells += h->exact && cell.ruling == BY_BITS;
        count_cell(h->v, &truth[i], cell);
        if (cell.wrong)
            fail_cell(h, out, first + i * h->inner, &truth[i], got, cell);
    }
}

static const double *from(const hearing *h, cot_operand operand, part at)
{
    int64_t extent = h->inputs[operand] ? h->p->tensors[operand].view.shape[h->axis] : 1;
    return h->inputs[operand] && extent > 1 ? h->inputs[operand] + at.from : h->inputs[operand];
}

static cot_status hear_part(const hearing *h, part at)
{
    int pairs = h->p->tensors[COT_DA].memory != NULL;
    truth_line line = { &h->p->c.desc, at.count, from(h, COT_DY, at), from(h, COT_X, at), from(h, COT_Y, at), from(h, COT_A, at), from(h, COT_B, at) };
    cot_status status = truth_gradient(&line, h->first, pairs ? h->second : NULL);
    if (!status)
        judge_output(h, pairs ? COT_DA : COT_DX, h->first, at);
    if (!status && pairs)
        judge_output(h, COT_DB, h->second, at);
    return status;
}

/* What truth can say of a line that is too long for it: of cells that hang on no others, all (a part of them where functions make
 * it slow); of a scan, where the gradient's own begins. The rest is counted as not judged. */
static cot_status hear_sample(const hearing *h, int64_t line)
{
    const cot_desc *desc = &h->p->c.desc;
    const cot_op_info *op = cot_op_get(desc->op);
    int scans = desc->op == COT_CUMSUM || desc->op == COT_CUMPROD || desc->op == COT_LOGCUMSUMEXP;
    int slow = desc->op == COT_LOGSUMEXP || desc->op == COT_POW || desc->op == COT_HYPOT;
    int64_t parts = op->order != COT_ORDER_NONE ? scans : slow ? 3 : (h->n + SAMPLE - 1) / SAMPLE, rest = h->n;
    cot_status status = COT_OK;
    for (int64_t i = 0; i < parts && !status; i++) {
        int64_t last = h->n - SAMPLE, at = scans ? (desc->reverse ? 0 : last) : slow ? i * last / 2 : i * SAMPLE;
        part piece = { line, at, at > last ? h->n - at : SAMPLE };
        status = hear_part(h, piece);
        rest -= piece.count;
    }
    h->v->cells += (has_axis(op) ? 1 : 2) * rest;
    h->v->unjudged_cells += (has_axis(op) ? 1 : 2) * rest;
    return status;
}

static cot_status hear(const hearing *h)
{
    cot_operand out = h->p->tensors[COT_DA].memory ? COT_DA : COT_DX;
    int64_t lines = h->n ? cell_count(&h->p->tensors[out].view) / h->n : 0;
    cot_status status = COT_OK;
    for (int64_t l = 0; l < lines && !status; l++) {
        for (int o = COT_DY; o < COT_DX; o++)
            if (h->inputs[o])
                read_line(h, (cot_operand)o, l);
        status = h->n > LONGEST ? hear_sample(h, l) : hear_part(h, (part){ l, 0, h->n });
    }
    return status;
}

static int allocate(hearing *h)
{
    size_t cells = (size_t)h->n + 1, judged = h->n > LONGEST ? SAMPLE : cells;
    int missing = 0;
    for (int o = COT_DY; o < COT_DX; o++)
        if (h->p->tensors[o].memory)
            missing |= !(h->inputs[o] = malloc(cells * sizeof(double)));
    h->first = malloc(judged * sizeof *h->first);
    h->second = malloc(judged * sizeof *h->second);
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
    hearing h = { .p = t->p, .t = t, .upto = upto, .inner = 1, .k = cot_rounding_bound(desc), .exact = integers_are_exact(&t->p->c), .v = v };
    h.axis = has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    h.n = desc->shape[h.axis];
    v->roundings = h.k;
    for (int d = h.axis + 1; d < desc->rank; d++)
        h.inner *= desc->shape[d];
    cot_status status = allocate(&h) ? COT_INTERNAL : hear(&h);
    release(&h);
    return status;
}
