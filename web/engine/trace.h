/* One cell's gradient, step by step: the library's own formulas (core/formula/formula.inc) and orders, compiled once
 * more with numbers that write down where they come from. */
#ifndef COT_WEB_TRACE_H
#define COT_WEB_TRACE_H

#include "core/cotangent.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum trace_kind {
    TRACE_INPUT,
    TRACE_CONSTANT,
    TRACE_ADD,
    TRACE_SUB,
    TRACE_MUL,
    TRACE_DIV,
    TRACE_NEG,
    TRACE_EXP,
    TRACE_LOG,
    TRACE_POW,
    TRACE_HYPOT,
    TRACE_ABS,
    TRACE_EQUAL,
    TRACE_UNEQUAL,
    TRACE_LESS,
    TRACE_GREATER,
    TRACE_AT_LEAST /* comparisons: the value is 0 or 1 */
} trace_kind;

typedef struct trace_node {
    trace_kind kind;
    int32_t a, b;     /* operands: nodes, -1 where there is none */
    double value;     /* exact: the compute type is float or double */
    const char *name; /* of inputs, and of what the formula has a name for; else NULL */
    int32_t index;    /* of an input's cell along the line, -1 where it has none */
    int32_t sum;      /* not 0: made while the sum of this number was added up */
} trace_node;

enum { TRACE_OUTPUT_FIRST, TRACE_OUTPUT_SECOND }; /* dx or da; db */

typedef struct trace_line {
    const cot_desc *desc;
    int64_t n;
    const double *dy, *x, *y, *a, *b;
} trace_line;

/* Nodes in the order in which they came about; those that do not lead to the result are there too. Returns the
 * result's. */
int32_t trace_cell(const trace_line *line, int64_t cell, int output);

/* Whether the result would be made of something else if a comparison had come out the other way. The record is as
 * trace_cell leaves it. */
int trace_other_way(const trace_line *line, int64_t cell, int output, int32_t comparison);
const trace_node *trace_nodes(int32_t *count);
const char *trace_kind_name(trace_kind kind);

#ifdef __cplusplus
}
#endif

#endif
