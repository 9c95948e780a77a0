/* Reductions whose gradient holds no sum: dx depends on its own x, and on g and y of its line. */
#include "places.h"

enum { THREADS = 256, COLUMN_THREADS = 128, DEPTH = 32 };

enum { X = 1, Y = 2, Y_UNREAD = 16 }; /* bits of the op table */

typedef REAL (*formula)(X(reduced) line, REAL x);

/* Vectors a thread takes of a line: g and y are read once for them. */
#define EACH_OF(rounds) ((rounds) >= 4 ? 2 : 4)

enum { DY, OF_Y, OF_X, DX, OPERANDS }; /* offsets */
// clang-format off
#define LIST(k) { &(k).dy, &(k).y, &(k).x, &(k).dx }
// clang-format on

template <typename I> COT_FN X(reduced) load_line(unsigned needs, const cuda_launch &k, I dy, I y)
{
    X(reduced) line = { load(in(k.dy), dy), needs & Y ? load(in(k.y), y) : 0, k.X(numbers).n, 0, 0 };
    return line;
}

/* V cells at once, V being 1 or VECTOR. */
template <int V> COT_FN cells load_cells(const STORE *from)
{
    cells c;
    if (V > 1)
        return load_vector(from, 0);
    c.at[0] = load(from, 0);
    return c;
}

template <int V> COT_FN void store_cells(STORE *to, const cells &c)
{
    if (V > 1)
        store_vector(to, 0, c);
    else
        store(to, 0, c.at[0]);
}

template <int V> COT_FN cells grad_cells(formula grad, const X(reduced) &line, const cells &x)
{
    cells d;
    UNROLLED for (int i = 0; i < V; i++) d.at[i] = grad(line, x.at[i]);
    return d;
}

/* ---- rows: a team of threads takes a piece of a line ----------------------------------------- */

/* EACH vectors, `step` cells apart. All are read before any is written: so many loads are under way at once. */
template <int V, int EACH>
COT_FN void row_run(formula grad, unsigned needs, const X(reduced) &line, const STORE *x, STORE *dx, uint32_t step)
{
    cells v[EACH] = {};
    if (needs & X)
        UNROLLED for (uint32_t u = 0; u < EACH; u++) v[u] = load_cells<V>(x + u * step);
    UNROLLED for (uint32_t u = 0; u < EACH; u++) store_cells<V>(dx + u * step, grad_cells<V>(grad, line, v[u]));
}

template <int V, int EACH> COT_FN void rows(formula grad, unsigned needs, const cuda_launch &k)
{
    uint32_t t = thread_index() & (k.team - 1), step = k.team * V;
    uint32_t item = block_index() * (THREADS >> k.team_shift) + (thread_index() >> k.team_shift);
    if (item >= (uint32_t)k.count)
        return;
    uint32_t l = item / k.pieces, first = (item - l * k.pieces) * (EACH * step), n = (uint32_t)k.n;
    const cuda_operand *const list[OPERANDS] = LIST(k);
    int64_t at[OPERANDS];
    find_line(k, l, list, at);
    X(reduced) line = load_line(needs, k, at[DY], at[OF_Y]);
    const STORE *x = in(k.x) + at[OF_X];
    STORE *dx = out(k.dx) + at[DX];
    if (n - first >= EACH * step) {
        row_run<V, EACH>(grad, needs, line, x + (first + t * V), dx + (first + t * V), step);
        return;
    }
    uint32_t i = first + t * V, whole = n - n % V;
    for (; i < whole; i += step)
        row_run<V, 1>(grad, needs, line, x + i, dx + i, 0);
    for (i = whole + t; i < n; i += k.team)
        row_run<1, 1>(grad, needs, line, x + i, dx + i, 0);
}

/* ---- packed: lines one after the other, too short or too odd for a team; a vector may hold several  */

COT_FN void packed(formula grad, unsigned needs, const cuda_launch &k)
{
    uint32_t cell = (block_index() * THREADS + thread_index()) * VECTOR, count = (uint32_t)k.count, n = (uint32_t)k.n;
    if (cell >= count)
        return;
    uint32_t l = cell / n, i = cell - l * n;
    bool whole = count - cell >= VECTOR;
    X(reduced) line = load_line<int64_t>(needs, k, l * k.dy.across, l * k.y.across);
    cells x = {}, d;
    if (needs & X && whole)
        x = load_vector(in(k.x), cell);
    UNROLLED for (uint32_t j = 0; j < VECTOR; j++)
    {
        if (cell + j >= count)
            break;
        if (i == n) {
            i = 0, l++;
            line = load_line<int64_t>(needs, k, l * k.dy.across, l * k.y.across);
        }
        if (needs & X && !whole)
            x.at[j] = load(in(k.x), cell + j);
        d.at[j] = grad(line, x.at[j]);
        if (!whole)
            store(out(k.dx), cell + j, d.at[j]);
        i++;
    }
    if (whole)
        store_vector(out(k.dx), cell, d);
}

/* ---- columns: neighbouring lines to neighbouring threads, each walking down ------------------ */

template <int V>
COT_FN cells grad_columns(formula grad, unsigned needs, const cuda_launch &k, const cells &g, const cells &y,
                          const cells &x)
{
    cells d;
    UNROLLED for (int i = 0; i < V; i++)
    {
        X(reduced) line = { g.at[i], needs & Y ? y.at[i] : 0, k.X(numbers).n, 0, 0 };
        d.at[i] = grad(line, x.at[i]);
    }
    return d;
}

/* A thread's lines, and where it is in them. */
typedef struct walk {
    cells g, y;
    const STORE *x;
    STORE *dx;
    int64_t x_step, dx_step;
} walk;

/* EACH cells down; all are read before any is written. */
template <int V, int EACH> COT_FN void walk_down(formula grad, unsigned needs, const cuda_launch &k, walk *w)
{
    cells x[EACH] = {};
    if (needs & X)
        UNROLLED for (int u = 0; u < EACH; u++) x[u] = load_cells<V>(w->x + u * w->x_step);
    UNROLLED for (int u = 0; u < EACH; u++)
        store_cells<V>(w->dx + u * w->dx_step, grad_columns<V>(grad, needs, k, w->g, w->y, x[u]));
    w->x += EACH * w->x_step;
    w->dx += EACH * w->dx_step;
}

template <int V>
COT_FN walk start_walk(unsigned needs, const cuda_launch &k, const int64_t (&at)[OPERANDS], uint32_t high)
{
    walk w = {};
    w.g = load_cells<V>(in(k.dy) + at[DY]);
    if (needs & Y)
        w.y = load_cells<V>(in(k.y) + at[OF_Y]);
    w.x = in(k.x) + at[OF_X];
    w.dx = out(k.dx) + at[DX];
    w.x_step = high * k.x.along;
    w.dx_step = high * k.dx.along;
    return w;
}

/* A block is `team` threads wide and takes DEPTH cells down for each of its rows of threads; `pieces` blocks lie side
 * by side, and `count` below each other in a group of lines. */
template <int V, int EACH> COT_FN void columns(formula grad, unsigned needs, const cuda_launch &k)
{
    uint32_t high = COLUMN_THREADS >> k.team_shift, t = thread_index() & (k.team - 1), n = (uint32_t)k.n;
    uint32_t below = block_index() / k.pieces, group = below / (uint32_t)k.count;
    uint32_t row = (below - group * (uint32_t)k.count) * (high * DEPTH) + (thread_index() >> k.team_shift);
    uint32_t line = ((block_index() - below * k.pieces) * k.team + t) * V;
    if (line >= (uint32_t)k.inner || row >= n)
        return;
    const cuda_operand *const list[OPERANDS] = LIST(k);
    int64_t at[OPERANDS] = { line, line, line + row * k.x.along, line + row * k.dx.along };
    if (k.outer_rank)
        add_group(k, group, list, at);
    walk w = start_walk<V>(needs, k, at, high);
    uint32_t left = (n - row + high - 1) / high, i = 0;
    left = left < DEPTH ? left : DEPTH;
    for (; i + EACH <= left; i += EACH)
        walk_down<V, EACH>(grad, needs, k, &w);
    for (; i < left; i++)
        walk_down<V, 1>(grad, needs, k, &w);
}

/* ---- any layout ------------------------------------------------------------------------------ */

template <typename I> COT_FN void general(formula grad, unsigned needs, const cuda_launch &k)
{
    I cell = (I)block_index() * THREADS + thread_index();
    if (cell >= (I)k.count)
        return;
    I l = cell / (I)k.n, i = cell - l * (I)k.n;
    const cuda_operand *const list[OPERANDS] = LIST(k);
    I at[OPERANDS];
    find_line(k, l, list, at);
    REAL x = needs & X ? load(in(k.x), at[OF_X] + i * (I)k.x.along) : 0;
    store(out(k.dx), at[DX] + i * (I)k.dx.along, grad(load_line(needs, k, at[DY], at[OF_Y]), x));
}

// clang-format off
#define ROWS(name, grad, needs, rounds) KERNEL(name, rows) { rows<VECTOR, EACH_OF(rounds)>(grad, needs, k); } \
    KERNEL(name, rows1) { rows<1, EACH_OF(rounds)>(grad, needs, k); } KERNEL(name, packed) { packed(grad, needs, k); }
// clang-format on
#define COLUMNS(name, grad, needs, rounds) \
    KERNEL(name, columns) { columns<VECTOR, EACH_OF(rounds)>(grad, needs, k); } \
    KERNEL(name, columns1) { columns<1, EACH_OF(rounds)>(grad, needs, k); }
#define GENERAL(name, grad, needs) \
    KERNEL(name, general32) { general<uint32_t>(grad, needs, k); } \
    KERNEL(name, general64) { general<uint64_t>(grad, needs, k); }
#define ENTRIES_REDUCE_NONE(name, needs, rounds) \
    ROWS(name, X(name##_grad), needs, rounds) \
    COLUMNS(name, X(name##_grad), needs, rounds) GENERAL(name, X(name##_grad), needs)
#define ENTRIES_REDUCE_FOLD(name, needs, rounds)
#define ENTRIES_SCAN_SCAN(name, needs, rounds)
#define ENTRIES_SCAN_WINNER(name, needs, rounds)
#define ENTRIES_SCAN_RECURRENCE(name, needs, rounds)
#define ENTRIES_BINARY_NONE(name, needs, rounds)
#define ENTRIES_BINARY_PARAM_NONE(name, needs, rounds)
#define ENTRIES_SOFTMAX_FAMILY_FOLD(name, needs, rounds)
#define OP(family, NAME, name, needs, policies, kind, rounds, ...) ENTRIES_##family##_##kind(name, needs, rounds)
#include "core/ops.def"
