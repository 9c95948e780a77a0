/* cotangent explain OP: its formula, its saves, its policies, and the clauses of the spec that speak of it. */
#include "conformance/clause/clauses.h"
#include "cli.h"
#include "core/cotangent.h"
#include "edges.h"
#include "conformance/case/words.h"
#include "conformance/clause/scope.h"

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
static void print_conventions(const cot_policy_info *policy)
{
    const char *before = "   ", *name;
    for (int c = COT_CONVENTION_TORCH; (name = convention_name((cot_convention)c)); c++)
        if (policy->conventions[c]) {
            printf("%s%s: %s", before, name, policy->values[policy->conventions[c]]);
            before = ", ";
        }
    puts("");
}

static void print_policies(const cot_op_info *op)
{
    const cot_policy_info *policy;
    const char *label = "policies";
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        if (!(op->policies >> i & 1))
            continue;
        printf("  %-10s %s =", label, policy->name);
        for (int v = 0; policy->values[v]; v++)
            printf("%s %s", v ? " |" : "", policy->values[v]);
        print_conventions(policy);
        label = "";
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
    const cli_option options[] = { { 0 } };
    int arguments = cli_parse(argc, argv, &cli_explain, options, 1, &status);
    if (arguments < 0)
        return status;
    const cot_op_info *op;
    if ((status = cli_op(arguments, argv, &cli_explain, &op)))
        return status;
    printf("%s, of family %s\n  forward    ", op->name, cot_family_name(op->family));
    cli_wrapped(op->forward, 13);
    printf("  gradient   ");
    cli_wrapped(op->gradient, 13);
    print_saves(op);
    print_policies(op);
    print_advice(op);
    print_edges(op);
    print_clauses(op);
    return EXIT_GOOD;
}

const cli_command cli_explain = { "explain", "OP",
                                  "Explains an op: formula, saves, policies, edges, clauses of the spec", run };
