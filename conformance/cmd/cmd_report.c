/* cotangent report RESULT.json: one page of HTML that shows the result of a check or a sweep. */
#include "cli.h"
#include "conformance/file/npy.h"
#include "conformance/html/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 28 };

static int read_text(const char *path, char **text)
{
    FILE *from = fopen(path, "rb");
    size_t used = 0, room = 1 << 16;
    *text = NULL;
    if (!from)
        return cli_fail(EXIT_USAGE, "%s: %s", path, strerror(errno));
    for (size_t got = 1; got && room < LARGEST; used += got) {
        char *more = realloc(*text, room *= 2);
        got = more ? fread(more + used, 1, room - used - 1, from) : 0;
        *text = more ? more : *text;
    }
    int failed = ferror(from) || !*text || room >= LARGEST;
    fclose(from);
    if (failed)
        return cli_fail(EXIT_USAGE, "%s cannot be read", path);
    (*text)[used] = 0;
    return EXIT_GOOD;
}

static int read_result(const char *path, node **result)
{
    char *text;
    size_t at = 0;
    int status = read_text(path, &text);
    *result = status ? NULL : tree_read(text, &at);
    if (!status && !*result)
        status = cli_fail(EXIT_USAGE, "%s is not JSON, from byte %zu on; check --format json writes it", path, at);
    free(text);
    return status;
}

typedef struct page {
    const node *result, *before;
    int unknown; /* what the result is of */
} page;

static int print_page(FILE *to, void *what)
{
    page *p = what;
    p->unknown = html_report(to, p->result, p->before);
    return p->unknown || ferror(to);
}

/* A file is there whole or not at all. */
static int write_page(const char *path, const node *result, const node *before)
{
    page p = { result, before, 0 };
    npy_draft draft = { 0 };
    char why[NPY_WHY_SIZE] = "";
    int which,
        failed = path ? npy_draft_print(&draft, path, print_page, &p, why) || npy_drafts_keep(&draft, 1, &which, why)
                      : print_page(stdout, &p);
    npy_draft_drop(&draft);
    if (p.unknown == HTML_DIFFERS)
        return cli_fail(EXIT_USAGE,
                        "a check and a sweep cannot be compared: --against takes an earlier result of its kind");
    if (p.unknown)
        return cli_fail(EXIT_USAGE, "it is neither the result of a check nor of a sweep");
    return failed && path ? cli_fail(EXIT_FAILED, "%s: %s", path, why) : EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    const char *out = NULL, *earlier = NULL;
    const cli_option options[] = {
        { "-o", "FILE", "where the page goes (default: the standard output)", &out, NULL },
        { "--against", "FILE", "an earlier result of the same kind: what has changed since", &earlier, NULL },
        { 0 },
    };
    node *result = NULL, *before = NULL;
    int status, arguments = cli_parse(argc, argv, &cli_report, options, 1, &status);
    if (arguments < 0)
        return status;
    if (!arguments)
        return cli_fail(EXIT_USAGE, "report needs the JSON of a check, a sweep or a merge");
    status = read_result(argv[0], &result);
    if (!status && earlier)
        status = read_result(earlier, &before);
    if (!status)
        status = write_page(out, result, before);
    tree_free(result);
    tree_free(before);
    return status;
}

const cli_command cli_report = { "report", "RESULT.json", "Shows the JSON of a check or a sweep as one page of HTML",
                                 run };
