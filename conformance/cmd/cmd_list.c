/* cotangent list: the ids of the cases that a check would run. */
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

static int run(int argc, char **argv)
{
    selection s = { 0 };
    cli_option options[SELECTION_OPTIONS + 1] = { { 0 } };
    int64_t count = 0;
    int status;
    selection_options(&s, options);
    if (cli_parse(argc, argv, &cli_list, options, 0, &status) < 0 || (status = selection_read(&s)))
        return status;
    selection_visit(&s, print_one, &count);
    selection_free(&s);
    return count ? EXIT_GOOD : cli_fail(EXIT_USAGE, "no case matches");
}

const cli_command cli_list = { "list", "", "Lists the ids of the cases that a check with the same options would run",
                               run };
