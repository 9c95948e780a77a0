#include "judge.h"
#include "direct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one cell ----------------------------------------------------------------------------------------------------- */

static const struct {
    double unit, smallest, largest; /* half an ULP of 1; smallest subnormal; largest finite */
} formats[] = {
    [COT_F16] = { 0x1p-11, 0x1p-24, 65504 },
    [COT_BF16] = { 0x1p-8, 0x1p-133, 0x1.fep127 },
    [COT_F32] = { 0x1p-24, 0x1p-149, 0x1.fffffep127 },
    [COT_F64] = { 0x1p-53, 0x1p-1074, 0x1.fffffffffffffp1023 },
};

/* Within the bound of clause BOUND: the error over its bound. Edges agree exactly (0) or not at all (infinity). */
static double score(cot_element element, double got, direct_value want, double roundings)
{
    if (isnan(want.value) || isnan(got))
        return isnan(want.value) && isnan(got) ? 0 : (double)INFINITY;
    if (got == want.value)
        return want.value == 0 && want.literal && signbit(got) != signbit(want.value) ? (double)INFINITY : 0;
    if (isinf(want.value) || isinf(want.condition))
        return (double)INFINITY;
    double k = roundings + 1; /* the truth's own rounding to double */
    double bound = k * formats[element].unit * want.condition + k * formats[element].smallest;
    if (isinf(got))
        return fabs(want.value) + bound > formats[element].largest ? 1 : (double)INFINITY;
    return fabs(got - want.value) / bound;
}

static int is_edge(double value)
{
    return isnan(value) || isinf(value) || value == 0;
}

/* ---- a line ------------------------------------------------------------------------------------------------------- */

typedef struct judged {
    const problem *p;
    int axis;
    double *buffer[COT_DB + 1]; /* a line of each input, as doubles */
    double roundings;
    verdict *v;
} judged;

static void read_line(const judged *j, cot_operand operand, int64_t line, int64_t inner)
{
    const cot_view *view = &j->p->tensors[operand].view;
    int64_t n = view->shape[j->axis], first = line / inner * inner * n + line % inner;
    for (int64_t i = 0; i < n; i++)
        j->buffer[operand][i] = cell_value(view, first + i * inner);
}

static void explain(const judged *j, cot_operand out, int64_t i, double got, direct_value want, double ratio)
{
    char *at = j->v->why;
    size_t left = sizeof j->v->why;
    int used = snprintf(at, left, "%s cell %lld: got %.9g (%a), want %.9g (%a), error/bound %.3g; inputs",
                        cot_operand_name(out), (long long)i, got, got, want.value, want.value, ratio);
    for (int o = COT_DY; o < COT_DX && used > 0 && (size_t)used < left; o++)
        if (j->buffer[o]) {
            at += used, left -= (size_t)used;
            int single = j->p->tensors[o].view.shape[j->axis] == 1;
            used = snprintf(at, left, " %s=%.9g", cot_operand_name((cot_operand)o), j->buffer[o][single ? 0 : i]);
        }
}

static void judge_output(const judged *j, cot_operand out, direct_fn *truth, const direct_line *line, int64_t first, int64_t inner)
{
    const cot_view *view = &j->p->tensors[out].view;
    for (int64_t i = 0; i < line->n; i++) {
        direct_value want = truth(line, i);
        double got = cell_value(view, first + i * inner);
        double ratio = score(view->element, got, want, j->roundings);
        j->v->cells++;
        j->v->edge_cells += is_edge(want.value);
        if (ratio > j->v->worst)
            j->v->worst = ratio;
        if (ratio > 1 && !j->v->failed++)
            explain(j, out, first + i * inner, got, want, ratio);
    }
}

static void judge_lines(judged *j, const direct_op *truth)
{
    const cot_desc *desc = &j->p->c.desc;
    cot_operand out = truth->second ? COT_DA : COT_DX;
    const cot_view *view = &j->p->tensors[out].view;
    int64_t n = desc->shape[j->axis], inner = 1, lines = n ? cell_count(view) / n : 0;
    for (int d = j->axis + 1; d < desc->rank; d++)
        inner *= desc->shape[d];
    direct_line line = { desc, n, j->buffer[COT_DY], j->buffer[COT_X], j->buffer[COT_Y], j->buffer[COT_A], j->buffer[COT_B] };
    for (int64_t l = 0; l < lines; l++) {
        for (int o = COT_DY; o < COT_DX; o++)
            if (j->buffer[o])
                read_line(j, (cot_operand)o, l, inner);
        int64_t first = l / inner * inner * n + l % inner;
        judge_output(j, out, truth->first, &line, first, inner);
        if (truth->second)
            judge_output(j, COT_DB, truth->second, &line, first, inner);
    }
}

/* ---- a case ------------------------------------------------------------------------------------------------------- */

static int allocate(judged *j)
{
    for (int o = COT_DY; o < COT_DX; o++) {
        const tensor *t = &j->p->tensors[o];
        if (t->memory && !(j->buffer[o] = malloc((size_t)(t->view.shape[j->axis] + 1) * sizeof(double))))
            return -1;
    }
    return 0;
}

static void judge_results(const problem *p, double roundings, verdict *v)
{
    cot_family family = cot_op_get(p->c.desc.op)->family;
    int elementwise = family == COT_BINARY || family == COT_BINARY_PARAM;
    judged j = { .p = p, .axis = elementwise ? p->c.desc.rank - 1 : p->c.desc.axis, .roundings = roundings, .v = v };
    const direct_op *truth = direct_find(p->c.desc.op);
    if (!truth || allocate(&j)) {
        v->failed = 1;
        snprintf(v->why, sizeof v->why, truth ? "out of memory" : "there is no truth for this op");
    } else {
        judge_lines(&j, truth);
    }
    for (int o = COT_DY; o < COT_DX; o++)
        free(j.buffer[o]);
    for (int o = COT_DY; o <= COT_DB; o++)
        v->guard_bytes += (int64_t)p->tensors[o].bytes;
    int64_t damage = problem_damage(p);
    if (damage && !v->failed++)
        snprintf(v->why, sizeof v->why, "%lld bytes that are not cells of an output were changed", (long long)damage);
}

/* The operands lie in the host's memory. A backend with memory of its own takes copies. */
static cot_status run_case(cot_backend *backend, problem *p, double *roundings, cot_error *error)
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
        *roundings = cot_precision_guarantee(plan)->ulp_bound;
    if (workspace)
        cot_free(backend, workspace);
    cot_plan_free(plan);
    return status;
}

cot_status judge_case(cot_backend *backend, const test_case *c, verdict *v)
{
    problem p;
    cot_error error;
    double roundings = 0;
    *v = (verdict){ 0 };
    if (problem_make(&p, c))
        return COT_INTERNAL;
    cot_status status = run_case(backend, &p, &roundings, &error);
    if (status) {
        v->failed = status != COT_UNSUPPORTED;
        snprintf(v->why, sizeof v->why, "%s: %s", cot_status_name(status), error.message);
    } else {
        judge_results(&p, roundings, v);
        if (!v->cells && cell_count(&p.tensors[p.tensors[COT_DX].memory ? COT_DX : COT_DA].view) && !v->failed++)
            snprintf(v->why, sizeof v->why, "no cell was compared");
    }
    problem_free(&p);
    return status;
}
