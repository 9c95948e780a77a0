/* The table of named orders, and the tree of each for any number of terms. */
#include "named.h"
#include "core/formula/spec.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts of trees -------------------------------------------------------------------------- */

/* The sums of nodes: numbers stand in `at`, `n` of them, and are lost. Each gives the node of their sum, -1 of none. */
static int in_turn(sum_tree *t, const int *at, int n)
{
    int sum = -1;
    for (int i = 0; i < n; i++)
        sum = sum_tree_add(t, sum, at[i]);
    return sum;
}

static int neighbours(sum_tree *t, int *at, int n)
{
    for (; n > 1; n = (n + 1) / 2) {
        for (int i = 0; i < n / 2; i++)
            at[i] = sum_tree_add(t, at[2 * i], at[2 * i + 1]);
        if (n % 2)
            at[n / 2] = at[n - 1];
    }
    return n ? at[0] : -1;
}

/* The upper half onto the lower one, of a power of two; what is missing is -1. */
static int folded(sum_tree *t, int *at, int n)
{
    int half = 1;
    while (2 * half < n)
        half *= 2;
    for (; half >= 1 && n > 1; n = n < half ? n : half, half /= 2)
        for (int i = 0; i < half && i + half < n; i++)
            at[i] = sum_tree_add(t, at[i], at[i + half]);
    return n ? at[0] : -1;
}

/* Every step-th of them, one after the other. */
static void lanes_of(sum_tree *t, const int *at, int n, int lanes, int *sums)
{
    for (int l = 0; l < lanes; l++) {
        sums[l] = -1;
        for (int i = l; i < n; i += lanes)
            sums[l] = sum_tree_add(t, sums[l], at[i]);
    }
}

static int halves(sum_tree *t, const int *at, int n, int block)
{
    if (n <= block)
        return in_turn(t, at, n);
    int left = halves(t, at, n / 2, block);
    return sum_tree_add(t, left, halves(t, at + n / 2, n - n / 2, block));
}

/* ---- the orders ------------------------------------------------------------------------------ */

/* Of all terms: `at` holds them, `space` room for as many. */
typedef int order_of(sum_tree *t, int *at, int n, int *space, int block);

static int forward(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)space, (void)block, in_turn(t, at, n);
}

static int backward(sum_tree *t, int *at, int n, int *space, int block)
{
    (void)block;
    for (int i = 0; i < n; i++)
        space[i] = at[n - 1 - i];
    return in_turn(t, space, n);
}

static int in_halves(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)space, halves(t, at, n, block ? block : 1);
}

static int in_neighbours(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)space, (void)block, neighbours(t, at, n);
}

static int in_folds(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)space, (void)block, folded(t, at, n);
}

/* 32 lanes and their fold, in tiles, and the tiles' sums likewise. */
static int spec_fold(sum_tree *t, int *at, int n, int *space, int block)
{
    while (n > 1) {
        int tiles = 0;
        for (int from = 0; from < n; from += COT_TILE, tiles++) {
            int count = n - from < COT_TILE ? n - from : COT_TILE;
            lanes_of(t, at + from, count, COT_LANES, space);
            at[tiles] = folded(t, space, count < COT_LANES ? count : COT_LANES);
        }
        n = tiles;
    }
    return (void)block, at[0];
}

/* (T + E) + local, of the last term. */
static int spec_scan(sum_tree *t, int *at, int n, int *space, int block)
{
    int finished = -1, tile = -1, segments = 0;
    (void)space, (void)block;
    for (int from = 0;; from += COT_SEGMENT) {
        int count = n - from < COT_SEGMENT ? n - from : COT_SEGMENT, local = in_turn(t, at + from, count);
        if (from + count == n)
            return sum_tree_add(t, sum_tree_add(t, finished, tile), local);
        tile = sum_tree_add(t, tile, local);
        if (++segments % (COT_TILE / COT_SEGMENT) == 0) {
            finished = sum_tree_add(t, finished, tile);
            tile = -1;
        }
    }
}

/* Steps that double: what lies 1, 2, 4 back. Of the last term. */
static int doubling_at(sum_tree *t, const int *at, int last, int reach)
{
    if (last < 0)
        return -1;
    if (reach == 1)
        return at[last];
    int near = doubling_at(t, at, last, reach / 2);
    return sum_tree_add(t, near, doubling_at(t, at, last - reach / 2, reach / 2));
}

static int doubling(sum_tree *t, int *at, int n, int *space, int block)
{
    int reach = 1;
    while (reach < n)
        reach *= 2;
    return (void)space, (void)block, doubling_at(t, at, n - 1, reach);
}

static int lanes_in_turn(sum_tree *t, int *at, int n, int *space, int block)
{
    int lanes = n < block ? n : block;
    lanes_of(t, at, n, lanes, space);
    return in_turn(t, space, lanes);
}

static int lanes_by_neighbours(sum_tree *t, int *at, int n, int *space, int block)
{
    int lanes = n < block ? n : block;
    lanes_of(t, at, n, lanes, space);
    return neighbours(t, space, lanes);
}

static int lanes_folded(sum_tree *t, int *at, int n, int *space, int block)
{
    int lanes = n < block ? n : block;
    lanes_of(t, at, n, lanes, space);
    return folded(t, space, lanes);
}

/* Each block's sum, in its place of `at`; how many. */
static int blocks_of(sum_tree *t, int *at, int n, int block, int trees)
{
    int blocks = 0;
    for (int from = 0; from < n; from += block, blocks++) {
        int count = n - from < block ? n - from : block;
        at[blocks] = trees ? neighbours(t, at + from, count) : in_turn(t, at + from, count);
    }
    return blocks;
}

static int blocks_of_trees(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)space, in_turn(t, at, blocks_of(t, at, n, block, 1));
}

static int blocks_in_turn(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)space, in_turn(t, at, blocks_of(t, at, n, block, 0));
}

static int blocks_in_a_tree(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)space, neighbours(t, at, blocks_of(t, at, n, block, 0));
}

/* NumPy's: halves at multiples of 8, down to 128 terms; there 8 lanes and a tree, and what is left one by one. */
static int numpy_part(sum_tree *t, int *at, int n, int *space)
{
    enum { UNROLLED = 8, BLOCK = 128 };
    if (n < UNROLLED)
        return in_turn(t, at, n);
    if (n <= BLOCK) {
        lanes_of(t, at, n / UNROLLED * UNROLLED, UNROLLED, space);
        int sum = neighbours(t, space, UNROLLED);
        for (int i = n / UNROLLED * UNROLLED; i < n; i++)
            sum = sum_tree_add(t, sum, at[i]);
        return sum;
    }
    int left = n / 2 / UNROLLED * UNROLLED, first = numpy_part(t, at, left, space);
    return sum_tree_add(t, first, numpy_part(t, at + left, n - left, space));
}

static int numpy(sum_tree *t, int *at, int n, int *space, int block)
{
    return (void)block, numpy_part(t, at, n, space);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    order_of *make;
    int blocked;
    const char *about;
} kinds[] = {
    { "spec-fold", spec_fold, 0, "FOLD-ORDER: 32 lanes, folded in halves, in tiles of 1,024" },
    { "spec-scan", spec_scan, 0, "SCAN-ORDER: segments of 32 in tiles of 1,024" },
    { "sequential", forward, 0, "one after the other" },
    { "reverse", backward, 0, "one after the other, from the last on" },
    { "pairwise", in_halves, 0, "in halves" },
    { "neighbours", in_neighbours, 0, "neighbours in pairs, and their sums likewise" },
    { "folded", in_folds, 0, "the upper half onto the lower one, and so on" },
    { "doubling", doubling, 0, "in steps that double" },
    { "numpy", numpy, 0, "in halves down to 128 terms, and there 8 lanes" },
    { "pairwise", in_halves, 1, "in halves, down to runs of so many" },
    { "lanes", lanes_by_neighbours, 1, "so many running sums, then neighbours in pairs" },
    { "lanes-folded", lanes_folded, 1, "so many running sums, then the upper half onto the lower one" },
    { "lanes-in-turn", lanes_in_turn, 1, "so many running sums, then one after the other" },
    { "blocked", blocks_in_turn, 1, "runs of so many, then one after the other" },
    { "blocked-trees", blocks_of_trees, 1, "a tree in each block of so many, then one after the other" },
    { "tree-of-blocks", blocks_in_a_tree, 1, "runs of so many, then neighbours in pairs" },
};

enum { KINDS = sizeof kinds / sizeof *kinds, EVERY_BLOCK = 128 };

/* Every block up to 128, and round ones beyond; 0 past the last. */
static int block_at(int i)
{
    static const int round[] = { 256, 384, 500, 512, 768, 1000, 1024, 2048, 4096 };
    int beyond = i - (EVERY_BLOCK - 1);
    return beyond < 0 ? i + 2 : beyond < (int)(sizeof round / sizeof *round) ? round[beyond] : 0;
}

int named_list(named_order list[NAMED_MOST])
{
    int count = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        if (!kinds[kind].blocked)
            list[count++] = (named_order){ kind, 0 };
        for (int i = 0; kinds[kind].blocked && block_at(i) && count < NAMED_MOST; i++)
            list[count++] = (named_order){ kind, block_at(i) };
    }
    return count;
}

int named_make(named_order order, int terms, sum_tree *t)
{
    int *at = calloc(2 * (size_t)terms + 4096, sizeof *at), missing = sum_tree_make(t, terms) || !at;
    for (int i = 0; !missing && i < terms; i++)
        at[i] = i;
    if (!missing)
        t->root = kinds[order.kind].make(t, at, terms, at + terms, order.block);
    free(at);
    return missing ? -1 : 0;
}

void named_print(named_order order, char text[NAMED_SIZE])
{
    int used = snprintf(text, NAMED_SIZE, "%s", kinds[order.kind].name);
    if (order.block)
        snprintf(text + used, NAMED_SIZE - (size_t)used, "(%d)", order.block);
}

const char *named_about(named_order order) { return kinds[order.kind].about; }

int named_find(const char *text, named_order *order)
{
    static named_order list[NAMED_MOST];
    char name[NAMED_SIZE];
    for (int i = 0, n = named_list(list); i < n; i++) {
        named_print(list[i], name);
        if (!strcmp(name, text))
            return *order = list[i], 0;
    }
    return -1;
}
