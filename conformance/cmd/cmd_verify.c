/* cotangent verify ARCHIVE: the audit of a submission, on a machine without the hardware that it is about. */
#include "cli.h"
#include "conformance/archive/audit.h"
#include "conformance/case/words.h"
#include "conformance/judge/judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int take(void *self, const char *name, const char *data, size_t size)
{
    return member_add(self, name, data, size);
}

static int say(const members *m, int samples, uint64_t seed)
{
    audit found = audit_submission(stdout, m, samples, seed);
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
