/* The suite in the page: its cases in order, one verdict at a time. */
#include "bridge.h"
#include "conformance/case/cases.h"
#include "conformance/describe/describe.h"
#include "conformance/judge/judge.h"
#include "conformance/mutant/mutant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct listing {
    test_case *cases;
    size_t count, room;
} listing;

static listing all;
static cot_backend *on_trial;

enum { MOST_CELLS = 8192 }; /* long lines are for the command line: a mutant may take the square of their length */

static int is_small(const cot_desc *desc) { return cot_cell_count(desc->rank, desc->shape) <= MOST_CELLS; }

static int keep(void *self, const test_case *c)
{
    listing *l = self;
    if (!is_small(&c->desc))
        return 0;
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 4096;
        test_case *grown = realloc(l->cases, room * sizeof *grown);
        if (!grown)
            return -1;
        l->cases = grown;
        l->room = room;
    }
    l->cases[l->count++] = *c;
    return 0;
}

#define MUTANT "mutant:"

static cot_status open_backend(const char *name)
{
    size_t prefix = strlen(MUTANT);
    return strncmp(name, MUTANT, prefix) ? cot_backend_open(name, NULL, &on_trial, NULL)
                                         : mutant_open(name + prefix, NULL, &on_trial, NULL);
}

/* How many cases there are for an op (NULL or "": all) and an element type (""). -1: the backend does not open. */
EXPORT int web_suite_open(const char *backend, const char *op_glob, const char *element, int full)
{
    cot_element only = cot_element_find(element);
    case_range range = { .op_glob = op_glob && *op_glob ? op_glob : NULL,
                         .elements = only ? 1u << only : 0,
                         .full = full };
    cot_backend_close(on_trial);
    on_trial = NULL;
    all.count = 0;
    if (open_backend(backend) || cases_visit(&range, keep, &all))
        return -1;
    return (int)all.count;
}

static void add_counts(text *t, const verdict *v)
{
    json_integer(t, "cells", v->cells);
    json_integer(t, "edges", v->edge_cells);
    json_integer(t, "bits", v->bit_cells);
    json_integer(t, "unjudged", v->unjudged_cells);
    json_integer(t, "guard", v->guard_bytes);
    json_number(t, "worst", v->worst);
}

/* Where the first wrong cell lies, as the page counts lines and cells. */
static void add_place(text *t, const cot_desc *desc, const verdict *v)
{
    int axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    int64_t line = 0;
    if (!cot_is_output(v->operand) || v->rank != desc->rank)
        return;
    for (int d = 0; d < desc->rank; d++)
        line = d == axis ? line : line * desc->shape[d] + v->index[d];
    json_string(t, "of", cot_operand_name(v->operand));
    json_integer(t, "line", line);
    json_integer(t, "cell", v->index[axis]);
}

/* Runs and judges one of them. */
EXPORT const char *web_suite_case(int index)
{
    char id[CASE_ID_SIZE], why[WHY_SIZE];
    verdict v;
    text *t = web_answer();
    if (index < 0 || (size_t)index >= all.count)
        return "null";
    const test_case *c = &all.cases[index];
    court seat = { .backend = on_trial, .against = web_reference(), .level = LEVEL_X };
    case_print(c, id);
    cot_status status = judge_case(&seat, c, &v);
    json_open(t, NULL, '{');
    json_string(t, "id", id);
    json_string(t, "op", cot_op_get(c->desc.op)->name);
    json_string(t, "element", cot_element_name(c->desc.element));
    json_string(t, "result", status == COT_UNSUPPORTED ? "not done" : v.failed ? "failed" : "passed");
    add_counts(t, &v);
    if (v.failed) {
        describe_why(&v, why);
        json_string(t, "why", why);
        json_string(t, "clause", *v.clause ? v.clause : NULL);
        add_place(t, &c->desc, &v);
    }
    json_close(t, '}');
    return t->data;
}

static void add_backend(text *t, const char *prefix, const char *name, const char *clause, const char *ops,
                        const char *about)
{
    char whole[96];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    json_open(t, NULL, '{');
    json_string(t, "name", whole);
    json_string(t, "clause", clause);
    json_string(t, "ops", ops);
    json_string(t, "about", about);
    json_close(t, '}');
}

/* Who can be put on trial: the reference, and the mutants that are backends. */
EXPORT const char *web_suite_backends(void)
{
    text *t = web_answer();
    json_open(t, NULL, '[');
    add_backend(t, "", "ref", NULL, NULL, "the reference");
    for (int i = 0; mutant_at(i); i++)
        if (!mutant_at(i)->forward)
            add_backend(t, MUTANT, mutant_at(i)->name, mutant_at(i)->clause, mutant_at(i)->ops, mutant_at(i)->about);
    json_close(t, ']');
    return t->data;
}
