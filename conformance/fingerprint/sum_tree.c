/* Trees of additions: made, compared, printed. */
#include "sum_tree.h"

#include <stdlib.h>

int sum_tree_make(sum_tree *t, int terms)
{
    *t = (sum_tree){ .terms = terms, .nodes = terms, .root = terms == 1 ? 0 : -1 };
    t->of = calloc((size_t)terms + 1, sizeof *t->of);
    return t->of ? 0 : -1;
}

void sum_tree_free(sum_tree *t)
{
    free(t->of);
    *t = (sum_tree){ .root = -1 };
}

int sum_tree_add(sum_tree *t, int a, int b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    int *of = t->of[t->nodes - t->terms];
    of[0] = a;
    of[1] = b;
    return t->root = t->nodes++;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A tree is the set of its nodes' sets of terms. */
uint64_t sum_tree_digest(const sum_tree *t)
{
    uint64_t *set = calloc((size_t)t->nodes + 1, sizeof *set), digest = 0;
    for (int i = 0; set && i < t->nodes; i++) {
        const int *of = i < t->terms ? NULL : t->of[i - t->terms];
        set[i] = of ? set[of[0]] + set[of[1]] : mix((uint64_t)i);
        digest += of ? mix(set[i]) : 0;
    }
    free(set);
    return digest;
}

/* ---- printing -------------------------------------------------------------------------------- */

/* Terms that are added one after the other, each as far from the one before. */
typedef struct chain {
    int first, last, step, count; /* count 0: the node is none */
} chain;

static chain chain_and(chain so_far, int term)
{
    chain turned = { so_far.last, so_far.first, -so_far.step, so_far.count };
    if (so_far.count == 2 && term - so_far.last != so_far.step)
        so_far = turned; /* of the first two either may come first */
    if (so_far.count == 1)
        return so_far.first < term ? (chain){ so_far.first, term, term - so_far.first, 2 }
                                   : (chain){ term, so_far.first, so_far.first - term, 2 };
    if (!so_far.count || term - so_far.last != so_far.step)
        return (chain){ 0 };
    so_far.last = term;
    so_far.count++;
    return so_far;
}

static chain *find_chains(const sum_tree *t)
{
    chain *c = calloc((size_t)t->nodes + 1, sizeof *c);
    for (int i = 0; c && i < t->nodes; i++) {
        const int *of = i < t->terms ? NULL : t->of[i - t->terms];
        if (!of)
            c[i] = (chain){ i, i, 0, 1 };
        else if (of[1] < t->terms)
            c[i] = chain_and(c[of[0]], of[1]);
        else if (of[0] < t->terms)
            c[i] = chain_and(c[of[1]], of[0]);
    }
    return c;
}

static int least(const sum_tree *t, int node)
{
    if (node < t->terms)
        return node;
    int a = least(t, t->of[node - t->terms][0]), b = least(t, t->of[node - t->terms][1]);
    return a < b ? a : b;
}

static void print_chain(FILE *to, chain c)
{
    fprintf(to, c.count == 2 ? "(%d + %d" : "(%d..%d", c.first, c.last);
    fprintf(to, c.count > 2 && abs(c.step) != 1 ? " by %d)" : ")", abs(c.step));
}

static void print_node(FILE *to, const sum_tree *t, const chain *chains, int node)
{
    if (node < t->terms) {
        fprintf(to, "%d", node);
    } else if (chains[node].count) {
        print_chain(to, chains[node]);
    } else {
        const int *of = t->of[node - t->terms];
        int turn = least(t, of[1]) < least(t, of[0]);
        fputc('(', to);
        print_node(to, t, chains, of[turn]);
        fputs(" + ", to);
        print_node(to, t, chains, of[!turn]);
        fputc(')', to);
    }
}

void sum_tree_print(FILE *to, const sum_tree *t)
{
    chain *chains = find_chains(t);
    if (chains && t->root >= 0)
        print_node(to, t, chains, t->root);
    free(chains);
}

static void json_node(FILE *to, const sum_tree *t, int node)
{
    if (node < t->terms) {
        fprintf(to, "%d", node);
        return;
    }
    const int *of = t->of[node - t->terms];
    fputc('[', to);
    json_node(to, t, of[0]);
    fputs(", ", to);
    json_node(to, t, of[1]);
    fputc(']', to);
}

void sum_tree_json(FILE *to, const sum_tree *t) { t->root < 0 ? (void)fputs("null", to) : json_node(to, t, t->root); }
