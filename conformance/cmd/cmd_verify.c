/* cotangent verify ARCHIVE: the audit of a submission, on a machine without the hardware that it is about. */
#include "cli.h"
#include "conformance/archive/audit.h"
#include "conformance/case/words.h"
#include "conformance/judge/judge.h"
#include "planned.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int take(void *self, const char *name, const char *data, size_t size)
{
    return member_add(self, name, data, size);
}

/* ---- the cases that a result was asked for ------------------------------------------------------ */

static int count_case(void *self, const test_case *c)
{
    tally *all = self;
    int op = 0;
    while (cot_op_at((size_t)op)->op != c->desc.op)
        op++;
    tally_promise(all, c);
    tally_add_row(all, op, c->desc.element, &(row){ .cases = 1 });
    return 0;
}

static int plan(const node *run, tally *all, char why[256])
{
    planned p;
    int wrong = planned_read(&p, run);
    if (!wrong) {
        selection_visit(&p.s, count_case, all);
        if (selection_is_whole(&p.s))
            tally_promise_range(all, &p.s.range);
    }
    snprintf(why, 256, "its selection is not one that this program knows");
    planned_free(&p);
    return wrong ? -1 : 0;
}

static int is_it(void *self, const test_case *c)
{
    char id[CASE_ID_SIZE];
    case_print(c, id);
    return !strcmp(id, self);
}

static int asked(const node *run, const char *id)
{
    planned p;
    char own[CASE_ID_SIZE];
    snprintf(own, sizeof own, "%s", id);
    int found = !planned_read(&p, run) && selection_visit(&p.s, is_it, own);
    planned_free(&p);
    return found;
}

/* ---- the command ----------------------------------------------------------------------------- */

static const char *s(int count) { return count == 1 ? "" : "s"; }

static int say(const members *m, int samples, uint64_t seed)
{
    audit found = audit_submission(stdout, m, samples, seed, (audit_cases){ plan, asked });
    printf("%d problem%s in %d result%s and %d sweep%s", found.problems, s(found.problems), found.results,
           s(found.results), found.sweeps, s(found.sweeps));
    if (found.parts)
        printf(", of which %d %s no more than a part", found.parts, found.parts == 1 ? "is" : "are");
    puts(found.problems ? "" : ": sound, as far as was said");
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
