/* What the command fingerprint prints. */
#include "fingerprint_say.h"
#include "cli.h"
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

static void print_named(const op_order *o)
{
    char name[NAMED_SIZE], text[1024];
    int64_t probes = 0;
    named_print(o->name, name);
    int used = snprintf(text, sizeof text, "%s: %s; at", name, named_about(o->name));
    for (int i = 0; i < o->extents && used < (int)sizeof text; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d", i ? "," : "", o->terms[i]);
        probes += o->found[i].probes;
    }
    if (used < (int)sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, " terms (%" PRId64 " sums)", probes);
    printf("  %-13s ", o->op->name);
    cli_row(text, 16);
}

static void print_order(const op_order *o)
{
    if (!o->extents)
        return;
    if (!o->named) {
        print_unnamed(o);
        return;
    }
    print_named(o);
    for (int i = 0; i < o->extents; i++)
        if (o->terms[i] > 4 && o->terms[i] <= IN_TEXT / 10) {
            print_tree(&o->found[i].tree);
            break;
        }
}

static void print_way(const op_ways *w)
{
    char policies[512], asked[64] = "";
    printf("  %-13s ", w->op->name);
    if (w->status) {
        snprintf(policies, sizeof policies, "not done: %s", w->error.message);
        cli_row(policies, 16);
        return;
    }
    ways_print(w->op, &w->ways, policies, sizeof policies);
    for (int c = 0; c < WAYS_CONVENTIONS; c++)
        printf("%6" PRId64 " ", w->ways.differ[c]);
    printf("%6" PRId64 "  ", w->ways.least);
    if (w->ways.asked)
        snprintf(asked, sizeof asked, " (asked under %s)", convention_name(w->ways.asked));
    strncat(policies, asked, sizeof policies - strlen(policies) - 1);
    cli_row(policies, 45);
}

static void print_ways(const fingerprint *f)
{
    printf("\nAt the edges: cells of %" PRId64 " that differ from each, and from the best policies\n\n", f->cells);
    printf("  %-13s %6s %6s %6s %6s\n", "", "spec", "torch", "jax", "best");
    for (int i = 0; i < f->ways; i++)
        print_way(&f->way[i]);
}

static void print_finding(const finding *f)
{
    char text[512];
    int differs = strcmp(f->found, f->spec) != 0;
    snprintf(text, sizeof text, "%s%s%s", f->found, differs ? "; the spec: " : "", differs ? f->spec : "");
    printf("  %-17s %-12s ", f->name, f->op);
    cli_row(text, 33);
}

void fingerprint_text(const fingerprint *f, const char *backend, cot_element element)
{
    printf("%s in %s: nearest to %s\n(cells of %" PRId64 " that differ:", backend, cot_element_name(element),
           convention_name((cot_convention)fingerprint_nearest(f)), f->cells);
    for (int c = 0; c < WAYS_CONVENTIONS; c++)
        printf("%s %s %" PRId64, c ? "," : "", convention_name((cot_convention)c), f->differ[c]);
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
