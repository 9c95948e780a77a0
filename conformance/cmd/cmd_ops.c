/* cotangent ops: the op table, for people and for programs. */
#include "cli.h"
#include "core/cotangent.h"

#include <stdio.h>

enum { MOST_READS = 3 };

/* What the gradient reads, dy first. */
static int reads_of(const cot_op_info *op, const char *reads[MOST_READS])
{
    int count = 0;
    reads[count++] = "dy";
    if (op->needs & COT_NEEDS_X)
        reads[count++] = "x";
    if (op->needs & COT_NEEDS_Y && !(op->needs & COT_Y_UNREAD))
        reads[count++] = "y";
    if (op->needs & COT_NEEDS_A)
        reads[count++] = "a";
    if (op->needs & COT_NEEDS_B)
        reads[count++] = "b";
    return count;
}

static void print_row(const cot_op_info *op)
{
    const char *reads[MOST_READS];
    char joined[16];
    int used = 0;
    for (int i = 0, n = reads_of(op, reads); i < n; i++)
        used += snprintf(joined + used, sizeof joined - (size_t)used, i ? " %s" : "%s", reads[i]);
    printf("%-13s %-13s %-8s ", cot_family_name(op->family), op->name, joined);
    cli_row(op->gradient, 37);
}

static void print_json_policies(const cot_op_info *op)
{
    const cot_policy_info *policy;
    int printed = 0;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (op->policies >> i & 1)
            printf("%s\"%s\"", printed++ ? ", " : "", policy->name);
}

static void print_json(const cot_op_info *op)
{
    const char *reads[MOST_READS];
    printf("  { \"family\": \"%s\", \"op\": \"%s\", \"reads\": [", cot_family_name(op->family), op->name);
    for (int i = 0, n = reads_of(op, reads); i < n; i++)
        printf("%s\"%s\"", i ? ", " : "", reads[i]);
    printf("], \"policies\": [");
    print_json_policies(op);
    printf("], \"forward\": \"%s\", \"formula\": \"%s\" }", op->forward, op->gradient);
}

static int run(int argc, char **argv)
{
    int json = 0, status;
    const cli_option options[] = {
        { "--json", NULL, "an array of objects: family, op, reads, policies, forward, formula", NULL, &json }, { 0 }
    };
    if (cli_parse(argc, argv, &cli_ops, options, 0, &status) < 0)
        return status;
    const cot_op_info *op;
    puts(json ? "[" : "family        op            reads    gradient");
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        if (!json) {
            print_row(op);
            continue;
        }
        print_json(op);
        puts(cot_op_at(i + 1) ? "," : "");
    }
    if (json)
        puts("]");
    return EXIT_GOOD;
}

const cli_command cli_ops = { "ops", "", "Lists the ops: family, name, what they read, their gradient", run };
