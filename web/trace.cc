#include "traced.h"
#include "math/math.h"

#include <stdlib.h>

/* ---- the record ---------------------------------------------------------------------------------------------------- */

static trace_node *nodes;
static int32_t used, room, current_sum, sums;

int32_t trace_add(trace_kind kind, int32_t a, int32_t b, double value)
{
    if (used == room) {
        int32_t more = room ? 2 * room : 1024;
        trace_node *grown = (trace_node *)realloc(nodes, (size_t)more * sizeof *nodes);
        if (!grown)
            abort();
        nodes = grown;
        room = more;
    }
    trace_node node = { kind, a, b, value, nullptr, -1, current_sum };
    nodes[used] = node;
    return used++;
}

double trace_value(int32_t node) { return nodes[node].value; }

const trace_node *trace_nodes(int32_t *count)
{
    *count = used;
    return nodes;
}

const char *trace_kind_name(trace_kind kind)
{
    static const char *const names[] = { "input", "constant", "add", "sub", "mul", "div", "neg", "exp",
                                         "log", "pow", "hypot", "abs", "equal", "unequal", "less", "greater", "at least" };
    return names[kind];
}

template <class T> static T named(T t, const char *name, int64_t index = -1)
{
    nodes[t.node].name = name;
    nodes[t.node].index = (int32_t)index;
    return t;
}

template <class T> static T input(double value, const char *name, int64_t index = -1)
{
    T t(value);
    nodes[t.node].kind = TRACE_INPUT;
    return named(t, name, index);
}

/* What is added up while one of these lives belongs to a sum. */
struct summing {
    explicit summing(int32_t number = ++sums) { current_sum = number; }
    ~summing() { current_sum = 0; }
};

/* ---- the library's formulas, with such numbers ---------------------------------------------------------------------- */

enum { LANES = 32, TILE = 1024 };

static traced_f exp_tf(traced_f a) { return traced_f::from(TRACE_EXP, a, exp_f(a.number())); }
static traced_f log_tf(traced_f a) { return traced_f::from(TRACE_LOG, a, log_f(a.number())); }
static traced_f abs_tf(traced_f a) { return traced_f::from(TRACE_ABS, a, abs_f(a.number())); }
static traced_f pow_tf(traced_f a, traced_f b) { return traced_f::from(TRACE_POW, a, b, pow_f(a.number(), b.number())); }
static traced_f hypot_tf(traced_f a, traced_f b) { return traced_f::from(TRACE_HYPOT, a, b, hypot_f(a.number(), b.number())); }
static traced_d exp_td(traced_d a) { return traced_d::from(TRACE_EXP, a, exp_d(a.number())); }
static traced_d log_td(traced_d a) { return traced_d::from(TRACE_LOG, a, log_d(a.number())); }
static traced_d abs_td(traced_d a) { return traced_d::from(TRACE_ABS, a, abs_d(a.number())); }
static traced_d pow_td(traced_d a, traced_d b) { return traced_d::from(TRACE_POW, a, b, pow_d(a.number(), b.number())); }
static traced_d hypot_td(traced_d a, traced_d b) { return traced_d::from(TRACE_HYPOT, a, b, hypot_d(a.number(), b.number())); }

#define REAL traced_f
#define X(name) name##_tf
#include "formula.inc"
#include "policy.inc"
#include "../backend_ref/order.inc"
#include "trace_ops.inc"
#undef REAL
#undef X

#define REAL traced_d
#define X(name) name##_td
#include "formula.inc"
#include "policy.inc"
#include "../backend_ref/order.inc"
#include "trace_ops.inc"
#undef REAL
#undef X

int32_t trace_cell(const trace_line *line, int64_t cell, int output)
{
    used = sums = current_sum = 0;
    return line->desc->element == COT_F64 ? (int32_t)trace_op_td(line, cell, output).node
                                          : (int32_t)trace_op_tf(line, cell, output).node;
}
