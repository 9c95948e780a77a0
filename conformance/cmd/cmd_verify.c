/* cotangent verify ARCHIVE: the audit of a submission, on a machine without the hardware that it is about. */
#include "cli.h"
#include "conformance/archive/audit.h"
#include "conformance/case/words.h"
#include "conformance/judge/judge.h"
#include "selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int take(void *self, const char *name, const char *data, size_t size)
{
    return member_add(self, name, data, size);
}

/* ---- the cases that a result was asked for ------------------------------------------------------ */

static const char *or_null(const node *object, const char *key)
{
    return node_get(object, key) ? text_at(object, key) : NULL;
}

/* Ids, a line each; NULL where there are none. */
static char *join_ids(const node *cases)
{
    char *ids = NULL;
    size_t size;
    FILE *to = cases ? open_memstream(&ids, &size) : NULL;
    for (const node *id = cases ? cases->child : NULL; to && id; id = id->next)
        fprintf(to, "%s\n", node_text(id));
    if (to)
        fclose(to);
    return ids;
}

static int count_case(void *self, const test_case *c)
{
    tally *planned = self;
    int op = 0;
    while (cot_op_at((size_t)op)->op != c->desc.op)
        op++;
    tally_promise(planned, c);
    tally_add_row(planned, op, c->desc.element, &(row){ .cases = 1 });
    return 0;
}

/* The options that the result names, read as those of a command line. */
static int plan(const node *run, tally *planned, char why[256])
{
    const node *given = node_get(run, "selection");
    char *ids = join_ids(node_get(given, "cases"));
    selection s = { .dtypes = or_null(given, "dtype"),
                    .ids = ids,
                    .part = "1/1",
                    .seed = or_null(run, "seed"),
                    .layouts = or_null(given, "layout"),
                    .generators = or_null(given, "generator"),
                    .clauses = or_null(given, "clause"),
                    .convention = or_null(given, "convention"),
                    .policy = or_null(given, "policy") };
    s.range.op_glob = or_null(given, "op");
    s.range.families = or_null(given, "family");
    s.range.full = !strcmp(text_at(run, "range"), "full");
    int wrong = selection_read(&s);
    if (!wrong) {
        selection_visit(&s, count_case, planned);
        if (selection_is_whole(&s))
            tally_promise_range(planned, &s.range);
    }
    snprintf(why, 256, "its selection is not one that this program knows");
    selection_free(&s);
    free(ids);
    return wrong ? -1 : 0;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int say(const members *m, int samples, uint64_t seed)
{
    audit found = audit_submission(stdout, m, samples, seed, plan);
    printf(found.problems ? "%d problems in %d results and %d sweeps\n"
                          : "%d problems; %d results and %d sweeps are sound\n",
           found.problems, found.results, found.sweeps);
    judge_end();
    return found.problems ? EXIT_FAILED : EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    const char *sample = NULL, *seed = NULL, *wrong = NULL;
    const cli_option options[] = {
        { "--sample", "N", "blocks of each sweep that are computed again (default: 8)", &sample, NULL },
        { "--seed", "S", "which blocks (default: any)", &seed, NULL },
        { 0 },
    };
    long long samples = 8, drawn = (long long)time(NULL);
    size_t size = 0;
    int status, arguments = cli_parse(argc, argv, &cli_verify, options, 1, &status);
    if (arguments < 0)
        return status;
    if (!arguments)
        return cli_fail(EXIT_USAGE, "verify needs an archive");
    if ((sample && parse_integer(sample, 0, 65536, &samples)) || (seed && parse_integer(seed, 0, INT32_MAX, &drawn)))
        return cli_fail(EXIT_USAGE, "--sample and --seed are numbers");
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    members *m = calloc(1, sizeof *m);
    char *bytes = m ? read_whole(argv[0], &size) : NULL;
    status = bytes ? EXIT_GOOD : cli_fail(EXIT_USAGE, "%s: %s", argv[0], strerror(errno));
    if (!status && (wrong = tar_read(bytes, size, take, m)))
        status = cli_fail(EXIT_USAGE, "%s is refused: %s", argv[0], wrong);
    if (!status)
        status = say(m, (int)samples, (uint64_t)drawn);
    free(bytes);
    members_free(m);
    return status;
}

const cli_command cli_verify = { "verify", "ARCHIVE", "Audits a submission, and says what it cannot prove", run };
