/* The forward operations: a line of inputs, and every result against truth's. */
#include "judge_forward.h"
#include "conformance/case/generate.h"
#include "judge_cell.h"
#include "verdict.h"

#include <stdlib.h>

/* A line of operands, in memory and as numbers. */
typedef struct line {
    cot_desc desc;
    int64_t n, results;
    cot_view views[OPERANDS];
    double *cells[OPERANDS];
    truth_cell *truth;
} line;

static void draw_operand(line *l, const test_case *c, cot_operand operand)
{
    size_t size = cot_element_size(l->desc.element);
    for (int64_t i = 0; i < l->n; i++) {
        draw d = {
            .seed = c->seed, .operand = operand, .element = l->desc.element, .index = i, .extent = l->n, .along = i
        };
        void *cell = (char *)l->views[operand].data + (size_t)i * size;
        generate(c->generator, &d, cell);
        l->cells[operand][i] = cot_cell_get(l->desc.element, cell);
    }
}

static int make_line(line *l, const test_case *c)
{
    const cot_operand used[] = { COT_X, COT_A, COT_B, COT_Y };
    int reduces = cot_op_get(c->desc.op)->family == COT_REDUCE;
    *l = (line){ .desc = c->desc, .n = c->desc.shape[0], .results = reduces ? 1 : c->desc.shape[0] };
    int missing = !(l->truth = calloc((size_t)l->results + 1, sizeof *l->truth));
    for (int o = 0; o < 4 && !missing; o++) {
        missing = operand_make(&c->desc, used[o], &l->views[used[o]]);
        missing |= !(l->cells[used[o]] = calloc((size_t)l->n + 1, sizeof(double)));
        if (!missing && used[o] != COT_Y)
            draw_operand(l, c, used[o]);
    }
    return missing;
}

static void free_line(line *l)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        free(l->views[o].data);
        free(l->cells[o]);
    }
    free(l->truth);
}

static const char *clause_of(const line *l)
{
    static const char *const clauses[] = { NULL, "FWD-REDUCE", "FWD-SCAN", "FWD-BINARY", "FWD-BINARY", "FWD-SOFTMAX" };
    cot_family family = cot_op_get(l->desc.op)->family;
    if (family == COT_REDUCE && l->n == 0)
        return "FWD-EMPTY";
    return l->desc.op == COT_LOGSUMEXP ? "FWD-LSE" : clauses[family];
}

static void compare_cell(const line *l, int64_t i, verdict *v)
{
    const truth_cell *want = &l->truth[i];
    double got =
        cot_cell_get(l->desc.element, (char *)l->views[COT_Y].data + (size_t)i * cot_element_size(l->desc.element));
    const truth_bound bound = { 16 + 4 * (double)l->n, 4 * (double)l->n, 0 };
    int exact = want->holds & (TRUTH_EDGE | TRUTH_BITS), wrong;
    v->cells++;
    v->edge_cells += !!(want->holds & TRUTH_EDGE);
    v->bit_cells += exact && !(want->holds & TRUTH_EDGE);
    if (exact)
        wrong = !same_number(got, want->literal);
    else
        wrong = want->holds & TRUTH_BOUND && !(truth_score(want, l->desc.element, got, &bound) <= 1);
    if (!wrong)
        return;
    if (!verdict_fail(v, exact ? REASON_FORWARD_EXACT : REASON_FORWARD_BOUND, clause_of(l)))
        return;
    v->operand = COT_Y;
    v->element = l->desc.element;
    v->rank = 1;
    v->index[0] = (int32_t)i;
    v->got = got;
    v->want = exact ? want->literal : truth_nearest(want);
}

static cot_status call(forward_function *forward, const void *self, const line *l, cot_error *error)
{
    cot_args args;
    point_args(&args, l->views);
    return forward ? forward(self, &l->desc, &args, error) : cot_forward(&l->desc, &args, error);
}

cot_status judge_forward(forward_function *forward, const void *self, const test_case *c, verdict *v)
{
    line l;
    cot_error error;
    *v = (verdict){ 0 };
    if (make_line(&l, c)) {
        free_line(&l);
        return COT_INTERNAL;
    }
    truth_line asked = { &l.desc, l.n, l.cells[COT_X], l.cells[COT_X], l.cells[COT_Y], l.cells[COT_A], l.cells[COT_B] };
    cot_status want = truth_forward(&asked, l.truth), got = call(forward, self, &l, &error);
    v->statuses++;
    if (got != want)
        verdict_fail_call(v, REASON_FORWARD_STATUS, clause_of(&l), &(cot_error){ .code = got },
                          &(cot_error){ .code = want });
    for (int64_t i = 0; i < l.results && !got && !want; i++)
        compare_cell(&l, i, v);
    free_line(&l);
    return COT_OK;
}
