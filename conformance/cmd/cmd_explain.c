/* cotangent explain OP: its formula, its saves, its policies, and the clauses of the spec that speak of it. */
#include "conformance/clause/clauses.h"
#include "cli.h"
#include "core/cotangent.h"
#include "edges.h"
#include "conformance/case/words.h"
#include "conformance/clause/scope.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void print_saves(const cot_op_info *op)
{
    printf("  saves      ");
    if (!op->needs)
        printf("none");
    else
        printf("%s", op->needs & COT_NEEDS_A      ? "a and b"
                     : !(op->needs & COT_NEEDS_Y) ? "x"
                     : !(op->needs & COT_NEEDS_X) ? "y"
                     : op->needs & COT_Y_UNREAD   ? "x and y (y is checked, never read)"
                                                  : "x and y");
    puts("");
}

/* The conventions that do not take the spec's own value, and theirs. */
static void print_conventions(const cot_policy_info *policy, int column)
{
    char text[256] = "";
    const char *name;
    size_t used = 0;
    for (int c = COT_CONVENTION_TORCH; (name = convention_name((cot_convention)c)) && used < sizeof text; c++)
        if (policy->conventions[c])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s", used ? ", " : "", name,
                                     policy->values[policy->conventions[c]]);
    if (*text)
        fputs(column + 3 + (int)strlen(text) > 80 ? "\n               " : "   ", stdout);
    puts(text);
}

static uint8_t value_of(const cot_policies *chosen, const cot_policy_info *policy)
{
    return ((const uint8_t *)chosen)[policy->offset];
}

/* Values that were chosen stand in brackets; without a choice none does. */
static void print_policies(const cot_op_info *op, const cot_policies *chosen, int marked)
{
    const cot_policy_info *policy;
    const char *label = "policies";
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        if (!(op->policies >> i & 1))
            continue;
        int column = printf("  %-10s %s =", label, policy->name);
        for (int v = 0; policy->values[v]; v++)
            column +=
                printf(marked && v == value_of(chosen, policy) ? "%s [%s]" : "%s %s", v ? " |" : "", policy->values[v]);
        print_conventions(policy, column);
        label = "";
    }
}

/* "POLICY-MAX-NAN" begins with the name max_nan. */
static int speaks_of(const clause *c, const char *policy)
{
    size_t at = strlen("POLICY-");
    if (strncmp(c->id, "POLICY-", at))
        return 0;
    for (; *policy; policy++, at++)
        if (c->id[at] != (*policy == '_' ? '-' : toupper((unsigned char)*policy)))
            return 0;
    return !c->id[at] || c->id[at] == '-';
}

/* What values other than the spec's own make of the formula: their clauses. */
static void print_changes(const cot_op_info *op, const cot_policies *chosen)
{
    const cot_policy_info *policy;
    const clause *c;
    char text[4096];
    for (size_t p = 0; (policy = cot_policy_at(p)); p++) {
        uint8_t value = value_of(chosen, policy);
        if (!(op->policies >> p & 1) || value == policy->conventions[COT_CONVENTION_SPEC])
            continue;
        for (int i = 0; (c = clause_at(i)); i++)
            if (speaks_of(c, policy->name) && scope_names(c->scope, op)) {
                snprintf(text, sizeof text, "%s=%s (%s): %s", policy->name, policy->values[value], c->id, c->text);
                printf("  but with   ");
                cli_wrapped(text, 13);
            }
    }
}

/* What to choose: where another formula loses fewer numbers. */
static void print_advice(const cot_op_info *op)
{
    cot_policies accurate;
    cot_convention_policies(COT_CONVENTION_ACCURATE, &accurate);
    if (cot_uses_spec_policies(op->op, &accurate))
        return;
    printf("  choose     ");
    cli_wrapped(
        "--convention accurate where numbers count and no other kernel must be matched: it loses fewer of them at "
        "the ends of the range, with no further pass over memory. The spec's own is the formula as it is written; "
        "torch and jax "
        "are for comparing with these frameworks.",
        13);
}

static void print_clauses(const cot_op_info *op)
{
    const clause *c;
    puts("\nClauses");
    for (int i = 0; (c = clause_at(i)); i++)
        if (strcmp(c->scope, "all") && scope_names(c->scope, op)) {
            printf("  %-20s ", c->id);
            cli_wrapped(c->text, 23);
        }
    printf("\nClauses of every op\n  ");
    char all[4096] = "";
    for (int i = 0; (c = clause_at(i)); i++)
        if (!strcmp(c->scope, "all") && strlen(all) + strlen(c->id) + 2 < sizeof all) {
            strcat(all, *all ? " " : "");
            strcat(all, c->id);
        }
    cli_wrapped(all, 2);
    puts("\nThe whole text: doc/SPEC.md");
}

static int run(int argc, char **argv)
{
    int status;
    const char *convention = NULL, *list = NULL;
    cot_policies chosen = { 0 };
    const cli_option options[] = {
        { "--convention", "NAME", "under spec, torch, jax or accurate: what it chooses, formula and edges", &convention,
          NULL },
        { "--policy", "NAME=VALUE,...", "under single policies, on top of it", &list, NULL },
        { 0 },
    };
    int arguments = cli_parse(argc, argv, &cli_explain, options, 1, &status);
    if (arguments < 0)
        return status;
    const cot_op_info *op;
    if ((status = cli_op(arguments, argv, &cli_explain, &op)) || (status = cli_policies(convention, list, &chosen)))
        return status;
    printf("%s, of family %s\n  forward    ", op->name, cot_family_name(op->family));
    cli_wrapped(op->forward, 13);
    printf("  gradient   ");
    cli_wrapped(op->gradient, 13);
    print_changes(op, &chosen);
    print_saves(op);
    print_policies(op, &chosen, convention || list);
    print_advice(op);
    status = print_edges(op, &chosen);
    print_clauses(op);
    return status;
}

const cli_command cli_explain = { "explain", "OP",
                                  "Explains an op: formula, saves, policies, edges, clauses of the spec", run };
