/* cotangent list: the ids of the cases that a check would run; what generators and layouts there are. */
#include "conformance/case/generate.h"
#include "selection.h"

#include <stdio.h>

static int print_one(void *self, const test_case *c)
{
    char id[CASE_ID_SIZE];
    case_print(c, id);
    puts(id);
    ++*(int64_t *)self;
    return 0;
}

static void print_generators(void)
{
    const generator *g;
    for (int i = 0; (g = generator_at(i)); i++)
        printf("%-13s  %s\n", g->name, g->about);
}

static void print_layouts(void)
{
    for (int i = 0; i < LAYOUTS; i++)
        printf("%-13s  %s\n", layout_name((case_layout)i), layout_about((case_layout)i));
}

static int run(int argc, char **argv)
{
    selection s = { 0 };
    cli_option options[SELECTION_OPTIONS + 3] = { { 0 } };
    int64_t count = 0;
    int status, generators = 0, layouts = 0;
    int used = selection_options(&s, options);
    options[used++] = (cli_option){ "--generators", NULL, "what the generators make, and no ids", NULL, &generators };
    options[used] = (cli_option){ "--layouts", NULL, "what the layouts are, and no ids", NULL, &layouts };
    if (cli_parse(argc, argv, &cli_list, options, 0, &status) < 0 || (status = selection_read(&s)))
        return status;
    if (generators)
        print_generators();
    if (layouts)
        print_layouts();
    if (generators || layouts)
        return EXIT_GOOD;
    selection_visit(&s, print_one, &count);
    selection_free(&s);
    return count ? EXIT_GOOD : cli_fail(EXIT_USAGE, "no case matches");
}

const cli_command cli_list = { "list", "", "Lists the ids of the cases that a check with the same options would run",
                               run };
