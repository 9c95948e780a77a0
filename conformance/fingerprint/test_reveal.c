/* The order of sums is found from outside: the spec's, those of innocents by their names, and one that has no name. */
#include "reveal.h"
#include "conformance/innocent/innocent_call.h"
#include "conformance/tap/tap.h"

#include <stdlib.h>
#include <string.h>

static cot_backend *open_backend(const char *name)
{
    cot_backend *backend = NULL;
    cot_error error;
    int bad = innocent_find(name) ? innocent_open(name, NULL, &backend, &error)
                                  : cot_backend_open(name, NULL, &backend, &error);
    if (bad)
        BAIL_OUT("%s: %s", name, error.message);
    return backend;
}

/* The tree that an order makes of so many terms. */
static uint64_t digest_of(const char *name, int terms)
{
    named_order order;
    sum_tree t = { 0 };
    if (named_find(name, &order) || named_make(order, terms, &t))
        BAIL_OUT("no order %s", name);
    uint64_t digest = sum_tree_digest(&t);
    sum_tree_free(&t);
    return digest;
}

/* 1 where it is found, and is the tree of that name. */
static int is_order(cot_backend *backend, const char *op, cot_element element, int terms, const char *name)
{
    revealed r;
    reveal_status status = reveal_order(backend, cot_op_find(op), element, terms, &r);
    int good = !status && sum_tree_digest(&r.tree) == digest_of(name, terms);
    if (status)
        diag("%s of %d terms: %s", op, terms, r.why);
    else if (!good)
        diag("%s of %d terms: another tree", op, terms);
    sum_tree_free(&r.tree);
    return good;
}

static void check_range(const char *backend_name, const char *op, cot_element element, int last, const char *name)
{
    cot_backend *backend = open_backend(backend_name);
    int good = 1;
    for (int n = 1; n <= last && good; n++)
        good = is_order(backend, op, element, n, name);
    ok(good, "%s's %s in %s: %s, at every extent up to %d", backend_name, op, cot_element_name(element), name, last);
    cot_backend_close(backend);
}

static void check_one(const char *backend_name, const char *op, cot_element element, int terms, const char *name)
{
    cot_backend *backend = open_backend(backend_name);
    ok(is_order(backend, op, element, terms, name), "%s's %s in %s at %d: %s", backend_name, op,
       cot_element_name(element), terms, name);
    cot_backend_close(backend);
}

static void check_reference(void)
{
    static const char *const folds[] = { "var", "std", "softmax", "log_softmax" };
    static const char *const scans[] = { "cumsum", "cumprod", "cummax", "cummin" };
    for (int i = 0; i < 4; i++) {
        check_range("ref", folds[i], COT_F32, i ? 35 : 70, "spec-fold");
        check_range("ref", scans[i], COT_F32, i ? 35 : 70, "spec-scan");
    }
    check_one("ref", "softmax", COT_F16, 77, "spec-fold");
    check_one("ref", "softmax", COT_BF16, 77, "spec-fold");
    check_one("ref", "cumsum", COT_F64, 77, "spec-scan");
    check_one("ref", "log_softmax", COT_F32, 1100, "spec-fold");
    check_one("ref", "cumsum", COT_F32, 1100, "spec-scan");
}

static void check_innocents(void)
{
    check_range("sequential", "softmax", COT_F32, 40, "sequential");
    check_range("sequential", "cumsum", COT_F32, 40, "sequential");
    check_range("backward", "var", COT_F32, 40, "reverse");
    check_range("pairwise", "softmax", COT_F64, 40, "pairwise");
    check_one("pairwise_128", "log_softmax", COT_F32, 300, "pairwise(128)");
    check_one("blocks_128", "softmax", COT_F32, 300, "blocked-trees(128)");
    check_one("lanes_4", "softmax", COT_F32, 50, "lanes(4)");
    check_one("lanes_31", "softmax", COT_F32, 100, "lanes(31)");
    check_one("scan_blocks_32", "cumsum", COT_F32, 200, "blocked(32)");
    check_one("hillis_steele", "cumsum", COT_F32, 77, "doubling");
}

/* As the innocent splits its terms (sum.inc). */
static int split(sum_tree *t, uint64_t seed, int from, int n)
{
    enum { LEAF = 3 };
    int sum = from;
    for (int i = 1; n <= LEAF && i < n; i++)
        sum = sum_tree_add(t, sum, from + i);
    if (n <= LEAF)
        return sum;
    int left = 1 + (int)(innocent_hash(seed + (uint64_t)from, (uint64_t)n) % (uint64_t)(n - 1));
    int first = split(t, seed, from, left);
    return sum_tree_add(t, first, split(t, seed, from + left, n - left));
}

static int has_name(const sum_tree *t)
{
    static named_order list[NAMED_MOST];
    int found = 0;
    for (int i = 0, n = named_list(list); i < n && !found; i++) {
        sum_tree named;
        if (!named_make(list[i], t->terms, &named))
            found = sum_tree_digest(&named) == sum_tree_digest(t);
        sum_tree_free(&named);
    }
    return found;
}

/* An order without a name: the tree is the innocent's own. */
static void check_random(int terms)
{
    cot_backend *backend = open_backend("random_trees");
    uint64_t row = (uint64_t)(innocent_find("random_trees") - innocent_at(0));
    revealed r;
    sum_tree own;
    reveal_status status = reveal_order(backend, cot_op_find("softmax"), COT_F32, terms, &r);
    if (sum_tree_make(&own, terms))
        BAIL_OUT("out of memory");
    own.root = split(&own, innocent_hash(row, 0), 0, terms);
    ok(!status && sum_tree_digest(&own) == sum_tree_digest(&r.tree), "random_trees' %d terms: its own tree", terms);
    ok(!status && !has_name(&r.tree), "which has no name");
    ok(r.probes < 40 * (int64_t)terms, "%lld probes", (long long)r.probes);
    sum_tree_free(&own);
    sum_tree_free(&r.tree);
    cot_backend_close(backend);
}

/* What no tree explains is said to be that. */
static void check_none(const char *name, const char *op, cot_element element, reveal_status wanted)
{
    cot_backend *backend = open_backend(name);
    revealed r;
    reveal_status status = reveal_order(backend, cot_op_find(op), element, 33, &r);
    ok(status == wanted && *r.why, "%s's %s in %s has no order: %s", name, op, cot_element_name(element), r.why);
    sum_tree_free(&r.tree);
    cot_backend_close(backend);
}

static void check_text(const char *name, int terms, const char *text)
{
    named_order order;
    sum_tree t = { 0 };
    char *printed = NULL;
    size_t size;
    FILE *to = open_memstream(&printed, &size);
    if (!to || named_find(name, &order) || named_make(order, terms, &t))
        BAIL_OUT("%s", name);
    sum_tree_print(to, &t);
    fputc('\n', to);
    sum_tree_json(to, &t);
    fclose(to);
    ok(!strcmp(printed, text), "%s of %d terms as text and JSON: %s", name, terms, printed);
    free(printed);
    sum_tree_free(&t);
}

int main(void)
{
    plan(NO_PLAN);
    check_reference();
    check_innocents();
    check_random(25);
    check_random(500);
    check_none("kahan", "softmax", COT_F32, REVEAL_NO_ORDER);
    check_none("atomics", "softmax", COT_F32, REVEAL_NO_ORDER);
    check_none("ref", "prod", COT_F32, REVEAL_NO_SUM);
    check_none("ref", "var", COT_F16, REVEAL_NO_SUM);
    check_text("sequential", 5, "(0..4)\n[[[[0, 1], 2], 3], 4]");
    check_text("lanes(3)", 9,
               "(((0..6 by 3) + (1..7 by 3)) + (2..8 by 3))\n"
               "[[[[0, 3], 6], [[1, 4], 7]], [[2, 5], 8]]");
    check_text("reverse", 4, "(3..0)\n[[[3, 2], 1], 0]");
    return done_testing();
}
