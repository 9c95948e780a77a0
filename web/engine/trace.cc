/* The record of one cell's evaluation, and every op's formula compiled to write into it. */
#include "traced.h"
#include "core/formula/heeds.h"
#include "core/formula/spec.h"
#include "core/math/math.h"

#include <stdlib.h>

/* ---- the record ------------------------------------------------------------------------------ */

static trace_node *nodes;
static int32_t used, capacity, current_sum, sums;

int32_t trace_add(trace_kind kind, int32_t a, int32_t b, double value)
{
    if (used == capacity) {
        int32_t more = capacity ? 2 * capacity : 1024;
        trace_node *grown = (trace_node *)realloc(nodes, (size_t)more * sizeof *nodes);
        if (!grown)
            abort();
        nodes = grown;
        capacity = more;
    }
    trace_node node = { kind, a, b, value, nullptr, -1, current_sum };
    nodes[used] = node;
    return used++;
}

double trace_value(int32_t node) { return nodes[node].value; }

/* The comparison that is taken the other way; -1: none. */
static int32_t turned = -1;

bool trace_outcome(int32_t node, bool outcome) { return outcome != (node == turned); }

const trace_node *trace_nodes(int32_t *count)
{
    *count = used;
    return nodes;
}

const char *trace_kind_name(trace_kind kind)
{
    static const char *const names[] = { "input", "constant", "add",  "sub",     "mul",     "div",
                                         "neg",   "exp",      "log",  "pow",     "hypot",   "abs",
                                         "equal", "unequal",  "less", "greater", "at least" };
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

/* ---- the library's formulas, with such numbers ----------------------------------------------- */

enum { LANES = COT_LANES, TILE = COT_TILE };

static traced_f exp_tf(traced_f a) { return traced_f::from(TRACE_EXP, a, exp_f(a.number())); }
static traced_f log_tf(traced_f a) { return traced_f::from(TRACE_LOG, a, log_f(a.number())); }
static traced_f abs_tf(traced_f a) { return traced_f::from(TRACE_ABS, a, abs_f(a.number())); }
static traced_f pow_tf(traced_f a, traced_f b)
{
    return traced_f::from(TRACE_POW, a, b, pow_f(a.number(), b.number()));
}
static traced_f pow_quick_tf(traced_f a, traced_f b) { return pow_tf(a, b); } /* a trace is never in doubt */
static traced_f hypot_tf(traced_f a, traced_f b)
{
    return traced_f::from(TRACE_HYPOT, a, b, hypot_f(a.number(), b.number()));
}
static traced_d exp_td(traced_d a) { return traced_d::from(TRACE_EXP, a, exp_d(a.number())); }
static traced_d log_td(traced_d a) { return traced_d::from(TRACE_LOG, a, log_d(a.number())); }
static traced_d abs_td(traced_d a) { return traced_d::from(TRACE_ABS, a, abs_d(a.number())); }
static traced_d pow_td(traced_d a, traced_d b)
{
    return traced_d::from(TRACE_POW, a, b, pow_d(a.number(), b.number()));
}
static traced_d pow_quick_td(traced_d a, traced_d b) { return pow_td(a, b); }
static traced_d hypot_td(traced_d a, traced_d b)
{
    return traced_d::from(TRACE_HYPOT, a, b, hypot_d(a.number(), b.number()));
}

/* A row of the op table makes a case in each of two switches: of ops along a line, and of pairs. The other policies of
 * an op that heeds some are traced by X(trace_NAME), or by X(NAME_under) for a pair. */
// clang-format off
#define IF_spec(...)
#define IF_under(...) if (under) return __VA_ARGS__;
#define IF_HEEDED(heeded, ...) COT_ROW(IF_, COT_HEEDS(heeded))(__VA_ARGS__)

#define TRACE_LINE_REDUCE(NAME, name, heeded, kind) case COT_##NAME: { \
    X(reduced) r = X(trace_reduced)(l, COT_KIND_##kind == COT_KIND_FOLD); \
    IF_HEEDED(heeded, X(trace_##name)(l, cell, r, x)) \
    return X(name##_grad)(r, x); }
#define TRACE_LINE_SCAN(NAME, name, heeded, kind) case COT_##NAME: TRACE_SCAN_##kind(name, heeded)
#define TRACE_SCAN_SCAN(name, heeded) \
    IF_HEEDED(heeded, X(trace_##name)(l, cell)) \
    return X(name##_grad)(X(trace_scan)(X(name##_term), l, cell, nullptr), x);
#define TRACE_SCAN_WINNER(name, heeded) return X(trace_##name)(l, cell);
#define TRACE_SCAN_RECURRENCE(name, heeded) return X(trace_##name)(l, cell);
#define TRACE_LINE_SOFTMAX_FAMILY(NAME, name, heeded, kind) case COT_##NAME: \
    IF_HEEDED(heeded, X(trace_##name)(l, cell)) \
    return X(name##_grad)(X(read)(l->dy, "g", cell, false), X(read)(l->y, "y", cell, false), \
                          X(trace_fold)(X(name##_term), l));
#define TRACE_LINE_BINARY(NAME, name, heeded, kind) case COT_##NAME: \
    return output == TRACE_OUTPUT_SECOND ? X(trace_pair)(l, cell).b : X(trace_pair)(l, cell).a;
#define TRACE_LINE_BINARY_PARAM TRACE_LINE_BINARY

#define TRACE_PAIR_REDUCE(NAME, name, heeded) case COT_##NAME: break;
#define TRACE_PAIR_SCAN TRACE_PAIR_REDUCE
#define TRACE_PAIR_SOFTMAX_FAMILY TRACE_PAIR_REDUCE
#define TRACE_PAIR_BINARY(NAME, name, heeded) case COT_##NAME: \
    IF_HEEDED(heeded, X(name##_under)(l->desc->policies, g, a, b)) \
    return X(name##_grad)(g, a, b);
#define TRACE_PAIR_BINARY_PARAM(NAME, name, heeded) case COT_##NAME: \
    IF_HEEDED(heeded, X(name##_under)(l->desc->policies, g, l->desc->param)) \
    return X(name##_grad)(g, w);
// clang-format on

#define REAL traced_f
#define X(name) name##_tf
#include "core/formula/formula.inc"
#include "core/formula/policy.inc"
#include "core/formula/order.inc"
#include "core/formula/policy_steps.inc"
#include "trace_ops.inc"
#undef REAL
#undef X

#define REAL traced_d
#define X(name) name##_td
#include "core/formula/formula.inc"
#include "core/formula/policy.inc"
#include "core/formula/order.inc"
#include "core/formula/policy_steps.inc"
#include "trace_ops.inc"
#undef REAL
#undef X

int32_t trace_cell(const trace_line *line, int64_t cell, int output)
{
    used = sums = current_sum = 0;
    return line->desc->element == COT_F64 ? (int32_t)trace_op_td(line, cell, output).node
                                          : (int32_t)trace_op_tf(line, cell, output).node;
}

/* The nodes that a comparison does not follow are the same in both, so two results are one where nothing new is. */
int trace_other_way(const trace_line *line, int64_t cell, int output, int32_t comparison)
{
    int32_t before = trace_cell(line, cell, output);
    trace_node taken = nodes[before];
    turned = comparison;
    int32_t after = trace_cell(line, cell, output);
    turned = -1;
    trace_node other = nodes[after];
    bool same = taken.kind == other.kind && taken.a == other.a && taken.b == other.b && taken.name == other.name
                && taken.index == other.index && (taken.value == other.value || taken.value != taken.value);
    trace_cell(line, cell, output);
    return !same;
}
