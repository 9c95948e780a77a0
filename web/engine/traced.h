/* A number that remembers where it came from. It is as large as the number itself, since formulas ask for that size. */
#ifndef COT_WEB_TRACED_H
#define COT_WEB_TRACED_H

#include "trace.h"

#include <stdint.h>

int32_t trace_add(trace_kind kind, int32_t a, int32_t b, double value);
double trace_value(int32_t node);
bool trace_outcome(int32_t node, bool outcome); /* as it is taken: see trace_other_way */

template <class Number, class Node> struct traced {
    Node node;

    traced() = default;
    template <class Other> traced(Other value) : node((Node)trace_add(TRACE_CONSTANT, -1, -1, (double)(Number)value)) {}

    static traced from(trace_kind kind, traced a, Number value)
    {
        return made(trace_add(kind, (int32_t)a.node, -1, (double)value));
    }
    static traced from(trace_kind kind, traced a, traced b, Number value)
    {
        return made(trace_add(kind, (int32_t)a.node, (int32_t)b.node, (double)value));
    }
    static traced made(int32_t node)
    {
        traced t;
        t.node = (Node)node;
        return t;
    }
    Number number() const { return (Number)trace_value((int32_t)node); }

    friend traced operator+(traced a, traced b) { return from(TRACE_ADD, a, b, a.number() + b.number()); }
    friend traced operator-(traced a, traced b) { return from(TRACE_SUB, a, b, a.number() - b.number()); }
    friend traced operator*(traced a, traced b) { return from(TRACE_MUL, a, b, a.number() * b.number()); }
    friend traced operator/(traced a, traced b) { return from(TRACE_DIV, a, b, a.number() / b.number()); }
    friend traced operator-(traced a) { return from(TRACE_NEG, a, -a.number()); }
    friend bool operator==(traced a, traced b) { return compared(TRACE_EQUAL, a, b, a.number() == b.number()); }
    friend bool operator!=(traced a, traced b) { return compared(TRACE_UNEQUAL, a, b, a.number() != b.number()); }
    friend bool operator>=(traced a, traced b) { return compared(TRACE_AT_LEAST, a, b, a.number() >= b.number()); }
    friend bool operator<(traced a, traced b) { return compared(TRACE_LESS, a, b, a.number() < b.number()); }
    friend bool operator>(traced a, traced b) { return compared(TRACE_GREATER, a, b, a.number() > b.number()); }

    static bool compared(trace_kind kind, traced a, traced b, bool outcome)
    {
        return trace_outcome((int32_t)from(kind, a, b, (Number)outcome).node, outcome);
    }
};

typedef traced<float, uint32_t> traced_f;
typedef traced<double, uint64_t> traced_d;

#endif
