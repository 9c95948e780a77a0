/* Results of cases in a submission: packed where the backend is, judged and computed again where it is not. */
#include "kept.h"
#include "conformance/case/problem.h"
#include "conformance/judge/judge_views.h"
#include "conformance/judge/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t cells_of(const test_case *c) { return cot_cell_count(c->desc.rank, c->desc.shape); }

static int outputs_of(const test_case *c) { return cot_has_axis(cot_op_get(c->desc.op)) ? 1 : 2; }

static size_t bytes_of(const test_case *c)
{
    return (size_t)(outputs_of(c) * cells_of(c)) * cot_element_size(c->desc.element);
}

int kept_can(const test_case *c)
{
    int64_t cells = c->bad[0].row ? 0 : cells_of(c);
    return cells > 0 && cells <= KEPT_CELLS;
}

/* ---- packing --------------------------------------------------------------------------------- */

static void put_cells(const trial *t, char *to)
{
    size_t each = cot_element_size(t->p->c.desc.element);
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!t->p->tensors[o].memory)
            continue;
        cot_view view = trial_view(t, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&view); i < cells; i++, to += each)
            cot_cell_set(view.element, to, cell_value(&view, i));
    }
}

cot_status kept_pack(cot_backend *backend, const test_case *c, char **bytes, size_t *size, cot_error *error)
{
    problem p;
    trial t = { 0 };
    char id[CASE_ID_SIZE];
    case_print(c, id);
    *error = (cot_error){ .code = COT_INTERNAL, .message = "out of memory" };
    if (problem_make(&p, c))
        return COT_INTERNAL;
    size_t head = strlen(id) + 1;
    cot_status status = trial_run(&t, backend, &p, first_fill, error);
    *size = head + bytes_of(c);
    *bytes = status ? NULL : malloc(*size);
    if (*bytes) {
        memcpy(*bytes, id, head);
        (*bytes)[head - 1] = '\n';
        put_cells(&t, *bytes + head);
    }
    trial_free(&t);
    problem_free(&p);
    return status || *bytes ? status : COT_INTERNAL;
}

/* ---- judging --------------------------------------------------------------------------------- */

int kept_read(const char *bytes, size_t size, kept_ruling *r)
{
    char why[CASE_ID_SIZE];
    const char *end = memchr(bytes, '\n', size < CASE_ID_SIZE ? size : CASE_ID_SIZE);
    *r = (kept_ruling){ .id = "" };
    if (!end)
        return -1;
    snprintf(r->id, sizeof r->id, "%.*s", (int)(end - bytes), bytes);
    if (case_parse(r->id, &r->c, why) || !kept_can(&r->c))
        return -1;
    return size == (size_t)(end + 1 - bytes) + bytes_of(&r->c) ? 0 : -1;
}

/* Inputs as the id says, and these results. */
static void set_views(const problem *p, char *cells, cot_view views[OPERANDS])
{
    const cot_desc *desc = &p->c.desc;
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!p->tensors[o].memory)
            continue;
        views[o] = p->tensors[o].view;
        if (o >= COT_DX) {
            views[o] = cot_contiguous(desc->element, desc->rank, desc->shape, cells);
            cells += (size_t)cells_of(&p->c) * cot_element_size(desc->element);
        }
    }
}

static cot_status compare_bits(const problem *p, const cot_view views[OPERANDS], cot_backend *reference, kept_ruling *r)
{
    trial t = { 0 };
    cot_error error;
    cot_status status = trial_run(&t, reference, p, first_fill, &error);
    for (int o = COT_DX; o < OPERANDS && !status; o++) {
        if (!p->tensors[o].memory)
            continue;
        cot_view own = trial_view(&t, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&own); i < cells; i++)
            r->other_bits += !same_number(cell_value(&own, i), cell_value(&views[o], i));
    }
    trial_free(&t);
    return status;
}

cot_status kept_judge(const char *bytes, cot_backend *reference, kept_ruling *r)
{
    problem p;
    cot_view views[OPERANDS] = { 0 };
    char *cells = malloc(bytes_of(&r->c));
    if (!cells || problem_make(&p, &r->c)) {
        free(cells);
        return COT_INTERNAL;
    }
    memcpy(cells, bytes + strlen(r->id) + 1, bytes_of(&r->c));
    set_views(&p, cells, views);
    cot_status status = judge_views(&r->c.desc, views, &r->v);
    if (!status && reference)
        status = compare_bits(&p, views, reference, r);
    problem_free(&p);
    free(cells);
    return status;
}
