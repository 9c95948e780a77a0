/* One cell: the steps of its formula, its exact value, and how far the result is from it. */
#include "bridge.h"
#include "own_line.h"
#include "trace.h"
#include "conformance/describe/describe.h"
#include "conformance/truth/truth.h"

#include <stdlib.h>

/* ---- steps ----------------------------------------------------------------------------------- */

/* Marks what leads to a node. Operands come before what is made of them. */
static void mark(const trace_node *nodes, int32_t last, unsigned char *leads)
{
    leads[last] = 1;
    for (int32_t i = last; i >= 0; i--) {
        if (!leads[i])
            continue;
        if (nodes[i].a >= 0)
            leads[nodes[i].a] = 1;
        if (nodes[i].b >= 0)
            leads[nodes[i].b] = 1;
    }
}

static int is_zero(const trace_node *n) { return n->kind == TRACE_CONSTANT && n->value == 0; }
static int is_bookkeeping(const trace_node *n) { return n->kind == TRACE_CONSTANT && n->value != 0; }

static int is_same_question(const trace_node *nodes, const trace_node *n, const trace_node *other)
{
    return other->kind == n->kind && other->a == n->a
           && (other->b == n->b || (is_zero(&nodes[other->b]) && is_zero(&nodes[n->b])));
}

/* A comparison leads to nothing, and decides all the same: where it is not of a bookkeeping kind, has not been made
 * before, and is about this output. Along a line every comparison of cells is. */
static int decides(const unsigned char *leads, int32_t i, const trace_line *line, int cell, int output)
{
    int32_t count;
    const trace_node *nodes = trace_nodes(&count), *n = &nodes[i];
    if (n->kind < TRACE_EQUAL || n->sum || is_bookkeeping(&nodes[n->a]) || is_bookkeeping(&nodes[n->b]))
        return 0;
    for (int32_t k = 0; k < i; k++)
        if (leads[k] && is_same_question(nodes, n, &nodes[k]))
            return 0;
    int of_cells = cot_has_axis(cot_op_get(line->desc->op)) && !is_zero(&nodes[n->b]);
    return of_cells || trace_other_way(line, cell, output, i);
}

static void add_node(text *t, const trace_node *n, int32_t i, cot_element compute)
{
    json_open(t, NULL, '{');
    json_integer(t, "id", i);
    json_string(t, "kind", trace_kind_name(n->kind));
    json_integer(t, "a", n->a);
    json_integer(t, "b", n->b);
    json_number(t, "value", n->value);
    json_bits(t, "bits", number_bits(compute, n->value), cot_element_size(compute));
    json_string(t, "name", n->name);
    json_integer(t, "index", n->index);
    json_integer(t, "sum", n->sum);
    json_close(t, '}');
}

static trace_line line_of(const scene *s)
{
    double *const *v = s->values;
    return (trace_line){ &s->c.desc, s->n, v[COT_DY], v[COT_X], v[COT_Y], v[COT_A], v[COT_B] };
}

static int can_trace(const scene *s, int output, int cell)
{
    return output >= COT_DX && output < OPERANDS && cell >= 0 && cell < scene_count(s, (cot_operand)output);
}

static int side_of(int output) { return output == COT_DB ? TRACE_OUTPUT_SECOND : TRACE_OUTPUT_FIRST; }

static int32_t trace(const scene *s, int output, int cell)
{
    trace_line line = line_of(s);
    return trace_cell(&line, cell, side_of(output));
}

/* Tracing again may move the record. */
static const trace_node *mark_all(const scene *s, int32_t result, int output, int cell, unsigned char *leads)
{
    int32_t count;
    trace_line line = line_of(s);
    mark(trace_nodes(&count), result, leads);
    for (int32_t i = 0; i < count; i++)
        if (decides(leads, i, &line, cell, side_of(output)))
            mark(trace_nodes(&count), i, leads);
    return trace_nodes(&count);
}

/* The step by step evaluation rounded to the element: the gradient itself, or the trace is wrong. */
EXPORT double web_steps_result(int output, int cell)
{
    unsigned char rounded[8];
    int32_t count, result = trace(&web_scene, output, cell);
    cot_cell_set(web_scene.c.desc.element, rounded, trace_nodes(&count)[result].value);
    return cot_cell_get(web_scene.c.desc.element, rounded);
}

/* null also where a policy other than the spec's own decides by the whole line, which is not traced. */
EXPORT const char *web_steps(int output, int cell)
{
    const scene *s = &web_scene;
    cot_element compute = s->c.desc.element == COT_F64 ? COT_F64 : COT_F32;
    text *t = web_answer();
    if (!can_trace(s, output, cell) || !same_number(web_steps_result(output, cell), s->values[output][cell]))
        return "null";
    int32_t count, result = trace(s, output, cell);
    const trace_node *nodes = trace_nodes(&count);
    unsigned char *leads = calloc((size_t)count, 1);
    if (!leads)
        return "null";
    nodes = mark_all(s, result, output, cell, leads);
    json_open(t, NULL, '{');
    json_integer(t, "result", result);
    json_string(t, "compute", cot_element_name(compute));
    json_open(t, "nodes", '[');
    for (int32_t i = 0; i < count; i++)
        if (leads[i])
            add_node(t, &nodes[i], i, compute);
    json_close(t, ']');
    json_close(t, '}');
    free(leads);
    return t->data;
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* What can be said of a result, the firmest first. */
static const char *ruling_of(const truth_cell *want)
{
    return want->holds & TRUTH_EDGE    ? "edge"
           : want->holds & TRUTH_BITS  ? "bits"
           : want->holds & TRUTH_BOUND ? "bound"
                                       : "open";
}

static void add_verdict(text *t, const truth_cell *want, cot_element element, double got, const truth_bound *bound)
{
    double ratio = want->holds & TRUTH_BOUND ? truth_score(want, element, got, bound) : 0;
    int exact = want->holds & (TRUTH_EDGE | TRUTH_BITS) ? !same_number(got, want->literal) : 0;
    json_open(t, NULL, '{');
    json_number(t, "exact", truth_nearest(want));
    json_number(t, "high", want->exact);
    json_number(t, "low", want->rest);
    json_integer(t, "exponent", want->exponent);
    json_number(t, "literal", want->literal);
    json_string(t, "ruling", ruling_of(want));
    json_integer(t, "wrong", exact || ratio > 1);
    json_integer(t, "bounded", !!(want->holds & TRUTH_BOUND));
    json_number(t, "ratio", ratio);
    json_number(t, "ulps", truth_ulps(want, element, got));
    json_close(t, '}');
}

/* Every cell of an output against truth. */
EXPORT const char *web_truth(int output)
{
    const scene *s = &web_scene;
    const cot_desc *desc = &s->c.desc;
    truth_line line = {
        desc, s->n, s->values[COT_DY], s->values[COT_X], s->values[COT_Y], s->values[COT_A], s->values[COT_B]
    };
    truth_cell *first = malloc(2 * ((size_t)s->n + 1) * sizeof *first), *second = first + s->n + 1;
    cot_bound own = cot_bound_under(desc, COT_ORDER_FOLD);
    const truth_bound bound = { own.roundings, own.depth, 0 };
    text *t = web_answer();
    if (!first || !can_trace(s, output, 0)
        || truth_gradient(&line, first, cot_has_axis(cot_op_get(desc->op)) ? NULL : second)) {
        free(first);
        return "null";
    }
    json_open(t, NULL, '{');
    json_string(t, "clause", truth_clause(desc->op));
    json_number(t, "roundings", cot_rounding_bound(desc));
    json_open(t, "cells", '[');
    for (int64_t i = 0; i < s->n; i++)
        add_verdict(t, output == COT_DB ? &second[i] : &first[i], desc->element, s->values[output][i], &bound);
    json_close(t, ']');
    json_close(t, '}');
    free(first);
    return t->data;
}

/* The clause that a cell is about: the formula's, or that of the edge which it lies on. */
EXPORT const char *web_cell_clause(int output, int cell)
{
    own_line l;
    text *t = web_answer();
    text_add(t, "%s", truth_clause(web_scene.c.desc.op));
    if (!can_trace(&web_scene, output, cell))
        return t->data;
    if (!own_line_make(&l, &web_scene, NULL)) {
        text_clear(t);
        text_add(t, "%s", own_line_clause(&l, (cot_operand)output, cell, web_scene.values[output][cell]));
    }
    own_line_free(&l);
    return t->data;
}
