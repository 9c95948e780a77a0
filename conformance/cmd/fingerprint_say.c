/* What the command fingerprint prints. */
#include "fingerprint_say.h"
#include "conformance/case/words.h"
#include "conformance/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { IN_TEXT = 100 }; /* terms of a tree that is printed for a reader */

/* ---- as text --------------------------------------------------------------------------------- */

static void print_tree(const sum_tree *t)
{
    printf("%16s%d terms: ", "", t->terms);
    sum_tree_print(stdout, t);
    printf("\n");
}

/* Why there is none, once; else the trees themselves. */
static void print_unnamed(const op_order *o)
{
    for (int i = 0; i < o->extents; i++)
        if (o->status[i]) {
            printf("  %-13s no order is found at %d terms: %s\n", o->op->name, o->terms[i], o->found[i].why);
            return;
        }
    printf("  %-13s an order without a name\n", o->op->name);
    for (int i = 0; i < o->extents; i++)
        if (o->terms[i] <= IN_TEXT)
            print_tree(&o->found[i].tree);
}

static void print_order(const op_order *o)
{
    char name[NAMED_SIZE];
    int64_t probes = 0;
    if (!o->extents)
        return;
    if (!o->named) {
        print_unnamed(o);
        return;
    }
    named_print(o->name, name);
    printf("  %-13s %s: %s; at", o->op->name, name, named_about(o->name));
    for (int i = 0; i < o->extents; i++) {
        printf("%s %d", i ? "," : "", o->terms[i]);
        probes += o->found[i].probes;
    }
    printf(" terms (%" PRId64 " sums)\n", probes);
    for (int i = 0; i < o->extents; i++)
        if (o->terms[i] > 4 && o->terms[i] <= IN_TEXT / 10) {
            print_tree(&o->found[i].tree);
            break;
        }
}

static void print_way(const op_ways *w)
{
    char policies[512];
    if (w->status) {
        printf("  %-13s not done: %s\n", w->op->name, w->error.message);
        return;
    }
    ways_print(w->op, &w->ways, policies, sizeof policies);
    printf("  %-13s", w->op->name);
    for (int c = 0; c < WAYS_CONVENTIONS; c++)
        printf(" %6" PRId64, w->ways.differ[c]);
    printf(" %6" PRId64 "  %s", w->ways.least, policies);
    w->ways.asked ? printf(" (asked under %s)\n", convention_name(w->ways.asked)) : printf("\n");
}

static void print_ways(const fingerprint *f)
{
    printf("\nAt the edges: cells of %" PRId64 " that differ from spec, torch, jax, and the best policies\n\n",
           f->cells);
    printf("  %-13s %6s %6s %6s %6s\n", "", "spec", "torch", "jax", "best");
    for (int i = 0; i < f->ways; i++)
        print_way(&f->way[i]);
}

static void print_finding(const finding *f)
{
    printf("  %-17s %-12s %s", f->name, f->op, f->found);
    strcmp(f->found, f->spec) ? printf("; the spec: %s\n", f->spec) : printf("\n");
}

void fingerprint_text(const fingerprint *f, const char *backend, cot_element element)
{
    printf("%s in %s: nearest to %s (", backend, cot_element_name(element),
           convention_name((cot_convention)fingerprint_nearest(f)));
    for (int c = 0; c < WAYS_CONVENTIONS; c++)
        printf("%s%" PRId64 " of %" PRId64 " cells differ from %s", c ? ", " : "", f->differ[c], f->cells,
               convention_name((cot_convention)c));
    printf(")\n");
    if (f->orders)
        printf("\nThe order of sums; in scans term 0 is the first that the running sum takes\n\n");
    for (int i = 0; i < f->orders; i++)
        print_order(&f->order[i]);
    print_ways(f);
    if (f->findings)
        printf("\nArithmetic\n\n");
    for (int i = 0; i < f->findings; i++)
        print_finding(&f->finding[i]);
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_text(const char *before, const char *key, const char *value)
{
    printf("%s\"%s\": ", before, key);
    value ? print_json_string(stdout, value) : (void)printf("null");
}

static void json_order(const op_order *o)
{
    char name[NAMED_SIZE];
    if (o->named)
        named_print(o->name, name);
    json_text("\n{ ", "op", o->op->name);
    json_text(", ", "name", o->named ? name : NULL);
    json_text(", ", "about", o->named ? named_about(o->name) : NULL);
    printf(", \"sums\": [");
    for (int i = 0; i < o->extents; i++) {
        printf("%s\n  { \"terms\": %d, \"probes\": %" PRId64, i ? "," : "", o->terms[i], o->found[i].probes);
        json_text(", ", "why", o->status[i] ? o->found[i].why : NULL);
        printf(", \"tree\": ");
        o->status[i] ? (void)printf("null") : sum_tree_json(stdout, &o->found[i].tree);
        printf(" }");
    }
    printf(" ] }");
}

static void json_differ(const int64_t differ[WAYS_CONVENTIONS])
{
    for (int c = 0; c < WAYS_CONVENTIONS; c++)
        printf("%s\"%s\": %" PRId64, c ? ", " : " ", convention_name((cot_convention)c), differ[c]);
    printf(" }");
}

static void json_way(const op_ways *w)
{
    char policies[512] = "";
    json_text("\n{ ", "op", w->op->name);
    json_text(", ", "not_done", w->status ? w->error.message : NULL);
    if (!w->status) {
        ways_print(w->op, &w->ways, policies, sizeof policies);
        printf(", \"cells\": %" PRId64 ", \"differ\": {", w->ways.cells);
        json_differ(w->ways.differ);
        printf(", \"differ_from_best\": %" PRId64, w->ways.least);
        json_text(", ", "policies", policies);
        json_text(", ", "asked", convention_name(w->ways.asked));
    }
    printf(" }");
}

static void json_finding(const finding *f)
{
    json_text("\n{ ", "name", f->name);
    json_text(", ", "op", f->op);
    json_text(", ", "found", f->found);
    json_text(", ", "spec", f->spec);
    printf(" }");
}

void fingerprint_json(const fingerprint *f, const char *backend, cot_element element)
{
    json_text("{ \"format\": 1, ", "backend", backend);
    json_text(", ", "dtype", cot_element_name(element));
    json_text(", ", "nearest", convention_name((cot_convention)fingerprint_nearest(f)));
    printf(", \"cells\": %" PRId64 ", \"differ\": {", f->cells);
    json_differ(f->differ);
    printf(",\n\"orders\": [");
    for (int i = 0; i < f->orders; i++, i < f->orders ? (void)printf(",") : (void)0)
        json_order(&f->order[i]);
    printf(" ],\n\"edges\": [");
    for (int i = 0; i < f->ways; i++, i < f->ways ? (void)printf(",") : (void)0)
        json_way(&f->way[i]);
    printf(" ],\n\"arithmetic\": [");
    for (int i = 0; i < f->findings; i++, i < f->findings ? (void)printf(",") : (void)0)
        json_finding(&f->finding[i]);
    printf(" ] }\n");
}
