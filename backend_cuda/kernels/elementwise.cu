/* Binary operations, with and without a parameter: every cell for itself. */
#include "places.h"

enum { THREADS = 256 };

/* What a formula needs beside g: bits of the op table, and the descriptor's parameter in the place of a. */
enum { X = 1, Y = 2, A = 4, B = 8, WEIGHT = 32 };

typedef X(pair) (*formula)(REAL g, REAL a, REAL b);

template <X(pair) (*grad)(REAL, REAL)> COT_FN X(pair) with_weight(REAL g, REAL weight, REAL) { return grad(g, weight); }

/* Vectors a thread. Long formulas take one: more would crowd the instruction cache. */
#define EACH_OF(rounds) ((rounds) >= 4 ? 1 : 2)

/* ---- contiguous ------------------------------------------------------------------------------ */

typedef struct inputs {
    cells g, a, b;
} inputs;

COT_FN cells same(REAL v)
{
    cells c;
    UNROLLED for (int i = 0; i < VECTOR; i++) c.at[i] = v;
    return c;
}

COT_FN inputs load_inputs(unsigned needs, const cuda_launch &k, int64_t at)
{
    inputs v;
    v.g = load_vector(in(k.dy), at);
    v.a = needs & A ? load_vector(in(k.a), at) : same(needs & WEIGHT ? k.X(numbers).weight : 0);
    v.b = needs & B ? load_vector(in(k.b), at) : same(0);
    return v;
}

COT_FN void store_pairs(formula grad, const inputs &v, const cuda_launch &k, int64_t at)
{
    cells da, db;
    UNROLLED for (int i = 0; i < VECTOR; i++)
    {
        X(pair) d = grad(v.g.at[i], v.a.at[i], v.b.at[i]);
        da.at[i] = d.a;
        db.at[i] = d.b;
    }
    store_vector(out(k.da), at, da);
    store_vector(out(k.db), at, db);
}

/* A cell, where each operand has an offset of its own. */
enum { DY, OF_A, OF_B, DA, DB, OPERANDS };

template <typename I> COT_FN void one_cell(formula grad, unsigned needs, const cuda_launch &k, const I (&at)[OPERANDS])
{
    REAL a = needs & A ? load(in(k.a), at[OF_A]) : needs & WEIGHT ? k.X(numbers).weight : 0;
    X(pair) d = grad(load(in(k.dy), at[DY]), a, needs & B ? load(in(k.b), at[OF_B]) : 0);
    store(out(k.da), at[DA], d.a);
    store(out(k.db), at[DB], d.b);
}

/* A block takes a run of cells, by vectors. The last one, where the run is cut short, takes them one by one, and with
 * them the `head` cells that come before the first aligned one; `count` cells follow it. */
template <int EACH> COT_FN void flat(formula grad, unsigned needs, const cuda_launch &k)
{
    const int64_t run = THREADS * VECTOR * EACH, first = block_index() * run;
    uint32_t t = thread_index();
    if (first + run <= k.count) {
        inputs v[EACH];
        UNROLLED for (int u = 0; u < EACH; u++) v[u] = load_inputs(needs, k, first + (u * THREADS + t) * VECTOR);
        UNROLLED for (int u = 0; u < EACH; u++) store_pairs(grad, v[u], k, first + (u * THREADS + t) * VECTOR);
        return;
    }
    for (int64_t j = t; j < k.head + (k.count - first); j += THREADS) {
        int64_t i = j - k.head + (j < k.head ? 0 : first);
        const int64_t at[OPERANDS] = { i, i, i, i, i };
        one_cell(grad, needs, k, at);
    }
}

/* ---- any layout ------------------------------------------------------------------------------ */

template <typename I> COT_FN void general(formula grad, unsigned needs, const cuda_launch &k)
{
    I cell = (I)block_index() * THREADS + thread_index();
    if (cell >= (I)k.count)
        return;
    I line = cell / (I)k.n, i = cell - line * (I)k.n;
    const cuda_operand *const list[OPERANDS] = { &k.dy, &k.a, &k.b, &k.da, &k.db };
    I at[OPERANDS];
    find_line(k, line, list, at);
    UNROLLED for (int o = 0; o < OPERANDS; o++) at[o] += i * (I)list[o]->along;
    one_cell(grad, needs, k, at);
}

#define ENTRIES(name, grad, needs, rounds) \
    KERNEL(name, flat) { flat<EACH_OF(rounds)>(grad, needs, k); } \
    KERNEL(name, general32) { general<uint32_t>(grad, needs, k); } \
    KERNEL(name, general64) { general<uint64_t>(grad, needs, k); }
#define ENTRIES_BINARY(name, needs, rounds) ENTRIES(name, X(name##_grad), needs, rounds)
#define ENTRIES_BINARY_PARAM(name, needs, rounds) ENTRIES(name, with_weight<X(name##_grad)>, WEIGHT, rounds)
#define ENTRIES_REDUCE(name, needs, rounds)
#define ENTRIES_SCAN(name, needs, rounds)
#define ENTRIES_SOFTMAX_FAMILY(name, needs, rounds)
#define OP(family, NAME, name, needs, policies, kind, rounds, ...) ENTRIES_##family(name, needs, rounds)
#include "core/ops.def"
