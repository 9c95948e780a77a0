/* cotangent merge DIR|FILE...: the blocks of a sweep, wherever they were judged, as one report. */
#include "cli.h"
#include "conformance/sweep/summary.h"

#include <string.h>

static int say(const collection *c, const char *format)
{
    char missing[1024];
    summary s = summarize(c, 1, 1);
    missing_blocks(c, 1, 1, missing, sizeof missing);
    (format && !strcmp(format, "json") ? summary_json : summary_text)(stdout, c, &s);
    if (c->twice)
        cli_fail(0, "%lld blocks are there twice, with the same results, such as %lld: counted once",
                 (long long)c->twice, (long long)c->one_twice);
    if (*missing)
        return cli_fail(EXIT_UNJUDGED, "%lld of %lld blocks are missing: %s", (long long)(s.planned - s.done),
                        (long long)s.planned, missing);
    return summary_is_good(&s) ? EXIT_GOOD : EXIT_FAILED;
}

static int run(int argc, char **argv)
{
    const char *format = NULL;
    const cli_option options[] = { { "--format", "F", "text or json", &format, NULL }, { 0 } };
    collection c = { .files = 0 };
    int status, arguments = cli_parse(argc, argv, &cli_merge, options, 4096, &status);
    if (arguments < 0)
        return status;
    status = EXIT_GOOD;
    if (format && strcmp(format, "text") && strcmp(format, "json"))
        return cli_fail(EXIT_USAGE, "there is no format \"%s\": text or json", format);
    if (!arguments)
        return cli_fail(EXIT_USAGE, "merge needs the directories or files of a sweep");
    for (int i = 0; i < arguments && !status; i++)
        if (collect_path(&c, argv[i]))
            status = cli_fail(EXIT_USAGE, "%s", c.error);
    if (!status && !*c.heading)
        status = cli_fail(EXIT_USAGE, "there is no finished block in %s", argv[0]);
    status = status ? status : say(&c, format);
    collect_free(&c);
    return status;
}

const cli_command cli_merge = { "merge", "DIR|FILE...", "Puts the parts of a sweep together, as one report", run };
