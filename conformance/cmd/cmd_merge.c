/* cotangent merge DIR|FILE...: the blocks of a sweep, or the parts of a check, wherever they were judged, as one
 * report. */
#include "cli.h"
#include "conformance/archive/members.h"
#include "conformance/archive/parts.h"
#include "conformance/sweep/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- a sweep --------------------------------------------------------------------------------- */

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

static int merge_sweep(int arguments, char **argv, const char *format)
{
    collection c = { .files = 0 };
    int status = EXIT_GOOD;
    for (int i = 0; i < arguments && !status; i++)
        if (collect_path(&c, argv[i]))
            status = cli_fail(EXIT_USAGE, "%s", c.error);
    if (!status && !*c.heading)
        status = cli_fail(EXIT_USAGE, "there is no finished block in %s", argv[0]);
    status = status ? status : say(&c, format);
    collect_free(&c);
    return status;
}

/* ---- a check --------------------------------------------------------------------------------- */

static int is_check(const char *path)
{
    struct stat about;
    char start[16] = "";
    FILE *from = !stat(path, &about) && S_ISREG(about.st_mode) ? fopen(path, "r") : NULL;
    int got = from && fgets(start, sizeof start, from);
    if (from)
        fclose(from);
    return got && parts_is_check(start);
}

static int say_check(parts *p)
{
    char missing[1024];
    parts_missing(p, missing, sizeof missing);
    if (p->twice)
        cli_fail(0, "%d parts are there twice, with the same results, such as %d: counted once", p->twice,
                 p->one_twice);
    if (*missing)
        return cli_fail(EXIT_UNJUDGED, "%d of %d parts are missing: %s", p->shard_count - p->got, p->shard_count,
                        missing);
    if (parts_finish(p))
        return cli_fail(EXIT_USAGE, "%s", p->error);
    report_json.end(&p->r);
    return report_is_good(&p->r) ? EXIT_GOOD : EXIT_FAILED;
}

static int add_check(parts *p, const char *path)
{
    size_t size;
    char *text = read_whole(path, &size);
    int status = EXIT_GOOD;
    if (!text)
        status = cli_fail(EXIT_USAGE, "%s: %s", path, strerror(errno));
    else if (parts_add(p, path, text))
        status = cli_fail(EXIT_USAGE, "%s", p->error);
    free(text);
    return status;
}

/* The JSON that the whole run would have printed. */
static int merge_checks(int arguments, char **argv, const char *format)
{
    parts p;
    if (format && strcmp(format, "json"))
        return cli_fail(EXIT_USAGE, "--format %s: results of check become JSON; `cotangent report` makes a page of it",
                        format);
    int status = parts_begin(&p) ? cli_fail(EXIT_FAILED, "%s", p.error) : EXIT_GOOD;
    for (int i = 0; i < arguments && !status; i++)
        status = add_check(&p, argv[i]);
    status = status ? status : say_check(&p);
    parts_free(&p);
    return status;
}

static int run(int argc, char **argv)
{
    const char *format = NULL;
    const cli_option options[] = { { "--format", "F", "of a sweep: text or json", &format, NULL }, { 0 } };
    int status, arguments = cli_parse(argc, argv, &cli_merge, options, 4096, &status), checks = 0;
    if (arguments < 0)
        return status;
    if (format && strcmp(format, "text") && strcmp(format, "json"))
        return cli_fail(EXIT_USAGE, "there is no format \"%s\": text or json", format);
    if (!arguments)
        return cli_fail(EXIT_USAGE, "merge needs the directories or files of a sweep, or the JSON of parts of a check");
    for (int i = 0; i < arguments; i++)
        checks += is_check(argv[i]);
    return checks ? merge_checks(arguments, argv, format) : merge_sweep(arguments, argv, format);
}

const cli_command cli_merge = { "merge", "DIR|FILE...", "Puts the parts of a sweep or a check together", run };
