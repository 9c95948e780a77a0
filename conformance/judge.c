#include "judge.h"
#include "judge_cell.h"
#include "operand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines --------------------------------------------------------------------------------------------------------- */

/* A case under judgement: a line of each input as doubles, and what truth says of it. */
typedef struct hearing {
    const problem *p;
    int axis;
    int64_t n, inner; /* extent along the axis; cells between neighbours on it */
    double *inputs[COT_DB + 1];
    truth_cell *first, *second;
    promise promised;
    verdict *v;
} hearing;

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

/* The first failure, with the operands at its place. */
static void explain(const hearing *h, cot_operand out, int64_t line, int64_t i, const truth_cell *want, double got, cell_verdict cell)
{
    char *text = h->v->why;
    int size = (int)sizeof h->v->why, used;
    used = snprintf(text, (size_t)size, "%s line %lld cell %lld: ", cot_operand_name(out), (long long)line, (long long)i);
    used += describe_cell(text + used, (size_t)(size - used), &h->p->c.desc, want, got, cell);
    for (int o = COT_DY; o < COT_DX; o++) {
        if (!h->inputs[o] || used >= size - 64)
            continue;
        double input = h->inputs[o][h->p->tensors[o].view.shape[h->axis] == 1 ? 0 : i];
        used += snprintf(text + used, (size_t)(size - used), "; %s=%.9g (%a)", cot_operand_name((cot_operand)o), input, input);
    }
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
    const cot_view *view = &h->p->tensors[out].view;
    int64_t first = first_cell(h, line, h->n);
    for (int64_t i = 0; i < h->n; i++) {
        double got = cell_value(view, first + i * h->inner);
        cell_verdict cell = judge_cell(&truth[i], view->element, got, h->promised);
        count_cell(h->v, &truth[i], cell);
        if (cell.wrong && !h->v->failed++)
            explain(h, out, line, i, &truth[i], got, cell);
    }
}

static cot_status judge_lines(const hearing *h)
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

/* ---- a case -------------------------------------------------------------------------------------------------------- */

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

static void judge_guards(const problem *p, verdict *v)
{
    for (int o = COT_DY; o <= COT_DB; o++)
        v->guard_bytes += (int64_t)p->tensors[o].bytes;
    int64_t damage = problem_damage(p);
    if (damage && !v->failed++)
        snprintf(v->why, sizeof v->why, "%lld bytes that are not cells of an output were changed, clause LAYOUT-ONLY-CELLS",
                 (long long)damage);
}

static void judge_results(const problem *p, promise promised, verdict *v)
{
    const cot_desc *desc = &p->c.desc;
    hearing h = { .p = p, .axis = has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1, .inner = 1, .promised = promised, .v = v };
    h.n = desc->shape[h.axis];
    v->roundings = promised.roundings;
    for (int d = h.axis + 1; d < desc->rank; d++)
        h.inner *= desc->shape[d];
    if (allocate(&h) || judge_lines(&h)) {
        v->failed = 1;
        snprintf(v->why, sizeof v->why, "out of memory");
    }
    release(&h);
    judge_guards(p, v);
}

static cot_status run_case(cot_backend *backend, problem *p, promise *promised, cot_error *error)
{
    cot_plan *plan = NULL;
    void *workspace = NULL;
    cot_status status = cot_select(backend, &p->c.desc, NULL, &plan, error);
    if (!status)
        status = cot_alloc(backend, cot_workspace_size(plan), &workspace, error);
    if (!status)
        status = cot_run(plan, NULL, workspace, cot_workspace_size(plan), &p->args, error);
    if (!status)
        status = cot_synchronize(backend, NULL, error);
    if (!status)
        *promised = (promise){ cot_rounding_bound(&p->c.desc), cot_precision_guarantee(plan)->bit_identical };
    if (workspace)
        cot_free(backend, workspace);
    cot_plan_free(plan);
    return status;
}

const char *judge_unusable(void)
{
    return NULL;
}

cot_status judge_case(const court *seat, const test_case *c, verdict *v)
{
    problem p;
    cot_error error;
    promise promised = { 0, 0 };
    *v = (verdict){ 0 };
    if (problem_make(&p, c))
        return COT_INTERNAL;
    cot_status status = run_case(seat->backend, &p, &promised, &error);
    if (status) {
        v->failed = status != COT_UNSUPPORTED;
        snprintf(v->why, sizeof v->why, "%s: %s", cot_status_name(status), error.message);
    } else {
        judge_results(&p, promised, v);
        if (!v->cells && cell_count(&p.tensors[p.tensors[COT_DX].memory ? COT_DX : COT_DA].view) && !v->failed++)
            snprintf(v->why, sizeof v->why, "no cell was compared");
    }
    problem_free(&p);
    return status;
}

void judge_end(void)
{
    truth_end();
}
