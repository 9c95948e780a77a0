/* Asks a backend for sums with two huge numbers in them, and builds the tree. */
#include "reveal.h"
#include "asked.h"
#include "conformance/case/device_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- ops that show a sum --------------------------------------------------------------------- */

/* One line: `at` is any place but those of the huge numbers; what came out there, and the sum that it shows. */
typedef double sum_of(double dx, double unit, int n);

static double less_term(double dx, double unit, int n) { return (void)n, unit - dx; }     /* g - s */
static double itself(double dx, double unit, int n) { return (void)unit, (void)n, dx; }   /* s */
static double var_mean(double dx, double unit, int n) { return (unit - dx * n / 2) * n; } /* 2 (x - s / n) / n */
static double std_mean(double dx, double unit, int n) { return (unit - dx * n) * n; }     /* (x - s / n) / n */

static const struct {
    cot_op op;
    cot_operand terms;    /* the operand whose cells are added */
    double x, first_x, y; /* what the others hold */
    int at_first;         /* the sum is where the gradient's direction ends: the line's first cell */
    sum_of *sum;
} shows[] = {
    { COT_VAR, COT_X, 0, 0, 1, 0, var_mean },       { COT_STD, COT_X, 0, 0, 1, 0, std_mean },
    { COT_CUMSUM, COT_DY, 0, 0, 0, 1, itself },     { COT_CUMPROD, COT_DY, 1, 1, 1, 1, itself },
    { COT_CUMMAX, COT_DY, 0, 1, 1, 1, itself },     { COT_CUMMIN, COT_DY, 0, -1, -1, 1, itself },
    { COT_SOFTMAX, COT_DY, 0, 0, 1, 0, less_term }, { COT_LOG_SOFTMAX, COT_DY, 0, 0, 0, 0, less_term },
};

static int row_of(cot_op op)
{
    for (int i = 0; i < (int)(sizeof shows / sizeof *shows); i++)
        if (shows[i].op == op)
            return i;
    return -1;
}

/* Units that vanish beside the huge number even where all of them come together, in an accumulator of 64 bits; f16 has
 * room for one of 24 bits. */
static double huge_of(cot_element element) { return element == COT_F16 ? 0x1p15 : 0x1p100; }
static double unit_of(cot_element element) { return element == COT_F16 ? 0x1p-24 : 1; }

int reveal_most(const cot_op_info *op, cot_element element)
{
    static const int exact[] = {
        [COT_F16] = 2048, [COT_BF16] = 256, [COT_F32] = SUM_TREE_MOST, [COT_F64] = SUM_TREE_MOST
    };
    int row = row_of(op->op), divides = op->family == COT_REDUCE;
    return row < 0 || (divides && element < COT_F32) ? 0 : exact[element];
}

/* ---- questions ------------------------------------------------------------------------------- */

enum { LINES = 8 }; /* of a call, always: an order may depend on how many there are */

typedef struct prober {
    cot_backend *backend;
    cot_desc desc;
    int row, n;
    cot_view view[OPERANDS];
    int place[LINES][2]; /* of the huge numbers in each line; -1: none */
    revealed *r;
    uint64_t luck;
} prober;

__attribute__((format(printf, 3, 4))) static reveal_status give_up(revealed *r, reveal_status status,
                                                                   const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(r->why, sizeof r->why, format, list);
    va_end(list);
    return status;
}

/* A term's cell: scans add from the line's end on. */
static int cell_of(const prober *p, int term) { return shows[p->row].at_first ? p->n - 1 - term : term; }

static void put(const prober *p, cot_operand o, int64_t cell, double number)
{
    const cot_view *view = &p->view[o];
    cot_cell_set(view->element, (char *)view->data + (size_t)cell * cot_element_size(view->element), number);
}

static int make_operands(prober *p)
{
    const cot_op_info *op = cot_op_get(p->desc.op);
    int terms = (int)shows[p->row].terms;
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!cot_operand_used(op, (cot_operand)o))
            continue;
        if (operand_make(&p->desc, (cot_operand)o, &p->view[o]))
            return -1;
        double fill = o == terms   ? unit_of(p->desc.element)
                      : o == COT_X ? shows[p->row].x
                      : o == COT_Y ? shows[p->row].y
                                   : 1;
        for (int64_t i = 0; i < p->view[o].length; i++)
            put(p, (cot_operand)o, i, fill);
        for (int64_t i = 0; i < p->view[o].length && o == COT_X && o != terms; i += p->n)
            put(p, COT_X, i, shows[p->row].first_x);
    }
    memset(p->place, -1, sizeof p->place);
    return 0;
}

static void forget_operands(prober *p)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(p->view[o].data);
}

/* Huge numbers at two terms of a line, and units where they were. */
static void place_huge(prober *p, int line, int i, int j)
{
    double unit = unit_of(p->desc.element), huge = huge_of(p->desc.element);
    cot_operand o = shows[p->row].terms;
    for (int k = 0; k < 2; k++)
        if (p->place[line][k] >= 0)
            put(p, o, (int64_t)line * p->n + cell_of(p, p->place[line][k]), unit);
    for (int k = 0; k < 2 && i >= 0; k++)
        put(p, o, (int64_t)line * p->n + cell_of(p, k ? j : i), k ? -huge : huge);
    p->place[line][0] = i;
    p->place[line][1] = j;
}

/* Units that are left of a line's sum. */
static double survivors(const prober *p, int line)
{
    int at = 0;
    while (!shows[p->row].at_first && (at == p->place[line][0] || at == p->place[line][1]))
        at++;
    const cot_view *dx = &p->view[COT_DX];
    int64_t cell = (int64_t)line * p->n + at;
    double got = cot_cell_get(dx->element, (char *)dx->data + (size_t)cell * cot_element_size(dx->element));
    double unit = unit_of(p->desc.element);
    return shows[p->row].sum(got, unit, p->n) / unit;
}

static reveal_status ask(prober *p)
{
    p->r->probes += LINES;
    if (device_execute(p->backend, &p->desc, p->view, &p->r->error))
        return give_up(p->r, REVEAL_FAILED, "%s", p->r->error.message);
    return REVEAL_FOUND;
}

/* How large the subtree is where a term meets each of some others. */
static reveal_status sizes_of(prober *p, int i, const int *others, int count, int *sizes)
{
    for (int from = 0; from < count; from += LINES) {
        for (int line = 0; line < LINES; line++)
            place_huge(p, line, i, others[from + line < count ? from + line : from]);
        reveal_status status = ask(p);
        for (int line = 0; line < LINES && from + line < count && !status; line++) {
            double left = survivors(p, line), whole = round(left);
            if (!(fabs(left - whole) < 0.25) || whole < 0 || whole > p->n - 2)
                return give_up(p->r, REVEAL_NO_ORDER,
                               "with opposites at terms %d and %d %g of %d units are left, and a tree leaves 0 to %d",
                               i, others[from + line], left, p->n - 2, p->n - 2);
            sizes[from + line] = p->n - (int)whole;
        }
        if (status)
            return status;
    }
    return REVEAL_FOUND;
}

/* ---- the tree -------------------------------------------------------------------------------- */

typedef struct meeting {
    int size, term;
} meeting;

static int by_size(const void *a, const void *b)
{
    const meeting *x = a, *y = b;
    return x->size != y->size ? (x->size > y->size) - (x->size < y->size) : (x->term > y->term) - (x->term < y->term);
}

static int draw(prober *p, int below)
{
    p->luck = p->luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((p->luck >> 33) % (uint64_t)below);
}

static reveal_status build(prober *p, int *terms, int count, int *node);

/* Along the path from a term to the root: those that meet it at the same size are one subtree. */
static reveal_status climb(prober *p, const meeting *m, int *terms, int count, int *node)
{
    reveal_status status = REVEAL_FOUND;
    for (int from = 0, next; from < count && !status; from = next) {
        int subtree;
        for (next = from; next < count && m[next].size == m[from].size; next++)
            terms[next] = m[next].term;
        if (m[from].size != next + 1)
            return give_up(p->r, REVEAL_NO_ORDER, "%d terms meet where a tree has %d", next + 1, m[from].size);
        status = build(p, terms + from, next - from, &subtree);
        if (!status)
            *node = sum_tree_add(&p->r->tree, *node, subtree);
    }
    return status;
}

/* The subtree of some terms, which are all that it has. They lose their order. */
static reveal_status build(prober *p, int *terms, int count, int *node)
{
    int pivot = draw(p, count), own = terms[pivot];
    *node = own;
    if (count == 1)
        return REVEAL_FOUND;
    int *sizes = calloc((size_t)count, sizeof *sizes);
    meeting *m = calloc((size_t)count, sizeof *m);
    terms[pivot] = terms[count - 1];
    reveal_status status =
        sizes && m ? sizes_of(p, own, terms, count - 1, sizes) : give_up(p->r, REVEAL_FAILED, "out of memory");
    for (int i = 0; i < count - 1 && !status; i++)
        m[i] = (meeting){ sizes[i], terms[i] };
    if (!status) {
        qsort(m, (size_t)count - 1, sizeof *m, by_size);
        status = climb(p, m, terms, count - 1, node);
    }
    free(sizes);
    free(m);
    return status;
}

/* Nothing is huge: all units are left, or sums are not what they seem. */
static reveal_status calibrate(prober *p)
{
    reveal_status status = ask(p);
    double left = status ? 0 : survivors(p, 0);
    if (!status && !(fabs(left - p->n) < 0.25))
        return give_up(p->r, REVEAL_NO_ORDER, "%d units add up to %g of them", p->n, left);
    return status;
}

static reveal_status reveal(prober *p)
{
    int root = 0, *terms = calloc((size_t)p->n + 1, sizeof *terms);
    reveal_status status = !terms || make_operands(p) ? give_up(p->r, REVEAL_FAILED, "out of memory") : calibrate(p);
    for (int i = 0; i < p->n && !status; i++)
        terms[i] = i;
    if (!status && p->n == 2) /* nowhere is a third cell to look at, and there is one tree */
        root = sum_tree_add(&p->r->tree, 0, 1);
    else if (!status)
        status = build(p, terms, p->n, &root);
    p->r->tree.root = status ? -1 : root;
    forget_operands(p);
    free(terms);
    return status;
}

reveal_status reveal_order(cot_backend *backend, const cot_op_info *op, cot_element element, int terms, revealed *r)
{
    prober p = { .backend = backend, .row = row_of(op->op), .n = terms, .r = r, .luck = (uint64_t)terms };
    *r = (revealed){ .tree = { .root = -1 } };
    if (terms < 1 || terms > reveal_most(op, element))
        return give_up(r, REVEAL_NO_SUM, "%s shows no sum of %d terms in %s", op->name, terms,
                       cot_element_name(element));
    p.desc = (cot_desc){ COT_SIZED(cot_desc),       .op = op->op, .element = element, .rank = 2,
                         .shape = { LINES, terms }, .axis = 1 };
    if (sum_tree_make(&r->tree, terms))
        return give_up(r, REVEAL_FAILED, "out of memory");
    if (asked_under(backend, &p.desc, &r->error))
        return give_up(r, REVEAL_FAILED, "%s", r->error.message);
    return reveal(&p);
}
